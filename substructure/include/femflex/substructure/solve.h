#pragma once

#include <complex>
#include <functional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/progress.h"
#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// Boundary conditions, given only when a part is solved. Ports count from 1.
struct Supports {
  std::vector<int> fixed;       ///< ports that do not move
  std::vector<int> prescribed;  ///< ports whose motion is prescribed by an input
};

/// An input: a force at a free port, or the motion of a prescribed port.
struct Input {
  enum class Kind : std::uint8_t { force, motion };
  Kind kind = Kind::force;
  int port = 0;
};

/// An output: the displacement of any port, or the force of the support on a held one.
struct Output {
  enum class Kind : std::uint8_t { displacement, reaction };
  Kind kind = Kind::displacement;
  int port = 0;
};

/// Eigenvalues of R(s) on the coordinates that are free.
struct Poles {
  Eigen::VectorXcd values;  ///< [rad/s] by rising magnitude, conjugates side by side
  Eigen::MatrixXcd shapes;  ///< (size x poles) R(s) x = 0; held ports are zero
  Eigen::MatrixXcd left;    ///< (size x poles) R(s)' y = 0; empty where R is symmetric: then y = x
  double residual = 0.0;    ///< largest |R(s) x| / (sum |A_k| |s|^k |x|) over the poles
  Eigen::Index infinite = 0;  ///< poles at infinity that were split off: DOFs without mass
};

/// All poles, by linearisation of the polynomial (eq. 9); infinite and zero ones are split off by
/// rank decisions, so that DOFs without mass and rigid-body motion are found exactly.  Dense.
/// @throws ModelError      no such port, or nothing is free
/// @throws NumericalError  R(s) is singular for every s, or more than 2,000 states
Poles poles(const DynamicStiffness& part, const Supports& supports);

/// The `count` poles nearest to `shift` on the real axis (which must not be a pole), by
/// shift-invert Arnoldi on the sparse R(shift).  Poles come with their conjugates.
/// @throws NumericalError  R(shift) is singular, or fewer poles than requested converged
Poles poles_near(const DynamicStiffness& part,
                 const Supports& supports,
                 double shift,
                 Eigen::Index count);

/// sum_j residues[j] / (s - pole)^(j+1)
struct PoleTerm {
  std::complex<double> pole;
  std::vector<std::complex<double>> residues;
};

/// H(s) = sum of pole terms + direct[0] + direct[1] s + ... (eq. 11). Real: conjugates come in
/// pairs.
struct TransferFunction {
  std::vector<PoleTerm> terms;
  std::vector<double> direct;

  std::complex<double> operator()(std::complex<double> s) const;
};

/// Transfer function from one input to one output, in pole-residue form.
/// @param poles  all poles, from poles() for the same part and supports
/// @throws ModelError  a port is held that must be free, or vice versa
TransferFunction transfer_function(const DynamicStiffness& part,
                                   const Supports& supports,
                                   const Poles& poles,
                                   const Input& input,
                                   const Output& output);

/// numerator / denominator in falling powers of s, not reduced: adjoint / determinant.
struct RationalFunction {
  Polynomial numerator;
  Polynomial denominator;
};

/// det R(s) on the free coordinates, by expansion. For systems of at most 12 coordinates.
/// @throws NumericalError  more than that
Polynomial determinant(const DynamicStiffness& part, const Supports& supports);

/// The adjoint of R(s) on the free coordinates: R adj R = det R.
PolynomialMatrix adjoint(const DynamicStiffness& part, const Supports& supports);

/// Transfer functions as printed in the document of 2003: force in, displacement out.
RationalFunction transfer_polynomials(const DynamicStiffness& part,
                                      const Supports& supports,
                                      int input_port,
                                      int output_port);

/// H(i omega) (outputs x inputs) for each omega [rad/s], by one sparse factorisation each.
/// @throws NumericalError  R(i omega) is singular there
std::vector<Eigen::MatrixXcd> frequency_response(const DynamicStiffness& part,
                                                 const Supports& supports,
                                                 std::span<const Input> inputs,
                                                 std::span<const Output> outputs,
                                                 std::span<const double> omega,
                                                 Progress& progress = no_progress());

/// Response to a unit step at t = 0, from rest; exact at every time.
/// @throws ModelError  the transfer function grows with s: a step would give an impulse
Eigen::VectorXd step_response(const TransferFunction& transfer, std::span<const double> times);

/// Response to a unit impulse (Dirac) at t = 0, from rest; a direct part, itself an impulse, is
/// left out.
Eigen::VectorXd impulse_response(const TransferFunction& transfer, std::span<const double> times);

/// The input between two samples.
enum class Hold : std::uint8_t { zero_order, first_order };

/// Response to sampled input, from rest: exact for an input of that shape, for any dt. Derivatives
/// of the input, which only reactions to prescribed motion need, are central differences.
Eigen::VectorXd simulate(const TransferFunction& transfer,
                         const Eigen::Ref<const Eigen::VectorXd>& input,
                         double dt,
                         Hold hold = Hold::first_order);

/// Inputs over time, sampled every dt [s] from t = 0.
struct InputSamples {
  Eigen::Ref<const Eigen::MatrixXd> values;  ///< (inputs x samples)
  double dt = 0.0;
};

/// Response of a large part to forces: average-acceleration (trapezoidal) steps of order two on the
/// sparse first-order form, one factorisation in all.  From rest; order of R at most 2.
/// @return (outputs x samples) displacements
/// @throws NumericalError  a step cannot be solved
Eigen::MatrixXd simulate_sparse(const DynamicStiffness& part,
                                const Supports& supports,
                                std::span<const Input> inputs,
                                std::span<const Output> outputs,
                                const InputSamples& input,
                                Progress& progress = no_progress());

}  // namespace femflex::substructure

// Solves a part that is given by its dynamic stiffness R(s) on ports and held by supports: poles,
// transfer functions, and responses over frequency and time. Equation numbers are those of
// docs/theory/substructures.md.
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

/// An output: the displacement of any port, or the force of the support on a fixed one.
struct Output {
  enum class Kind : std::uint8_t { displacement, reaction };
  Kind kind = Kind::displacement;
  int port = 0;
};

/// Poles::infinite where poles at infinity were not counted.
inline constexpr Eigen::Index kNotCounted = -1;

/// Eigenvalues of R(s) on the free coordinates.
struct Poles {
  Eigen::VectorXcd values;  ///< [rad/s] in ascending order of magnitude, conjugates side by side
  Eigen::MatrixXcd shapes;  ///< (size x poles) R(s) x = 0; entries of fixed ports are zero
  /// (size x poles) R(s)' y = 0; empty if R is symmetric, because then y = x
  Eigen::MatrixXcd left;
  /// largest |R(s) x| / (sum |A_k| |s|^k |x|) over the poles, where R(s) = sum A_k s^k
  double residual = 0.0;
  /// number of poles at infinity (DOFs without mass), which are not in `values`; kNotCounted if
  /// only some poles were searched for
  Eigen::Index infinite = 0;
};

/// Largest number of states for which all poles are computed: the work of the dense eigenproblem
/// grows with its cube.
inline constexpr Eigen::Index kMaxDenseStates = 2000;

/// All poles, by linearisation of the polynomial R(s) (eq. 9). Infinite and zero poles are
/// separated first by the ranks of the matrices, so that those of DOFs without mass and of
/// rigid-body motion are exact.
/// @throws ModelError      no such port, or nothing is free
/// @throws NumericalError  R(s) is singular for every s, or there are more than kMaxDenseStates
/// states
Poles poles(const DynamicStiffness& part, const Supports& supports);

/// The `count` finite poles nearest to the real number `shift`, which must not be a pole, by
/// shift-invert Arnoldi iterations on the sparse R(shift). Poles come with their conjugates, so
/// that there may be one more; there are fewer if the part has no more.
/// @throws ModelError      `count` is not positive
/// @throws NumericalError  R(shift) is singular, fewer poles than requested converged, or almost
/// all poles of more than kMaxDenseStates states are requested
Poles poles_near(const DynamicStiffness& part,
                 const Supports& supports,
                 double shift,
                 Eigen::Index count);

/// sum_j residues[j] / (s - pole)^(j+1)
struct PoleTerm {
  std::complex<double> pole;
  std::vector<std::complex<double>> residues;
};

/// H(s) = sum of pole terms + direct[0] + direct[1] s + ... (eq. 11). H is real, so complex poles
/// come in conjugate pairs.
struct TransferFunction {
  std::vector<PoleTerm> terms;
  std::vector<double> direct;

  std::complex<double> operator()(std::complex<double> s) const;
};

/// Transfer function from one input to one output, in pole-residue form.
/// @param poles  all poles, from poles() for the same part and supports
/// @throws ModelError  a port is fixed that must be free, or vice versa
TransferFunction transfer_function(const DynamicStiffness& part,
                                   const Supports& supports,
                                   const Poles& poles,
                                   const Input& input,
                                   const Output& output);

/// numerator / denominator, each in descending powers of s. Common factors of the two are not
/// cancelled.
struct RationalFunction {
  Polynomial numerator;
  Polynomial denominator;
};

/// det R(s) on the free coordinates, by expansion into minors. For at most 12 coordinates, because
/// the number of minors doubles with each.
/// @throws NumericalError  there are more coordinates
Polynomial determinant(const DynamicStiffness& part, const Supports& supports);

/// The adjoint (adjugate) of R(s) on the free coordinates: R adj R = 1 det R.
PolynomialMatrix adjoint(const DynamicStiffness& part, const Supports& supports);

/// Transfer function from a force to a displacement, as an entry of adj R / det R. The document of
/// 2003 (docs/bibliography.md) prints it in this form.
RationalFunction transfer_polynomials(const DynamicStiffness& part,
                                      const Supports& supports,
                                      int input_port,
                                      int output_port);

/// H(i omega) (outputs x inputs) for each omega [rad/s], with one sparse factorisation per
/// frequency.
/// @throws NumericalError  R(i omega) is singular there
std::vector<Eigen::MatrixXcd> frequency_response(const DynamicStiffness& part,
                                                 const Supports& supports,
                                                 std::span<const Input> inputs,
                                                 std::span<const Output> outputs,
                                                 std::span<const double> omega,
                                                 Progress& progress = no_progress());

/// Response to a unit step at t = 0, starting from rest; exact at every time.
/// @throws ModelError  the transfer function grows with s: a step would then cause an impulse
Eigen::VectorXd step_response(const TransferFunction& transfer, std::span<const double> times);

/// Response to a unit impulse (Dirac) at t = 0, starting from rest; a direct part, which responds
/// with an impulse, is left out.
Eigen::VectorXd impulse_response(const TransferFunction& transfer, std::span<const double> times);

/// Shape of the input between two samples.
enum class Hold : std::uint8_t { zero_order, first_order };

/// Response to sampled input, starting from rest; exact for an input of the shape `hold`, for any
/// dt. Derivatives of the input, which only reactions to prescribed motion need, are central
/// differences.
Eigen::VectorXd simulate(const TransferFunction& transfer,
                         const Eigen::Ref<const Eigen::VectorXd>& input,
                         double dt,
                         Hold hold = Hold::first_order);

/// Inputs over time, sampled every dt [s] from t = 0.
struct InputSamples {
  Eigen::Ref<const Eigen::MatrixXd> values;  ///< (inputs x samples)
  double dt = 0.0;
};

/// Response of a large part to forces, by Newmark steps with average acceleration (order two) on
/// the sparse K, C and M, with a single factorisation. Starts from rest. R must be of order 2 at
/// most.
/// @return (outputs x samples) displacements
/// @throws NumericalError  a step cannot be solved
Eigen::MatrixXd simulate_sparse(const DynamicStiffness& part,
                                const Supports& supports,
                                std::span<const Input> inputs,
                                std::span<const Output> outputs,
                                const InputSamples& input,
                                Progress& progress = no_progress());

}  // namespace femflex::substructure

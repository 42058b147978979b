// Computes the frequency response of the full model at its interface, and a scale in which
// translations and rotations are comparable. Notation: b are the interface DOFs, g is the loss
// factor, s = w^2 / (1 + i g).
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "methods/craig_bampton.h"

namespace femflex::modal {

/// Each response takes b^3 operations, so fewer responses are evaluated if b, the number of
/// interface DOFs, exceeds these limits.
constexpr Eigen::Index kWideInterface = 120;
constexpr Eigen::Index kWidestInterface = 300;

/// Condensed dynamic stiffness of the interface at one frequency, in model units, of a component
/// with structural damping: Z(w) = (1 + i g) (k_bb - s m_bb - ...) at s = w^2 / (1 + i g).
struct InterfaceSample {
  double w2 = 0.0;  ///< omega^2 [1/time^2]
  Eigen::MatrixXcd Z;
};

/// Computes the response of the full model at its interface, docs/theory/modal.md eq. (36), (38).
class InterfaceSampler {
 public:
  InterfaceSampler(CraigBamptonSolver& solver, double loss_factor);

  /// Makes at() cheap up to `top` [w^2]: finds all fixed-interface modes up to 1.5 times that
  /// frequency (a count checks that none is missing; the solver keeps them), and the moments of all
  /// higher modes. If a large component has more than `max_modes` such modes, none are searched
  /// for, and at() factors a matrix at each frequency, as it does without this call.
  void prepare_modes(double top, std::int64_t max_modes, Progress& progress);

  /// The dynamic stiffness at w^2 [1/time^2].
  InterfaceSample at(double w2);

  /// Removes from k_bb the stiffness against rigid motions that is only round-off of K; X_b are
  /// these motions at the interface.
  void remove_rigid_stiffness(const Eigen::MatrixXd& X_b);

  /// True if a response up to `top` [w^2] needs no factorisation of its own.
  bool has_modes_to(double top) const;

  double loss_factor() const { return g_; }
  const Eigen::MatrixXd& k_bb() const { return k_bb_; }
  const Eigen::MatrixXd& m_bb() const { return m_bb_; }
  /// M [psi; 1] on the free unknowns: couples constraint modes to normal modes.
  const Eigen::MatrixXd& coupling() const { return coupling_; }

 private:
  /// B' (K_ii - s M_ii)^-1 B, B the coupling: what the interior adds to the static condensation.
  Eigen::MatrixXcd dynamic_part(double w2, std::complex<double> s);
  CraigBamptonSolver& solver_;
  double g_;
  Eigen::MatrixXd k_bb_, m_bb_, coupling_;
  // found by prepare_modes()
  double top_ = 0.0;                      // [w^2] up to which these data are valid
  Eigen::MatrixXd p_;                     // b x modes: coupling mass of each mode
  Eigen::VectorXd lambda_;                // eigenvalues of the modes
  std::vector<Eigen::MatrixXd> moments_;  // moments of all other modes, times powers of top_
};

/// s = w^2 / (1 + i g): (1 + i g) K - w^2 M = (1 + i g) (K - s M).
inline std::complex<double> damped_square(double w2, double loss_factor) {
  return w2 / std::complex<double>(1.0, loss_factor);
}

/// Relative step between frequencies [Hz] that finds every peak of an error: half the width of a
/// resonance, more if a response is expensive.
double search_step(const InterfaceSampler& sampler, double top);

/// Coordinates in which translations and rotations are comparable: those that give k_bb + w^2 m_bb
/// a unit diagonal. k_bb alone is not enough, because it vanishes if the interface is one node of a
/// floating component.
class InterfaceScale {
 public:
  InterfaceScale(const Eigen::MatrixXd& k_bb, const Eigen::MatrixXd& m_bb)
      : k_(k_bb.diagonal()), m_(m_bb.diagonal()) {}
  /// Factors of displacements; factors of forces are their inverse.
  Eigen::VectorXd at(double w2) const;
  /// Receptance Z^-1 in these coordinates.
  Eigen::MatrixXcd receptance(const Eigen::MatrixXcd& Z, double w2) const;

 private:
  Eigen::VectorXd k_, m_;
};

}  // namespace femflex::modal

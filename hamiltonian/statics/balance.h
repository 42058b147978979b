// Balance: evaluates the equations of equilibrium of a lattice under lambda times its loads, and
// factors their tangent.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCholesky>

#include "femflex/hamiltonian/lattice_statics.h"
#include "femflex/hamiltonian/lattice_system.h"

namespace femflex::hamiltonian {

/// Keeps a quotient finite if the divisor is zero.
inline constexpr double kTinySize = 1e-300;

/// Largest size of an entry; NaN if one is NaN.
double largest(const Eigen::VectorXd& v);

/// Unbalanced force, energy and tangent of a lattice at rest under lambda times its loads.
class Balance {
 public:
  Balance(const LatticeSystem& system, const State& start, double time);
  /// Uses this factorisation instead of Eigen's if the lattice is large.
  void use(std::unique_ptr<SymmetricFactor> fast);

  Eigen::VectorXd force(const Eigen::VectorXd& q, double lambda) const;
  double energy(const Eigen::VectorXd& q, double lambda) const;
  /// Size of the forces that cancel in force(), the scale of its residual.
  double force_scale(const Eigen::VectorXd& q, double lambda) const;
  double external(double lambda) const;  ///< the largest load or weight [N]
  /// Error of force() in the stiffest directions by round-off of positions; 0 before factor().
  double noise(const Eigen::VectorXd& q) const {
    return 1e-15 * largest_stiffness_ * (q.size() == 0 ? 0.0 : q.cwiseAbs().maxCoeff());
  }
  /// Factors tangent + shift; false if a pivot vanishes, that is, does not exceed `least` times the
  /// mean diagonal; with `least` 0 any non-zero pivot is accepted.
  bool factor(const Eigen::VectorXd& q, double shift, double least = 1e-14);
  /// Number of negative eigenvalues of the matrix that factor() has factored last.
  int negative() const;
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    return is_fast_ ? fast_->solve(right) : Eigen::VectorXd(factor_.solve(right));
  }
  double tangent_size() const { return tangent_size_; }  ///< mean diagonal of the last tangent
  const Eigen::VectorXd& load() const { return load_; }
  const Eigen::VectorXd& free() const { return free_; }  ///< 1 for free DOFs, 0 for fixed ones
  State state(const Eigen::VectorXd& q) const;
  /// Updates the turn counters of the hinges to q, but breaks no spring.
  void follow(const Eigen::VectorXd& q);
  /// Breaks the springs that the equilibrium q loads beyond their limits, if any.
  bool break_overloaded(const Eigen::VectorXd& q);
  /// Smallest relative distance of a spring from its limit; negative if a spring breaks.
  double margin(const Eigen::VectorXd& q) const;
  /// Continues from another equilibrium.
  void restore(const State& state);
  const LatticeSystem& system() const { return system_; }
  Eigen::VectorXd start() const;
  Instant instant() const;  ///< at which the lasting loads are taken

 private:
  const LatticeSystem& system_;
  State state_;
  Eigen::VectorXd load_, free_;
  SparseMatrix tangent_;
  Eigen::VectorXd at_;  // q at which tangent_ was formed
  double tangent_size_ = 0.0, largest_stiffness_ = 0.0;
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
  bool analysed_ = false;
  std::unique_ptr<SymmetricFactor> fast_;  // null: none
  bool is_fast_ = false;                   // true: fast_ holds the last factorisation
  std::vector<std::int32_t> group_;        // node of each DOF
  // shift and smallest pivot of the last factorisation, of the tangent at `at_`
  bool is_known_ = false;
  double known_shift_ = 0.0, known_smallest_ = 0.0;

  double smallest_pivot(const SparseMatrix& shifted);
};

}  // namespace femflex::hamiltonian

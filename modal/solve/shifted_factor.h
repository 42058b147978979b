// ShiftedFactor: factors K - sigma M for one shift sigma after another, and counts the eigenvalues
// below a shift.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/sparse.h"

#include "solve/factorisation.h"

namespace femflex::modal {

/// Factors K - sigma M for one sigma after another, with one fill-reducing order and one symbolic
/// analysis. K and M must outlive it.
class ShiftedFactor {
 public:
  ShiftedFactor(const SparseMatrix& K,
                const SparseMatrix& M,
                const std::vector<std::int32_t>& group,
                const SolveOptions& options);

  /// Factors K - sigma M unless this was the last shift; false if the matrix is singular.
  bool at(double sigma);
  /// Analyses the pattern; true if a factor in single precision is likely to pay for the search of
  /// `pairs` pairs: no exact factor is held, the factor is that of a large bulky part, which takes
  /// most of the time, and it saves more memory than `vectors` vectors take. False with a limit of
  /// memory, under which the exact factor may go to disk. docs/theory/modal.md, "Sparse problems".
  bool suits_single(std::int64_t pairs, Eigen::Index vectors);
  /// Factors K - sigma M in single precision, for solutions that are only rough. False if the
  /// matrix is singular, or the factor so rough that the signs of its pivots are not proven.
  bool at_in_single(double sigma);
  /// As at_in_single() at single_shift(); false also if that matrix is not definite.
  bool at_single_shift();
  /// A small negative shift. Its magnitude is far above round-off of single precision on the scale
  /// of the model, and below the modes of most bulky parts; nullopt if no unknown has both
  /// stiffness and mass.
  std::optional<double> single_shift() const;
  /// True if the factor held is in single precision.
  bool is_rough() const { return is_rough_; }
  double sigma() const { return sigma_; }
  /// Solves for each column; a system without unknowns has nothing to solve.
  void solve(Eigen::Ref<Eigen::MatrixXd> block) const {  // NOLINT: a view
    if (block.size() > 0) factor_->solve(block);
  }
  Inertia inertia() const { return factor_->inertia(); }
  /// False if a basis of so many vectors takes more than the memory allowed.
  bool has_room_for_basis(Eigen::Index columns) const;
  /// Storage for a basis of vectors of this size.
  /// @throws NumericalError  more than the memory allowed
  std::unique_ptr<LanczosBasis> make_basis(Eigen::Index columns) const;
  /// Number of eigenvalues below sigma. Factors K - sigma M; if that is singular, at a slightly
  /// larger sigma. A factor that is too inexact for solutions still counts, if its signs are proven
  /// (see signs_are_proven()).
  /// @param distance  from sigma to the nearest eigenvalue, as far as known. If round-off of single
  ///                  precision is far smaller, single precision is tried first; 0: never.
  std::int64_t count_below(double sigma, double distance = 0.0);

  const SparseMatrix& K() const { return K_; }  // NOLINT: the letter of the equation
  const SparseMatrix& M() const { return M_; }  // NOLINT: the letter of the equation
  const std::vector<std::int32_t>& group() const { return group_; }
  Eigen::Index size() const { return K_.rows(); }
  int threads() const { return threads_; }
  std::string_view backend() const { return factor_->name(); }
  std::int64_t entries() const { return factor_->entries(); }
  double memory() const { return factor_->memory(); }
  double flops() const { return factor_->flops(); }
  double seconds_order() const { return seconds_order_; }
  double seconds_factor() const { return seconds_factor_; }

  /// A small negative shift on the scale of the model, with which K - sigma M is definite even if K
  /// is only semidefinite. docs/theory/modal.md eq. (22).
  double negative_shift() const;
  /// Factors K - sigma M at the negative shift, or further below as long as that is not definite,
  /// because the zero eigenvalues of a stiff part, perturbed by round-off, may lie below a shift
  /// that suits the soft parts. negative_shift() returns the shift found from then on. False if K
  /// or M is indefinite, or if a motion has neither stiffness nor mass.
  bool at_negative_shift();
  /// Takes rigid motions X with X' M X = 1 that K resists only because its export was rounded. The
  /// negative shift then stays well below their eigenvalues.
  void allow_for_rigid_noise(const Eigen::MatrixXd& rigid);

 private:
  double memory_with_basis(Eigen::Index columns) const;
  void analyse();
  void analyse_once();
  bool signs_at(double sigma, double distance);
  bool suits_count_in_single(double distance) const;
  bool signs_are_proven() const;
  void fit_memory(const SparseMatrix& pattern, const std::vector<std::int32_t>& order);

  const SparseMatrix& K_;
  const SparseMatrix& M_;
  const std::vector<std::int32_t>& group_;
  std::unique_ptr<Factorisation> factor_;
  int threads_ = 1;
  std::optional<double> allowed_;  // memory of this process [byte]
  bool may_replace_ = false;       // true if the user has chosen no back end
  double sigma_ = 0.0;
  double rigid_noise_ = 0.0;  // largest magnitude of an eigenvalue of X' K X
  double further_ = 1.0;      // factor by which the shift lies below the first negative shift
  bool analysed_ = false;
  bool holds_ = false;  // true once a factorisation at sigma_ was tried
  bool is_rough_ = false;
  bool good_ = false;  // true if the matrix at sigma_ is not singular
  double seconds_order_ = 0.0, seconds_factor_ = 0.0;
};

}  // namespace femflex::modal

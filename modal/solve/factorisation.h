// Factorisation: the interface of all back ends that factor sparse symmetric matrices. Functions
// that make each back end.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/modal/compute_modes.h"
#include "femflex/sparse.h"

#include "solve/lanczos_basis.h"

namespace femflex::modal {

/// Numbers of negative and zero pivots of L D L'. By Sylvester's law of inertia these are the
/// numbers of negative and zero eigenvalues of the matrix.
struct Inertia {
  std::int64_t negative = 0;
  std::int64_t zero = 0;  ///< number of pivots lost in round-off
};

/// Factors sparse symmetric matrices as L D L': analyse() once per pattern, factor() once per
/// matrix of that pattern, then any number of solves.
class Factorisation {
 public:
  Factorisation() = default;
  Factorisation(const Factorisation&) = delete;
  Factorisation& operator=(const Factorisation&) = delete;
  Factorisation(Factorisation&&) = delete;
  Factorisation& operator=(Factorisation&&) = delete;
  virtual ~Factorisation() = default;

  virtual std::string_view name() const = 0;
  /// Computes the elimination order (entry k is the row that comes k-th) and prepares for matrices
  /// of this pattern.
  /// @param group  node of each row; the rows of a node may be assumed to share their pattern
  virtual void analyse(const SparseMatrix& lower,
                       const std::vector<std::int32_t>& order,
                       const std::vector<std::int32_t>& group) = 0;
  /// Factors K - sigma M, which has the pattern that analyse() saw; K and M keep their own patterns
  /// from one call to the next.
  /// False if the factorisation cannot be completed; inertia() then gives the number of zero
  /// pivots, if the back end knows it.
  virtual bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) = 0;
  /// As factor(), but takes pivots from the diagonal only, which may lose digits. Afterwards
  /// has_lost_digits() tells whether this happened. Then pivot() factors again without the loss,
  /// which may take several times as long. A back end without this distinction calls factor().
  virtual bool factor_plainly(const SparseMatrix& K, double sigma, const SparseMatrix& M) {
    return factor(K, sigma, M);
  }
  /// True if the back end knows factor_in_single().
  virtual bool computes_in_single() const { return false; }
  /// As factor(), but in single precision. The caller must still prove that the signs of the pivots
  /// are right. solve() is then rough; it sweeps over eight columns at a time. False also if the
  /// back end cannot compute in single precision.
  virtual bool factor_in_single(const SparseMatrix& /*K*/,
                                double /*sigma*/,
                                const SparseMatrix& /*M*/) {
    return false;
  }
  virtual bool has_lost_digits() const { return false; }
  /// Factors the matrix of factor_plainly() once more, with pivots off the diagonal.
  virtual bool pivot(const SparseMatrix& K, double sigma, const SparseMatrix& M) {
    return factor(K, sigma, M);
  }
  /// Solves in place; many columns at once are much cheaper than one by one. Not thread-safe.
  virtual void solve(Eigen::Ref<Eigen::MatrixXd> block) const = 0;
  /// Storage for a basis of vectors: in this process, or distributed over processes as the factor.
  virtual std::unique_ptr<LanczosBasis> make_basis(Eigen::Index rows,
                                                   Eigen::Index columns,
                                                   int threads) const;
  virtual Inertia inertia() const = 0;
  /// Number of entries of L.
  virtual std::int64_t entries() const = 0;
  /// Memory that factor() takes on each process, known after analyse() [byte].
  virtual double memory() const { return sizeof(double) * static_cast<double>(entries()); }
  /// Chooses the fastest way of factor() that takes at most `bytes`; to be called after analyse().
  /// False if every way takes more; memory() is then that of the way that takes least.
  virtual bool fit(double bytes) { return memory() <= bytes; }
  /// Number of additions and multiplications of one factorisation.
  virtual double flops() const = 0;
  /// Number of threads that the rest of the solution may run between the calls.
  virtual int threads() const { return 1; }
};

/// K - sigma M on the union of both patterns, also for sigma = 0. Neither pattern need contain the
/// other.
SparseMatrix combined(const SparseMatrix& K, double sigma, const SparseMatrix& M);

/// @throws UsageError  the back end is not built in
std::unique_ptr<Factorisation> make_factorisation(Backend backend, int threads = 1);

/// The back ends; each is null if it is not built in.
std::unique_ptr<Factorisation> make_supernodal_factorisation(int threads);
std::unique_ptr<Factorisation> make_eigen_factorisation();
std::unique_ptr<Factorisation> make_mumps_factorisation();
std::unique_ptr<Factorisation> make_cholmod_factorisation();

}  // namespace femflex::modal

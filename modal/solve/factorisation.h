// Factorisation: the interface of the back ends that factor sparse symmetric matrices, and the
// functions that make each back end.
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

/// Signs of the pivots of L D L', which by Sylvester's law of inertia are the signs of the
/// eigenvalues.
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
  /// As factor(), but where pivots on the diagonal have cost digits, has_lost_digits() tells it and
  /// pivot() mends it, which may take several times as long.
  virtual bool factor_plainly(const SparseMatrix& K, double sigma, const SparseMatrix& M) {
    return factor(K, sigma, M);
  }
  /// As factor(), but with numbers of single precision where the back end has them: signs that
  /// still have to be proven, and rough solves of up to eight columns at a time. False also if the
  /// back end cannot do it.
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
  /// Storage for a basis of vectors: on this process, or where the factor is.
  virtual std::unique_ptr<LanczosBasis> make_basis(Eigen::Index rows,
                                                   Eigen::Index columns,
                                                   int threads) const;
  virtual Inertia inertia() const = 0;
  /// Number of entries of L.
  virtual std::int64_t entries() const = 0;
  /// Memory that factor() takes on each process, known after analyse() [byte].
  virtual double memory() const { return sizeof(double) * static_cast<double>(entries()); }
  /// Chooses, after analyse(), the fastest way that takes at most `bytes`; false if there is none:
  /// then memory() is that of the leanest way.
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

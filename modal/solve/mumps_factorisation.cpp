// Back end `mumps`: factors sparse symmetric matrices as L D L' by MUMPS, on this process alone or
// together with a team of processes. The leader orders, splits the entries by columns, and has
// right-hand sides and solutions; every process holds a part of the factor.
#include "solve/mumps_share.h"

#if FEMFLEX_HAVE_MUMPS

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "solve/spread_basis.h"

// Defined only if MPI is linked: a factorisation by one process is then one of several
// communicators.
extern "C" int femflex_lone_communicator() __attribute__((weak));

namespace femflex::modal {
namespace {

// communicator of this process alone; the sequential MUMPS knows but this one
constexpr int kUseCommWorld = -987654;  // from the MUMPS manual
constexpr int kMostAttempts = 6;        // the last one with 32 times the first reserve
// the errors of MUMPS that more workspace mends: INFOG(1) = -8, -9
constexpr int kIntegerWorkspaceTooSmall = -8;
constexpr int kWorkspaceTooSmall = -9;

// memory taken over what the analysis foresees
constexpr double kMemoryMargin = 1.1;

/// Rows and columns, from 1, of the entries in the columns [first, last).
MumpsEntries entries_of(const SparseMatrix& lower, Eigen::Index first, Eigen::Index last) {
  MumpsEntries out;
  const auto count =
      static_cast<std::size_t>(lower.outerIndexPtr()[last] - lower.outerIndexPtr()[first]);
  out.rows.reserve(count);
  out.cols.reserve(count);
  for (Eigen::Index col = first; col < last; ++col)
    for (SparseMatrix::InnerIterator it(lower, col); it; ++it) {
      out.rows.push_back(static_cast<int>(it.row()) + 1);
      out.cols.push_back(static_cast<int>(col) + 1);
    }
  return out;
}

/// The first column of the entries of each process, and the end: ranges with about as many entries
/// each. The leader, which has K and M, hands over all of them if there are others.
std::vector<Eigen::Index> shares(const SparseMatrix& lower, int processes) {
  std::vector<Eigen::Index> first{0};
  if (processes > 1) first.push_back(0);
  const int parts = std::max(1, processes - 1);
  const auto* start = lower.outerIndexPtr();
  const auto* end = start + lower.cols();
  for (int part = 1; part < parts; ++part) {
    const double wanted = static_cast<double>(lower.nonZeros()) * part / parts;
    const auto* at = std::lower_bound(start, end, wanted);
    first.push_back(std::max<Eigen::Index>(first.back(), at - start));
  }
  first.push_back(lower.cols());
  return first;
}

int lone_communicator() {
  return femflex_lone_communicator == nullptr ? kUseCommWorld : femflex_lone_communicator();
}

class MumpsFactorisation : public Factorisation {
 public:
  explicit MumpsFactorisation(Team* team) : team_(team), object_(next_object(team)) {
    if (team_ != nullptr)
      name_ = fmt::format("mumps on {} process{}", size(), size() == 1 ? "" : "es");
  }
  MumpsFactorisation(const MumpsFactorisation&) = delete;
  MumpsFactorisation& operator=(const MumpsFactorisation&) = delete;
  MumpsFactorisation(MumpsFactorisation&&) = delete;
  MumpsFactorisation& operator=(MumpsFactorisation&&) = delete;
  ~MumpsFactorisation() override {
    if (share_) tell({.what = TeamOrder::What::discard});
  }

  std::string_view name() const override { return name_; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& /*group*/) override {
    start();
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      place[static_cast<std::size_t>(order[k])] = static_cast<int>(k + 1);
    parts_ = shares(lower, size());
    tell({.what = TeamOrder::What::analyse, .rows = lower.rows()});
    for (int rank = 1; rank < size(); ++rank) {
      const MumpsEntries theirs = entries_of(lower, first(rank), first(rank + 1));
      team_->send(rank, theirs.rows);
      team_->send(rank, theirs.cols);
    }
    share_->analyse(lower.rows(), entries_of(lower, 0, first(1)), std::move(place));
    share_->check("analysis");
  }

  double memory() const override { return kMemoryMargin * share_->memory(is_on_disk_); }

  bool fit(double bytes) override {
    is_on_disk_ = kMemoryMargin * share_->memory(false) > bytes;
    if (is_on_disk_) name_ += ", on disk";
    return memory() <= bytes;
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    TeamOrder order{
        .what = TeamOrder::What::factor, .reserve = kMumpsReserve, .is_on_disk = is_on_disk_};
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      tell(order);
      for (int rank = 1; rank < size(); ++rank)
        team_->send(rank, values_of(rank, K, sigma, M));
      share_->factor(values_of(0, K, sigma, M), order);
      if (share_->error() != kIntegerWorkspaceTooSmall && share_->error() != kWorkspaceTooSmall)
        break;
      order.reserve *= 2;  // more workspace than the analysis foresaw
    }
    share_->check("factorisation");
    return share_->inertia().zero == 0;
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    if (block.cols() == 0) return;
    tell({.what = TeamOrder::What::solve, .rows = block.outerStride(), .columns = block.cols()});
    share_->solve(block.data(), block.cols(), block.outerStride());
    share_->check("solution");
  }

  std::unique_ptr<LanczosBasis> make_basis(Eigen::Index rows,
                                           Eigen::Index columns,
                                           int threads) const override {
    if (team_ == nullptr) return Factorisation::make_basis(rows, columns, threads);
    return make_spread_basis(*team_, rows, columns, threads);
  }

  Inertia inertia() const override { return share_->inertia(); }
  std::int64_t entries() const override { return share_->factor_entries(); }
  double flops() const override { return share_->flops(); }
  int threads() const override { return team_ == nullptr ? 1 : team_->threads(); }

 private:
  static std::int64_t next_object(Team* team) { return team == nullptr ? 0 : team->next_object(); }
  int size() const { return team_ == nullptr ? 1 : team_->size(); }
  Eigen::Index first(int rank) const { return parts_[static_cast<std::size_t>(rank)]; }

  /// Starts MUMPS on all processes; late, so that a factorisation that is only made takes nothing.
  void start() {
    if (share_) return;
    tell({.what = TeamOrder::What::make_factor});
    share_ = std::make_unique<MumpsShare>(
        team_ == nullptr ? lone_communicator() : team_->communicator(), team_ != nullptr);
  }

  void tell(TeamOrder order) const {
    if (team_ == nullptr) return;
    order.object = object_;
    team_->tell(order);
  }

  /// Values of K - sigma M in the columns of a process; only these are combined, so that the whole
  /// matrix never stands beside K and M.
  std::vector<double> values_of(int rank,
                                const SparseMatrix& K,
                                double sigma,
                                const SparseMatrix& M) const {
    const Eigen::Index from = first(rank);
    const Eigen::Index count = first(rank + 1) - from;
    const SparseMatrix part =
        size() == 1 ? combined(K, sigma, M)
                    : combined(K.middleCols(from, count), sigma, M.middleCols(from, count));
    return {part.valuePtr(), part.valuePtr() + part.nonZeros()};
  }

  Team* team_;
  std::int64_t object_;
  std::string name_ = "mumps";
  bool is_on_disk_ = false;
  std::unique_ptr<MumpsShare> share_;
  // first column of the entries of each process, and the end
  std::vector<Eigen::Index> parts_{0, 0};
};

}  // namespace

std::unique_ptr<Factorisation> make_mumps_factorisation(Team* team) {
  return std::make_unique<MumpsFactorisation>(team);
}

std::unique_ptr<Factorisation> make_mumps_factorisation() {
  return make_mumps_factorisation(nullptr);
}

}  // namespace femflex::modal

#else

namespace femflex::modal {
std::unique_ptr<Factorisation> make_mumps_factorisation(Team* /*team*/) {
  return nullptr;
}
std::unique_ptr<Factorisation> make_mumps_factorisation() {
  return nullptr;
}
}  // namespace femflex::modal

#endif

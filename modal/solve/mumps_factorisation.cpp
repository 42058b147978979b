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

#include "femflex/parallel.h"

#include "solve/spread_basis.h"

// Defined only if MPI is linked: a factorisation by one process is then one of several
// communicators.
extern "C" int femflex_lone_communicator() __attribute__((weak));

namespace femflex::modal {
namespace {

// communicator of this process alone; the sequential MUMPS knows but this one
constexpr int kUseCommWorld = -987654;  // from the MUMPS manual
constexpr int kMostAttempts = 6;        // the last one with 32 times the first reserve

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

struct ColumnRange {
  Eigen::Index first, count;
};

/// Values of K - sigma M in a range of columns, if all entries of M are in the pattern of K.
std::vector<double> shifted_values(
    const SparseMatrix& K, double sigma, const SparseMatrix& M, ColumnRange columns, int threads) {
  const auto* k_start = K.outerIndexPtr();
  const auto* m_start = M.outerIndexPtr();
  const auto from = k_start[columns.first];
  std::vector<double> out(K.valuePtr() + from,
                          K.valuePtr() + k_start[columns.first + columns.count]);
  if (sigma == 0.0) return out;
  constexpr Eigen::Index kPiece = 4096;  // columns given to a thread at a time
  const auto pieces = static_cast<int>((columns.count + kPiece - 1) / kPiece);
  run_parallel(threads, pieces, [&](int piece) {
    const Eigen::Index begin = columns.first + piece * kPiece;
    const Eigen::Index end = std::min(begin + kPiece, columns.first + columns.count);
    for (Eigen::Index col = begin; col < end; ++col) {
      auto k = k_start[col];
      for (auto m = m_start[col]; m < m_start[col + 1]; ++m) {
        while (k < k_start[col + 1] && K.innerIndexPtr()[k] != M.innerIndexPtr()[m])
          ++k;
        out[static_cast<std::size_t>(k - from)] -= sigma * M.valuePtr()[m];
      }
    }
  });
  return out;
}

/// The first column of the entries of each process, and the end: ranges with about as many entries
/// each, so that all prepare the matrix together.
std::vector<Eigen::Index> shares(const SparseMatrix& lower, int processes) {
  std::vector<Eigen::Index> first{0};
  const auto* start = lower.outerIndexPtr();
  const auto* end = start + lower.cols();
  for (int part = 1; part < processes; ++part) {
    const double wanted = static_cast<double>(lower.nonZeros()) * part / processes;
    const auto* at = std::lower_bound(start, end, wanted);
    first.push_back(std::max<Eigen::Index>(first.back(), at - start));
  }
  first.push_back(lower.cols());
  return first;
}

/// The elimination order with its runs of rows of one group, if there are groups.
MumpsOrder mumps_order(const std::vector<std::int32_t>& order,
                       const std::vector<std::int32_t>& group) {
  MumpsOrder out;
  out.place.resize(order.size());
  out.rows.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    const auto row = static_cast<std::size_t>(order[k]);
    out.place[row] = static_cast<int>(k) + 1;
    out.rows[k] = static_cast<int>(row) + 1;
    if (group.empty()) continue;
    if (k == 0 || group[row] != group[static_cast<std::size_t>(order[k - 1])])
      out.blocks.push_back(static_cast<int>(k) + 1);
  }
  if (!out.blocks.empty()) out.blocks.push_back(static_cast<int>(order.size()) + 1);
  return out;
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
               const std::vector<std::int32_t>& group) override {
    start();
    parts_ = shares(lower, size());
    entries_ = lower.nonZeros();
    tell({.what = TeamOrder::What::analyse, .rows = lower.rows()});
    for (int rank = 1; rank < size(); ++rank) {
      const MumpsEntries theirs = entries_of(lower, first(rank), first(rank + 1));
      team_->send(rank, theirs.rows);
      team_->send(rank, theirs.cols);
    }
    share_->analyse(lower.rows(),
                    entries_of(lower, 0, first(1)),
                    mumps_order(order, team_ == nullptr ? std::vector<std::int32_t>{} : group));
    share_->check("analysis");
  }

  double memory() const override { return kMemoryMargin * share_->memory(is_on_disk_); }

  bool fit(double bytes) override {
    is_on_disk_ = kMemoryMargin * share_->memory(false) > bytes;
    if (is_on_disk_) {
      MumpsShare::check_disk_folder();
      name_ += ", on disk";
    }
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
      if (!needs_more_workspace(share_->error())) break;
      order.reserve *= 2;  // more workspace than the analysis foresaw
    }
    share_->check("factorisation");
    learn_rows();
    return share_->inertia().zero == 0;
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    if (block.cols() == 0) return;
    if (size() == 1) {
      share_->solve(block);
      share_->check("solution");
      return;
    }
    for (Eigen::Index at = 0; at < block.cols(); at += kMumpsColumns)
      solve_spread(block.middleCols(at, std::min<Eigen::Index>(kMumpsColumns, block.cols() - at)));
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

  /// Asks every process for the rows whose unknowns it eliminates; the pivots decide that.
  void learn_rows() {
    if (size() == 1) return;
    tell({.what = TeamOrder::What::rows});
    rows_.assign(1, share_->learn_rows());
    share_->check("distribution of rows");
    for (int rank = 1; rank < size(); ++rank)
      rows_.push_back(team_->receive(rank));
  }

  /// Gives every process the rows of the right-hand sides that it eliminates, and takes their
  /// solutions, in one message each way: MUMPS itself packs them number by number.
  void solve_spread(const Eigen::Ref<Eigen::MatrixXd>& block) const {
    tell({.what = TeamOrder::What::solve, .columns = block.cols()});
    Eigen::MatrixXd part;
    for (int rank = 1; rank < size(); ++rank) {
      take_rows(block, rank, part);
      team_->send_block(rank, part);
    }
    take_rows(block, 0, share_->right_sides());
    share_->solve_rows();
    share_->check("solution");
    put_rows(share_->solutions(), 0, block);
    for (int rank = 1; rank < size(); ++rank) {
      part.resize(static_cast<Eigen::Index>(rows_of(rank).size()), block.cols());
      team_->receive_block(rank, part);
      put_rows(part, rank, block);
    }
  }

  const std::vector<int>& rows_of(int rank) const { return rows_[static_cast<std::size_t>(rank)]; }

  void take_rows(const Eigen::Ref<const Eigen::MatrixXd>& block,
                 int rank,
                 Eigen::MatrixXd& part) const {
    const std::vector<int>& rows = rows_of(rank);
    part.resize(static_cast<Eigen::Index>(rows.size()), block.cols());
    run_parallel(threads(), static_cast<int>(block.cols()), [&](int c) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        part(static_cast<Eigen::Index>(k), c) = block(rows[k] - 1, c);
    });
  }

  void put_rows(const Eigen::MatrixXd& part, int rank, Eigen::Ref<Eigen::MatrixXd> block) const {
    const std::vector<int>& rows = rows_of(rank);
    run_parallel(threads(), static_cast<int>(block.cols()), [&](int c) {
      for (std::size_t k = 0; k < rows.size(); ++k)
        block(rows[k] - 1, c) = part(static_cast<Eigen::Index>(k), c);
    });
  }

  /// Values of K - sigma M in the columns of a process; only these are combined, so that the whole
  /// matrix never stands beside K and M.
  std::vector<double> values_of(int rank,
                                const SparseMatrix& K,
                                double sigma,
                                const SparseMatrix& M) const {
    const Eigen::Index from = first(rank);
    const Eigen::Index count = first(rank + 1) - from;
    // the pattern analysed is that of both, so that K has all of M if it has as many entries
    if (K.nonZeros() == entries_) return shifted_values(K, sigma, M, {from, count}, threads());
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
  Eigen::Index entries_ = 0;            // of the pattern that was analysed
  std::vector<std::vector<int>> rows_;  // that each process eliminates, from 1
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

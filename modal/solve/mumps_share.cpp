// Calls MUMPS for the share of one process. MUMPS factors K - sigma M = L D L' with 2 x 2 pivots in
// D, so that it counts negative pivots exactly, also of an indefinite matrix. Sequential and
// parallel MUMPS have one interface; each program chooses by the library it links.
#include "solve/mumps_share.h"

#if FEMFLEX_HAVE_MUMPS

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <dmumps_c.h>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "solve/zero_pivot.h"

namespace femflex::modal {
namespace {

// numbers of the MUMPS manual: jobs, and settings named by their ICNTL
constexpr int kInitialise = -1;
constexpr int kEnd = -2;
constexpr int kAnalyse = 1;
constexpr int kFactor = 2;
constexpr int kSolve = 3;
constexpr int kTellRows = 9;  // with ICNTL(20) = 10: rows that this process eliminates
constexpr int kSymmetricIndefinite = 2;
constexpr int kEntriesOnAllProcesses = 3;  // ICNTL(18)
constexpr int kRightSidesByRows = 10;      // ICNTL(20)
constexpr int kSolutionsByRows = 1;        // ICNTL(21)
// errors, INFOG(1)
constexpr int kOutOfMemory = -13;
constexpr int kFileFailed = -90;   // of the factor, written or read
constexpr double kMegabyte = 1e6;  // [byte] unit of the estimates
constexpr std::int64_t kMillion = 1'000'000;

/// The folder of factors on disk.
std::string disk_folder() {
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

}  // namespace

struct MumpsShare::Impl {
  DMUMPS_STRUC_C id{};
};

MumpsShare::MumpsShare(int communicator, bool is_spread)
    : impl_(std::make_unique<Impl>()), is_spread_(is_spread) {
  DMUMPS_STRUC_C& id = impl_->id;
  id.par = 1;  // the leader holds a part of the factor as well
  id.sym = kSymmetricIndefinite;
  id.comm_fortran = communicator;
  call(kInitialise);
  for (const int stream : {1, 2, 3})
    icntl(stream) = -1;  // silent
  icntl(4) = 0;
}

MumpsShare::~MumpsShare() {
  call(kEnd);
}

int& MumpsShare::icntl(int k) {
  return impl_->id.icntl[k - 1];
}

void MumpsShare::call(int job) {
  impl_->id.job = job;
  dmumps_c(&impl_->id);
}

void MumpsShare::analyse(std::int64_t rows, MumpsEntries entries, MumpsOrder order) {
  DMUMPS_STRUC_C& id = impl_->id;
  entries_ = std::move(entries);
  order_ = std::move(order);
  id.n = static_cast<int>(rows);
  const auto count = static_cast<std::int64_t>(entries_.rows.size());
  if (is_spread_) {
    id.nnz_loc = count;
    id.irn_loc = entries_.rows.data();
    id.jcn_loc = entries_.cols.data();
    icntl(18) = kEntriesOnAllProcesses;
  } else {
    id.nnz = count;
    id.irn = entries_.rows.data();
    id.jcn = entries_.cols.data();
  }
  if (!order_.place.empty()) id.perm_in = order_.place.data();
  if (!order_.blocks.empty()) {
    // The symbolic factorisation goes through the graph of the blocks, which has a ninth of the
    // entries if each node has three rows.
    icntl(15) = 1;
    id.nblk = static_cast<int>(order_.blocks.size()) - 1;
    id.blkptr = order_.blocks.data();
    id.blkvar = order_.rows.data();
  }
  icntl(7) = 1;   // use the elimination order in perm_in
  icntl(6) = 0;   // no column permutation
  icntl(12) = 1;  // no compressed ordering of 2 x 2 pivots: it would replace ours
  icntl(28) = 1;  // sequential analysis
  // No ScaLAPACK for the last front, which would not count negative pivots. The analysis decides
  // that, so it must know.
  icntl(13) = 1;
  icntl(14) = kMumpsReserve;  // a part of the memory foreseen
  call(kAnalyse);
}

void MumpsShare::factor(std::vector<double> values, const TeamOrder& order) {
  DMUMPS_STRUC_C& id = impl_->id;
  (is_spread_ ? id.a_loc : id.a) = values.data();
  icntl(14) = static_cast<int>(order.reserve);
  icntl(22) = order.is_on_disk ? 1 : 0;
  if (order.is_on_disk)
    std::strncpy(id.ooc_tmpdir, disk_folder().c_str(), sizeof id.ooc_tmpdir - 1);
  icntl(24) = 1;            // continue at a zero pivot and count it
  id.cntl[2] = kZeroPivot;  // times the norm of the scaled matrix
  call(kFactor);
}

void MumpsShare::solve(Eigen::Ref<Eigen::MatrixXd> block) {
  DMUMPS_STRUC_C& id = impl_->id;
  id.rhs = block.data();
  id.nrhs = static_cast<int>(block.cols());
  id.lrhs = static_cast<int>(block.outerStride());
  icntl(27) = kMumpsColumns;
  call(kSolve);
}

const std::vector<int>& MumpsShare::learn_rows() {
  DMUMPS_STRUC_C& id = impl_->id;
  const int count = id.info[22];                                  // INFO(23)
  rows_.assign(static_cast<std::size_t>(std::max(count, 1)), 0);  // never null, for MUMPS
  id.nloc_rhs = count;
  id.lrhs_loc = std::max(1, count);  // the length of irhs_loc
  id.irhs_loc = rows_.data();
  icntl(20) = kRightSidesByRows;
  call(kTellRows);
  rows_.resize(static_cast<std::size_t>(count));
  right_sides_.resize(count, 0);
  return rows_;
}

void MumpsShare::solve_rows() {
  DMUMPS_STRUC_C& id = impl_->id;
  solutions_.resize(right_sides_.rows(), right_sides_.cols());
  double nothing = 0.0;
  id.nrhs = static_cast<int>(right_sides_.cols());
  id.nloc_rhs = static_cast<int>(right_sides_.rows());
  id.lrhs_loc = id.lsol_loc = std::max(1, id.nloc_rhs);
  id.irhs_loc = id.isol_loc = rows_.data();  // of a symmetric matrix both are the same
  id.rhs_loc = right_sides_.size() > 0 ? right_sides_.data() : &nothing;
  id.sol_loc = right_sides_.size() > 0 ? solutions_.data() : &nothing;
  icntl(20) = kRightSidesByRows;
  icntl(21) = kSolutionsByRows;
  icntl(27) = kMumpsColumns;
  call(kSolve);
}

int MumpsShare::error() const {
  return impl_->id.infog[0];
}

int MumpsShare::error_detail() const {
  return impl_->id.infog[1];
}

void MumpsShare::check_disk_folder() {
  constexpr std::size_t kMost = sizeof(DMUMPS_STRUC_C::ooc_tmpdir) - 1;
  const std::string folder = disk_folder();
  if (folder.size() > kMost)
    throw UsageError(
        "temporary-folder",
        fmt::format(
            "the folder of TMPDIR has {} letters; a factor on disk takes {}", folder.size(), kMost),
        {folder},
        "name a folder with a shorter path by TMPDIR");
}

void MumpsShare::check(const char* phase) const {
  if (error() >= 0) return;
  if (error() == kFileFailed)
    throw NumericalError(
        "mumps",
        fmt::format("MUMPS {} cannot write or read the factor on disk, INFOG(2) = {}: the folder "
                    "cannot be written, or the disk is full or fails",
                    phase,
                    error_detail()),
        {disk_folder()},
        "make room there, or name another folder by TMPDIR");
  throw NumericalError(
      "mumps",
      fmt::format(
          "MUMPS {} ended with INFOG(1) = {}, INFOG(2) = {}", phase, error(), error_detail()),
      {},
      error() == kOutOfMemory || needs_more_workspace(error())
          ? "too little memory: a smaller model or another machine"
          : "try another back end");
}

Inertia MumpsShare::inertia() const {
  return {impl_->id.infog[11], impl_->id.infog[27]};
}

std::int64_t MumpsShare::factor_entries() const {
  // negative: in millions, as the manual says of INFOG(9)
  const int count = impl_->id.infog[8];
  return count >= 0 ? count : -kMillion * count;
}

double MumpsShare::memory(bool is_on_disk) const {
  return kMegabyte * impl_->id.infog[is_on_disk ? 25 : 15];  // INFOG(26), INFOG(16)
}

double MumpsShare::flops() const {
  return impl_->id.rinfog[2];
}

}  // namespace femflex::modal

#endif

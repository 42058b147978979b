// Calls MUMPS for the share of one process. D has 2 x 2 pivots, so that the count of negative
// pivots is exact even if K - sigma M is indefinite. The library is the sequential or the parallel
// one: both have the same interface, and the program that is linked decides.
#include "solve/mumps_share.h"

#if FEMFLEX_HAVE_MUMPS

#include <cstdlib>
#include <cstring>
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
constexpr int kSymmetricIndefinite = 2;
constexpr int kEntriesOnAllProcesses = 3;  // ICNTL(18)
// number of columns that a sweep over the factor solves for [MUMPS manual, ICNTL(27)]
constexpr int kColumnsPerSweep = 32;
constexpr int kOutOfMemory = -13;
constexpr double kMegabyte = 1e6;  // [byte] unit of the estimates
constexpr std::int64_t kMillion = 1'000'000;

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

void MumpsShare::analyse(std::int64_t rows, MumpsEntries entries, std::vector<int> place) {
  DMUMPS_STRUC_C& id = impl_->id;
  entries_ = std::move(entries);
  place_ = std::move(place);
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
  if (!place_.empty()) id.perm_in = place_.data();
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
  if (order.is_on_disk) {
    const char* folder = std::getenv("TMPDIR");
    std::strncpy(id.ooc_tmpdir, folder == nullptr ? "/tmp" : folder, sizeof id.ooc_tmpdir - 1);
  }
  icntl(24) = 1;            // continue at a zero pivot and count it
  id.cntl[2] = kZeroPivot;  // of the matrix that MUMPS has scaled
  call(kFactor);
}

void MumpsShare::solve(double* block, std::int64_t columns, std::int64_t stride) {
  DMUMPS_STRUC_C& id = impl_->id;
  id.rhs = block;
  id.nrhs = static_cast<int>(columns);
  id.lrhs = static_cast<int>(stride);
  icntl(27) = kColumnsPerSweep;
  call(kSolve);
}

int MumpsShare::error() const {
  return impl_->id.infog[0];
}

int MumpsShare::error_detail() const {
  return impl_->id.infog[1];
}

void MumpsShare::check(const char* phase) const {
  if (error() >= 0) return;
  throw NumericalError(
      "mumps",
      fmt::format(
          "MUMPS {} ended with INFOG(1) = {}, INFOG(2) = {}", phase, error(), error_detail()),
      {},
      error() == kOutOfMemory ? "too little memory: a smaller model or another machine"
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

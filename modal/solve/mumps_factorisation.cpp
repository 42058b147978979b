// Back end `mumps`: factors sparse symmetric matrices as L D L' by sequential MUMPS. D has 2 x 2
// pivots, so that the count of negative pivots is exact even if K - sigma M is indefinite.
#include "solve/factorisation.h"

#if FEMFLEX_HAVE_MUMPS

#include <algorithm>
#include <vector>

#include <dmumps_c.h>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "solve/zero_pivot.h"

namespace femflex::modal {
namespace {

constexpr int kUseCommWorld = -987654;  // from the MUMPS manual
constexpr int kReserve = 30;            // [per cent] workspace beyond what the analysis foresees

class MumpsFactorisation : public Factorisation {
 public:
  MumpsFactorisation() {
    id_.par = 1;
    id_.sym = 2;
    id_.comm_fortran = kUseCommWorld;
    call(-1);
    for (const int stream : {1, 2, 3, 4})
      icntl(stream) = stream == 4 ? 0 : -1;  // silent
  }
  MumpsFactorisation(const MumpsFactorisation&) = delete;
  MumpsFactorisation& operator=(const MumpsFactorisation&) = delete;
  MumpsFactorisation(MumpsFactorisation&&) = delete;
  MumpsFactorisation& operator=(MumpsFactorisation&&) = delete;
  ~MumpsFactorisation() override { call(-2); }

  std::string_view name() const override { return "mumps"; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& /*group*/) override {
    const std::size_t n = order.size();
    place_.resize(n);
    for (std::size_t k = 0; k < n; ++k)
      place_[static_cast<std::size_t>(order[k])] = static_cast<int>(k + 1);
    take(lower);
    id_.perm_in = place_.data();
    icntl(7) = 1;   // use the elimination order in perm_in
    icntl(6) = 0;   // no column permutation
    icntl(12) = 1;  // no compressed ordering of 2 x 2 pivots: it would replace ours
    icntl(28) = 1;  // sequential analysis
    icntl(14) = kReserve;
    call(1);
    check("analysis");
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    take(combined(K, sigma, M));
    constexpr int kMostAttempts = 6;  // the last one with 32 times the first reserve
    icntl(24) = 1;                    // continue at a zero pivot and count it
    id_.cntl[2] = kZeroPivot;         // of the matrix that MUMPS has scaled
    icntl(13) = 1;                    // no ScaLAPACK root
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      call(2);
      if (id_.infog[0] != -8 && id_.infog[0] != -9) break;
      icntl(14) = 2 * icntl(14);  // more workspace than the analysis foresaw
    }
    check("factorisation");
    return id_.infog[27] == 0;
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    if (block.cols() == 0) return;
    id_.rhs = block.data();
    id_.nrhs = static_cast<int>(block.cols());
    id_.lrhs = static_cast<int>(block.outerStride());
    icntl(27) = 32;  // number of columns solved for at a time
    call(3);
    check("solution");
  }

  Inertia inertia() const override { return {id_.infog[11], id_.infog[27]}; }
  std::int64_t entries() const override {
    // negative: in millions, as the manual says of INFOG(9)
    return id_.infog[8] >= 0 ? id_.infog[8] : -1'000'000LL * id_.infog[8];
  }
  double flops() const override { return id_.rinfog[2]; }

 private:
  int& icntl(int k) const { return id_.icntl[k - 1]; }
  void call(int job) const {
    id_.job = job;
    dmumps_c(&id_);
  }
  void check(const char* phase) const {
    if (id_.infog[0] >= 0) return;
    throw NumericalError(
        "mumps",
        fmt::format(
            "MUMPS {} ended with INFOG(1) = {}, INFOG(2) = {}", phase, id_.infog[0], id_.infog[1]),
        {},
        id_.infog[0] == -13 ? "too little memory: a smaller model or another machine"
                            : "try another back end");
  }
  void take(const SparseMatrix& lower) {
    const auto count = static_cast<std::size_t>(lower.nonZeros());
    rows_.resize(count);
    cols_.resize(count);
    std::size_t k = 0;
    for (Eigen::Index col = 0; col < lower.cols(); ++col)
      for (SparseMatrix::InnerIterator it(lower, col); it; ++it, ++k) {
        rows_[k] = static_cast<int>(it.row()) + 1;
        cols_[k] = static_cast<int>(col) + 1;
      }
    values_.assign(lower.valuePtr(), lower.valuePtr() + count);
    id_.n = static_cast<int>(lower.rows());
    id_.nnz = static_cast<std::int64_t>(count);
    id_.irn = rows_.data();
    id_.jcn = cols_.data();
    id_.a = values_.data();
  }

  mutable DMUMPS_STRUC_C id_{};
  std::vector<int> place_, rows_, cols_;
  std::vector<double> values_;
};

}  // namespace

std::unique_ptr<Factorisation> make_mumps_factorisation() {
  return std::make_unique<MumpsFactorisation>();
}

}  // namespace femflex::modal

#else

namespace femflex::modal {
std::unique_ptr<Factorisation> make_mumps_factorisation() {
  return nullptr;
}
}  // namespace femflex::modal

#endif

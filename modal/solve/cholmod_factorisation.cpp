// Back end `cholmod`: factors sparse symmetric matrices by CHOLMOD's supernodal Cholesky method.
// Its licence is GPL-2+, so that it is built in only if enabled at configuration. A Cholesky
// factorisation cannot give the inertia of an indefinite matrix; such matrices go to MUMPS or
// Eigen.
#include "solve/factorisation.h"

#if FEMFLEX_HAVE_CHOLMOD

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include <cholmod.h>

#include "femflex/errors.h"

namespace femflex::modal {
namespace {

class CholmodFactorisation : public Factorisation {
 public:
  CholmodFactorisation() {
    cholmod_l_start(&common_);
    common_.nmethods = 1;
    common_.method[0].ordering = CHOLMOD_GIVEN;
    common_.postorder = 1;
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
    common_.quick_return_if_not_posdef = 1;
  }
  CholmodFactorisation(const CholmodFactorisation&) = delete;
  CholmodFactorisation& operator=(const CholmodFactorisation&) = delete;
  CholmodFactorisation(CholmodFactorisation&&) = delete;
  CholmodFactorisation& operator=(CholmodFactorisation&&) = delete;
  ~CholmodFactorisation() override {
    cholmod_l_free_factor(&factor_, &common_);
    cholmod_l_finish(&common_);
  }

  std::string_view name() const override { return "cholmod"; }

  void analyse(const SparseMatrix& lower,
               const std::vector<std::int32_t>& order,
               const std::vector<std::int32_t>& /*group*/) override {
    order_ = order;
    order64_.assign(order.begin(), order.end());
    take(lower);
    cholmod_sparse a = view();
    cholmod_l_free_factor(&factor_, &common_);
    factor_ = cholmod_l_analyze_p(&a, order64_.data(), nullptr, 0, &common_);
    if (factor_ == nullptr) throw NumericalError("cholmod", "CHOLMOD could not analyse the matrix");
  }

  bool factor(const SparseMatrix& K, double sigma, const SparseMatrix& M) override {
    indefinite_.reset();
    const SparseMatrix lower = combined(K, sigma, M);
    take(lower);
    cholmod_sparse a = view();
    cholmod_l_factorize(&a, factor_, &common_);
    if (common_.status == CHOLMOD_OK) return true;
    if (common_.status != CHOLMOD_NOT_POSDEF)
      throw NumericalError("cholmod", "CHOLMOD ran out of memory or indices");
    indefinite_ = make_mumps_factorisation();
    if (!indefinite_) indefinite_ = make_eigen_factorisation();
    indefinite_->analyse(lower, order_, {});
    return indefinite_->factor(K, sigma, M);
  }

  void solve(Eigen::Ref<Eigen::MatrixXd> block) const override {
    if (indefinite_) {
      indefinite_->solve(block);
      return;
    }
    cholmod_dense b{};
    b.nrow = static_cast<std::size_t>(block.rows());
    b.ncol = static_cast<std::size_t>(block.cols());
    b.d = static_cast<std::size_t>(block.outerStride());
    b.nzmax = b.d * b.ncol;
    b.x = block.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    cholmod_dense* x = cholmod_l_solve(CHOLMOD_A, factor_, &b, &common_);
    if (x == nullptr) throw NumericalError("cholmod", "CHOLMOD could not solve");
    block = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>(
        static_cast<double*>(x->x),
        block.rows(),
        block.cols(),
        Eigen::OuterStride<>(static_cast<Eigen::Index>(x->d)));
    cholmod_l_free_dense(&x, &common_);
  }

  Inertia inertia() const override { return indefinite_ ? indefinite_->inertia() : Inertia{}; }
  std::int64_t entries() const override { return static_cast<std::int64_t>(common_.lnz); }
  double flops() const override { return common_.fl; }

 private:
  void take(const SparseMatrix& lower) {
    start_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.cols() + 1);
    rows_.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
    values_.assign(lower.valuePtr(), lower.valuePtr() + lower.nonZeros());
  }
  cholmod_sparse view() {
    cholmod_sparse a{};
    a.nrow = a.ncol = start_.size() - 1;
    a.nzmax = rows_.size();
    a.p = start_.data();
    a.i = rows_.data();
    a.x = values_.data();
    a.stype = -1;
    a.itype = CHOLMOD_LONG;
    a.xtype = CHOLMOD_REAL;
    a.dtype = CHOLMOD_DOUBLE;
    a.sorted = 1;
    a.packed = 1;
    return a;
  }

  mutable cholmod_common common_{};
  cholmod_factor* factor_ = nullptr;
  std::vector<std::int32_t> order_;
  std::vector<SuiteSparse_long> order64_, start_, rows_;
  std::vector<double> values_;
  std::unique_ptr<Factorisation> indefinite_;
};

}  // namespace

std::unique_ptr<Factorisation> make_cholmod_factorisation() {
  return std::make_unique<CholmodFactorisation>();
}

}  // namespace femflex::modal

#else

namespace femflex::modal {
std::unique_ptr<Factorisation> make_cholmod_factorisation() {
  return nullptr;
}
}  // namespace femflex::modal

#endif

// SparseFactor: factors sparse symmetric matrices by the supernodal back end, and analyses their
// pattern only if it differs from the last one.
#include "femflex/modal/sparse_factor.h"

#include <algorithm>

#include "solve/factorisation.h"
#include "solve/ordering.h"

namespace femflex::modal {

struct SparseFactor::Impl {
  std::unique_ptr<Factorisation> factorisation;
  std::vector<std::int32_t> outer, inner;  // the pattern that was analysed
};

SparseFactor::SparseFactor(int threads) : impl_(std::make_unique<Impl>()) {
  impl_->factorisation = make_supernodal_factorisation(threads);
}

SparseFactor::~SparseFactor() = default;

bool SparseFactor::factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group) {
  Impl& m = *impl_;
  const auto* outer = lower.outerIndexPtr();
  const auto* inner = lower.innerIndexPtr();
  if (!std::equal(m.outer.begin(), m.outer.end(), outer, outer + lower.outerSize() + 1) ||
      !std::equal(m.inner.begin(), m.inner.end(), inner, inner + lower.nonZeros())) {
    m.outer.assign(outer, outer + lower.outerSize() + 1);
    m.inner.assign(inner, inner + lower.nonZeros());
    m.factorisation->analyse(lower, fill_reducing_order(lower, group), group);
  }
  return m.factorisation->factor(lower, 0.0, lower);
}

std::int64_t SparseFactor::negative() const {
  return impl_->factorisation->inertia().negative;
}

Eigen::VectorXd SparseFactor::solve(const Eigen::VectorXd& right) const {
  Eigen::MatrixXd block = right;
  impl_->factorisation->solve(block);
  return block;
}

}  // namespace femflex::modal

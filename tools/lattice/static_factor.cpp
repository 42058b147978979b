// Adapts the supernodal factor of the modal stage to the statics of lattices.
#include "lattice/static_factor.h"

#include "femflex/modal/sparse_factor.h"

namespace femflex::tools {
namespace {

class ModalFactor final : public hamiltonian::SymmetricFactor {
 public:
  explicit ModalFactor(int threads) : factor_(threads) {}
  bool factor(const SparseMatrix& lower, const std::vector<std::int32_t>& group) override {
    return factor_.factor(lower, group);
  }
  std::int64_t negative() const override { return factor_.negative(); }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const override {
    return factor_.solve(right);
  }

 private:
  modal::SparseFactor factor_;
};

}  // namespace

std::function<std::unique_ptr<hamiltonian::SymmetricFactor>()> static_factors(int threads) {
  return [threads] { return std::make_unique<ModalFactor>(threads); };
}

}  // namespace femflex::tools

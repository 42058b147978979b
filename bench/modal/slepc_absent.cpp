// slepc_modes() for builds without SLEPc: returns nothing.
#include "slepc_modes.h"

namespace femflex::bench {

std::optional<Eigen::VectorXd> slepc_modes(const SparseMatrix& /*K*/,
                                           const SparseMatrix& /*M*/,
                                           int /*count*/,
                                           double /*tolerance*/) {
  return std::nullopt;
}

}  // namespace femflex::bench

// Scales modes to unit modal mass.
#include "femflex/modal/scale.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::modal {

Eigen::VectorXd mass_scale(const Eigen::MatrixXd& m) {
  Eigen::VectorXd alpha(m.rows());
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    if (!(m(i, i) > 0.0))
      throw NumericalError(
          "massless-mode",
          fmt::format("mode {} has modal mass {:.3e} and cannot be scaled", i + 1, m(i, i)),
          {},
          "leave the mode out, or do not scale");
    alpha(i) = 1.0 / std::sqrt(m(i, i));
  }
  return alpha;
}

}  // namespace femflex::modal

// Computes how many steps a wavefront can make in one pass over memory.
#include "kernels/wavefront.h"

#include <algorithm>
#include <utility>

namespace femflex::hamiltonian::tiles {

Wavefront::Wavefront(std::vector<std::int64_t> bounds, std::int64_t reach, std::int64_t chunk)
    : bounds_(std::move(bounds)), reach_(reach), chunk_(std::max<std::int64_t>(1, chunk)) {}

int Wavefront::steps(int wanted) const {
  if (bounds_.size() < 3 || reach_ == 0) return wanted;
  std::int64_t shortest = bounds_.back();
  for (std::size_t k = 0; k + 1 < bounds_.size(); ++k)
    shortest = std::min(shortest, bounds_[k + 1] - bounds_[k]);
  // the last step of a share between two seams is 2 (steps - 1) reach shorter than the first, and
  // the wedges at two seams must not meet
  return static_cast<int>(std::clamp<std::int64_t>(shortest / (2 * reach_), 1, wanted));
}

}  // namespace femflex::hamiltonian::tiles

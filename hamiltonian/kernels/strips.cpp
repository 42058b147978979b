// Chooses into how many strips the planes of a network are cut, and how many steps are made in one
// pass over memory, from the size of the caches.
#include "kernels/strips.h"

#include <cmath>

namespace femflex::hamiltonian::tiles {
namespace {

constexpr std::int64_t kMinWidth = 4;    // least width of a strip, in multiples of the reach
constexpr std::int64_t kStripBlock = 8;  // number of nodes of a block

std::int64_t blocks_in(std::int32_t nodes) {
  return (nodes + kStripBlock - 1) / kStripBlock;
}

}  // namespace

std::size_t Strips::max_workers(const Planes& planes) {
  const std::int64_t reach = std::max<std::int64_t>(1, blocks_in(planes.reach));
  return static_cast<std::size_t>(
      std::max<std::int64_t>(1, blocks_in(planes.nodes) / (kMinWidth * reach)));
}

// A block is fetched from memory once per pass, and once more per step if a border moves over it.
// With S steps, strips of W blocks and reach R that is 1/S + R/W fetches per step; the second term
// is weighted double, because borders also interrupt streaming. The caches hold W (S + depth)
// blocks.
Strips::Strips(const Planes& planes, double block_bytes, std::size_t workers)
    : planes_(planes.count),
      pitch_(planes.pitch / kStripBlock),
      blocks_(blocks_in(planes.nodes)),
      reach_(blocks_in(planes.reach)),
      workers_(static_cast<std::int64_t>(workers)) {
  const double held = kCacheBytes / block_bytes;  // number of blocks that the cache holds
  const auto reach = static_cast<double>(std::max<std::int64_t>(1, reach_));
  const auto steps = static_cast<std::int64_t>(std::sqrt(held / (2.0 * reach)));
  steps_ = static_cast<int>(std::clamp<std::int64_t>(steps, 1, kMaxStepsPerPass));
  const double width = held / static_cast<double>(steps_ + kDepth);
  const std::int64_t wanted = std::llround(static_cast<double>(blocks_) / width);
  // the same number of strips for each worker
  const auto most = static_cast<std::int64_t>(max_workers(planes)) / workers_;
  strips_ = workers_ * std::clamp<std::int64_t>(
                           (wanted + workers_ - 1) / workers_, 1, std::max<std::int64_t>(1, most));
  // the borders of the last step stay within the planes
  const std::int64_t narrowest = blocks_ / strips_;
  if (reach_ > 0 && strips_ > 1)
    steps_ = static_cast<int>(std::clamp<std::int64_t>(2 * narrowest / reach_, 1, steps_));
  marks_ = std::make_unique<Mark[]>(static_cast<std::size_t>(strips_));
}

}  // namespace femflex::hamiltonian::tiles

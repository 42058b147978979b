// Strips: runs several steps through planes of blocks in one pass over memory, strip by strip.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "kernels/gate.h"
#include "kernels/planes.h"

namespace femflex::hamiltonian::tiles {

inline constexpr double kCacheBytes = 6e6;   ///< cache that the steps of a pass may use [bytes]
inline constexpr int kMaxStepsPerPass = 16;  ///< largest number of steps in one pass over memory

/// Several steps in one pass over memory, for planes of blocks. docs/theory/hamiltonian.md §8
///
/// Planes are cut into strips, narrow enough that one plane of a strip stays in the second-level
/// cache until the next one has read it. A strip takes all steps through all planes before the next
/// strip to its left does: step s runs one plane after step s - 1, and `reach` blocks to the right
/// of it, so that a strip depends only on those to its right. Workers process strips in turn, each
/// a little after its neighbour on the same planes. The results do not depend on the order of
/// computation, bit for bit.
class Strips {
 public:
  /// @param block_bytes  bytes that a step reads and writes per block
  Strips(const Planes& planes, double block_bytes, std::size_t workers);

  /// Largest number of workers for which the planes have strips.
  static std::size_t max_workers(const Planes& planes);
  /// Steps per pass.
  int steps() const { return steps_; }

  /// Runs the share of a worker in a pass; `run(step, first, last)` computes the blocks from
  /// `first` to before `last`. All workers must have finished the previous pass.
  template <typename Run>
  void run_share(std::size_t worker, std::int64_t pass, int steps, const Run& run) {
    const std::int64_t fronts = (planes_ + steps - 1 + kDepth - 1) / kDepth;
    // at least the number of all fronts in the passes before
    const std::int64_t before = pass * (planes_ + steps_);
    const auto mine = static_cast<std::int64_t>(worker);
    for (std::int64_t strip = strips_ - 1 - mine; strip >= 0; strip -= workers_) {
      for (std::int64_t front = 0; front < fronts; ++front) {
        if (strip + 1 < strips_) marks_[strip + 1].wait_for(before + front + 1);
        for (int s = 0; s < steps; ++s) {
          const std::int64_t low = cut(strip, s, steps);
          const std::int64_t high = cut(strip + 1, s, steps);
          const std::int64_t last = std::min(planes_, (front + 1) * kDepth - s);
          for (std::int64_t p = std::max<std::int64_t>(0, front * kDepth - s); p < last; ++p)
            run(s, p * pitch_ + low, p * pitch_ + high);
        }
        marks_[strip].reach(before + front + 1);
      }
    }
  }

 private:
  // number of planes that a step advances before the next step follows
  static constexpr std::int64_t kDepth = 2;

  /// Left border of a strip. Borders between two strips move right from step to step.
  std::int64_t cut(std::int64_t strip, int step, int steps) const {
    if (strip == 0 || strip == strips_) return strip == 0 ? 0 : blocks_;
    return blocks_ * strip / strips_ + step * reach_ - (steps - 1) * reach_ / 2;
  }

  // number of planes; pitch, size of a plane and reach in blocks
  std::int64_t planes_, pitch_, blocks_, reach_;
  std::int64_t workers_, strips_ = 1;
  int steps_ = 1;
  std::unique_ptr<Mark[]> marks_;  // number of finished fronts per strip
};

}  // namespace femflex::hamiltonian::tiles

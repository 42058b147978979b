// Wavefront: runs several steps of a row of units in one pass over memory, on several workers.
#pragma once

#include <cstdint>
#include <vector>

namespace femflex::hamiltonian::tiles {

/// Several steps in one pass over memory. docs/theory/hamiltonian.md §8
///
/// Units (blocks or tiles of nodes) form a row and depend only on units within `reach`, so that
/// step s may follow `reach` units after step s - 1 through the caches. Two arrays of positions are
/// enough, because step s overwrites only what step s - 1 has read. Each worker runs its own share,
/// which every step shortens by `reach` units at the seams (borders between shares); the wedges
/// that remain there are run step by step. The results do not depend on the order of computation,
/// bit for bit.
class Wavefront {
 public:
  /// @param bounds  first unit of each worker, and the end of the last share
  /// @param chunk   number of units that one step advances before the next step follows
  Wavefront(std::vector<std::int64_t> bounds, std::int64_t reach, std::int64_t chunk);

  /// Steps per pass: at most `wanted`, few enough that no share becomes empty.
  int steps(int wanted) const;

  /// Runs the share of a worker; `run(step, first, last)` computes the units from `first` to before
  /// `last`.
  template <typename Run>
  void run_share(std::size_t worker, int steps, const Run& run) const {
    std::vector<std::int64_t> done(static_cast<std::size_t>(steps));
    for (int s = 0; s < steps; ++s)
      done[static_cast<std::size_t>(s)] = first_of(worker, s);
    while (done.back() < last_of(worker, steps - 1)) {
      for (int s = 0; s < steps; ++s) {
        auto& here = done[static_cast<std::size_t>(s)];
        const std::int64_t end = last_of(worker, s);
        std::int64_t to = here + chunk_;
        if (s > 0) {
          const std::int64_t before = done[static_cast<std::size_t>(s) - 1];
          to = before == last_of(worker, s - 1) ? end : before - reach_;
        }
        to = to < end ? to : end;
        if (to <= here) continue;
        run(s, here, to);
        here = to;
      }
    }
  }

  /// Runs a worker's part of the wedges in step `step` (from 1); all workers must have finished the
  /// previous step.
  template <typename Run>
  void run_seams(std::size_t worker, int step, const Run& run) const {
    const auto workers = static_cast<std::int64_t>(bounds_.size()) - 1;
    const auto mine = static_cast<std::int64_t>(worker);
    const std::int64_t width = 2 * step * reach_;
    for (std::size_t seam = 1; seam + 1 < bounds_.size(); ++seam) {
      const std::int64_t low = bounds_[seam] - step * reach_;
      const std::int64_t first = low + width * mine / workers;
      const std::int64_t last = low + width * (mine + 1) / workers;
      if (first < last) run(step, first, last);
    }
  }

 private:
  std::int64_t first_of(std::size_t worker, int step) const {
    return bounds_[worker] + (worker == 0 ? 0 : step * reach_);
  }
  std::int64_t last_of(std::size_t worker, int step) const {
    return bounds_[worker + 1] - (worker + 2 == bounds_.size() ? 0 : step * reach_);
  }

  std::vector<std::int64_t> bounds_;
  std::int64_t reach_, chunk_;
};

}  // namespace femflex::hamiltonian::tiles

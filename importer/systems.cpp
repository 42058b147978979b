// Resolves coordinate systems that refer to other systems or to grids, recursively, and transforms
// grid points to basic (docs/theory/import.md).
#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "femflex/importer/statistics.h"

namespace femflex::importer {
namespace {

/// Maximum nesting depth: systems refer to other systems, and to grids that are given in other
/// systems. The limit protects the stack of recursive calls.
constexpr int kMaxNesting = 500;

/// Expresses the coordinate systems of one file in basic; each is computed once.
class SystemResolver {
 public:
  explicit SystemResolver(const FileContents& contents) {
    for (const RawSystem& system : contents.systems)
      systems_.try_emplace(system.id, &system);
    const bool by_grids = std::any_of(contents.systems.begin(),
                                      contents.systems.end(),
                                      [](const RawSystem& s) { return s.grids[0] != 0; });
    if (by_grids)
      for (const RawGrid& grid : contents.grids)
        grids_.try_emplace(grid.id, &grid);
  }

  /// The system `id` in basic; null if it cannot be resolved, and take_error() says why.
  const CoordinateSystem* system(std::int64_t id, int depth = 0) {
    if (const auto done = done_.find(id); done != done_.end())
      return done->second ? &*done->second : nullptr;
    if (id == 0) return &*done_.emplace(0, CoordinateSystem{}).first->second;
    const auto it = systems_.find(id);
    if (it == systems_.end()) return refuse(id, "is not in the file");
    if (depth > kMaxNesting) return refuse(id, "has too many nested references");
    done_.emplace(id, std::nullopt);  // a system met again while unresolved is part of a cycle
    std::optional<CoordinateSystem> resolved = make(*it->second, depth);
    if (!resolved && error_.empty())
      error_ = fmt::format("coordinate system {} is defined in terms of itself", id);
    std::optional<CoordinateSystem>& slot = done_[id];
    slot = std::move(resolved);
    return slot ? &*slot : nullptr;
  }

  std::string take_error() { return std::exchange(error_, {}); }

 private:
  const CoordinateSystem* refuse(std::int64_t id, const char* reason) {
    error_ = fmt::format("coordinate system {} {}", id, reason);
    done_.emplace(id, std::nullopt);
    return nullptr;
  }

  /// Computes origin and axes in basic; empty with error_ set if that is impossible.
  std::optional<CoordinateSystem> make(const RawSystem& raw, int depth) {
    if (raw.resolved) return raw.resolved;
    std::array<Eigen::Vector3d, 3> p;
    for (std::size_t k = 0; k < 3; ++k) {
      std::int64_t reference = raw.reference;
      std::array<double, 3> x = raw.points[k];
      if (raw.grids[0] != 0) {
        const auto grid = grids_.find(raw.grids[k]);
        if (grid == grids_.end()) {
          error_ = fmt::format(
              "coordinate system {} names grid {}, which is not in the file", raw.id, raw.grids[k]);
          return std::nullopt;
        }
        reference = grid->second->position_system;
        x = grid->second->x;
      }
      const CoordinateSystem* base = system(reference, depth + 1);
      if (base == nullptr) return std::nullopt;
      p[k] = base->to_basic({x[0], x[1], x[2]});
    }
    // A is the origin, B lies on the third axis, C in the half plane of the first and third axes
    CoordinateSystem out;
    out.id = raw.id;
    out.kind = raw.kind;
    out.origin = p[0];
    const Eigen::Vector3d z = p[1] - p[0];
    const Eigen::Vector3d c = p[2] - p[0];
    const Eigen::Vector3d y = z.cross(c);
    constexpr double kMinSine = 1e-12;  // sine of an angle that is round-off
    if (!(y.norm() > kMinSine * z.norm() * c.norm())) {
      error_ = fmt::format("the three points of coordinate system {} lie on one line", raw.id);
      return std::nullopt;
    }
    out.axes.col(2) = z.normalized();
    out.axes.col(1) = y.normalized();
    out.axes.col(0) = out.axes.col(1).cross(out.axes.col(2));
    return out;
  }

  std::unordered_map<std::int64_t, const RawSystem*> systems_;
  std::unordered_map<std::int64_t, const RawGrid*> grids_;
  std::unordered_map<std::int64_t, std::optional<CoordinateSystem>> done_;
  std::string error_;
};

}  // namespace

std::vector<CoordinateSystem> resolve_systems(const FileContents& contents,
                                              Diagnostics& diagnostics) {
  SystemResolver resolver(contents);
  std::vector<CoordinateSystem> out;
  for (const RawSystem& raw : contents.systems) {
    const CoordinateSystem* system = resolver.system(raw.id);
    if (system != nullptr)
      out.push_back(*system);
    else
      diagnostics.warn("coordinate-system", resolver.take_error(), {contents.path});
  }
  std::stable_sort(
      out.begin(), out.end(), [](const CoordinateSystem& a, const CoordinateSystem& b) {
        return a.id < b.id;
      });
  const auto same = [](const CoordinateSystem& a, const CoordinateSystem& b) {
    return a.id == b.id;
  };
  out.erase(std::unique(out.begin(), out.end(), same), out.end());
  return out;
}

std::vector<Eigen::Vector3d> basic_positions(const FileContents& contents,
                                             const std::vector<CoordinateSystem>& systems,
                                             Diagnostics& diagnostics) {
  std::vector<Eigen::Vector3d> out;
  out.reserve(contents.grids.size());
  std::int64_t unresolved = 0;
  std::int64_t first_unresolved = 0;
  for (const RawGrid& grid : contents.grids) {
    const Eigen::Vector3d x(grid.x[0], grid.x[1], grid.x[2]);
    if (grid.position_system == 0) {
      out.push_back(x);
      continue;
    }
    const auto it =
        std::lower_bound(systems.begin(),
                         systems.end(),
                         grid.position_system,
                         [](const CoordinateSystem& s, std::int64_t id) { return s.id < id; });
    if (it == systems.end() || it->id != grid.position_system) {
      if (unresolved++ == 0) first_unresolved = grid.id;
      out.push_back(x);
      continue;
    }
    out.push_back(it->to_basic(x));
  }
  if (unresolved > 0)
    diagnostics.warn("position-system",
                     fmt::format("{} grid points (the first is {}) refer to unknown coordinate "
                                 "systems: their coordinates are read as basic",
                                 unresolved,
                                 first_unresolved),
                     {contents.path});
  return out;
}

}  // namespace femflex::importer

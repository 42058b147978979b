// Implements Road: the sum of its layers, and the friction of its patches.
#include "femflex/roads/road.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::roads {
namespace {

void require_friction(double friction) {
  if (!(friction >= 0.0) || !std::isfinite(friction))
    throw ModelError("road-friction",
                     fmt::format("road: friction {}; a number of 0 or more is needed", friction));
}

}  // namespace

Road::Road(std::vector<Layer> layers, double friction, const std::vector<FrictionPatch>& patches)
    : layers_(std::move(layers)), friction_(friction) {
  require_friction(friction);
  std::size_t lines = 0;
  for (const Layer& layer : layers_)
    lines += std::holds_alternative<CrgRoad>(layer) ? 1 : 0;
  if (lines > 1)
    throw ModelError("road-layers",
                     fmt::format("road: {} OpenCRG layers; one is possible", lines),
                     {},
                     "add the heights of the files in one file");
  for (const FrictionPatch& patch : patches) {
    require_friction(patch.friction);
    if (!(patch.length > 0.0) || !(patch.width > 0.0))
      throw ModelError("road-size",
                       fmt::format("road: friction patch of {} m x {} m; both must be above 0",
                                   patch.length,
                                   patch.width));
    patches_.push_back({LocalAxes(patch.at), patch.length, 0.5 * patch.width, patch.friction});
  }
}

std::vector<FrictionPatch> Road::patches() const {
  std::vector<FrictionPatch> out;
  for (const Patch& patch : patches_)
    out.push_back({patch.axes.placement(), patch.length, 2.0 * patch.half_width, patch.friction});
  return out;
}

RoadPoint Road::at(double x, double y, RoadCursor& cursor) const {
  RoadPoint sum;
  for (const Layer& layer : layers_) {
    const Elevation add = std::visit(
        [&](const auto& surface) {
          if constexpr (std::is_same_v<std::decay_t<decltype(surface)>, CrgRoad>)
            return surface.at(x, y, cursor);
          else
            return surface.at(x, y);
        },
        layer);
    sum.elevation.height += add.height;
    sum.elevation.slope_x += add.slope_x;
    sum.elevation.slope_y += add.slope_y;
  }
  sum.friction = friction(x, y);
  return sum;
}

bool Road::covers(double x, double y) const {
  return std::all_of(layers_.begin(), layers_.end(), [&](const Layer& layer) {
    if (const auto* tracks = std::get_if<Tracks>(&layer)) return tracks->covers(x);
    if (const auto* grid = std::get_if<Grid>(&layer)) return grid->covers(x, y);
    if (const auto* crg = std::get_if<CrgRoad>(&layer)) return crg->covers(x, y);
    return true;
  });
}

double Road::height(double x, double y) const {
  RoadCursor cursor;
  return at(x, y, cursor).elevation.height;
}

Eigen::Vector3d Road::normal(double x, double y) const {
  RoadCursor cursor;
  return at(x, y, cursor).normal();
}

double Road::friction(double x, double y) const {
  double out = friction_;
  for (const Patch& patch : patches_) {
    const double a = patch.axes.along(x, y);
    if (a >= 0.0 && a <= patch.length && std::abs(patch.axes.across(x, y)) <= patch.half_width)
      out = patch.friction;
  }
  return out;
}

}  // namespace femflex::roads

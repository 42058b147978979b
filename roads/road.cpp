// Implements Road: the sum of its layers, and the friction of its patches.
#include "femflex/roads/road.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::roads {
namespace {

void require_friction(double friction) {
  if (!(friction >= 0.0) || !std::isfinite(friction))
    throw ModelError("road-friction",
                     fmt::format("road: friction {}; a number of 0 or more is needed", friction));
}

/// Collects the places s at which a coordinate first + s rate has given values.
class EdgeList {
 public:
  EdgeList(const RoadLine& line, std::span<double> out) : line_(line), out_(out) {}

  std::size_t count() const { return count_; }
  bool is_full() const { return count_ == out_.size(); }

  void add(double value, double first, double rate) {
    const double s = (value - first) / rate;  // not finite if the line runs along the edge
    if (std::abs(s) < line_.reach && !is_full()) out_[count_++] = s;
  }

  void add_shape(const LocalAxes& axes,
                 std::span<const double> along,
                 std::span<const double> across) {
    const double a = axes.along(line_.x, line_.y), c = axes.across(line_.x, line_.y);
    const double x = line_.x + line_.forward_x, y = line_.y + line_.forward_y;
    for (const double value : along)
      add(value, a, axes.along(x, y) - a);
    for (const double value : across)
      add(value, c, axes.across(x, y) - c);
  }

  /// The points k of ascending x that the line crosses and that `is_top` accepts.
  template <class IsTop>
  void add_points(const std::vector<double>& x, double first, double rate, const IsTop& is_top) {
    const double half = std::abs(rate) * line_.reach;
    const auto begin = std::lower_bound(x.begin(), x.end(), first - half);
    for (auto at = begin; at != x.end() && *at <= first + half && !is_full(); ++at)
      if (is_top(static_cast<std::size_t>(at - x.begin()))) add(*at, first, rate);
  }

 private:
  RoadLine line_;
  std::span<double> out_;
  std::size_t count_ = 0;
};

/// Whether the slope of a profile falls at point k, or at an end, where heights are held.
bool is_top(const laws::Curve& curve, std::size_t k) {
  const std::vector<double>&x = curve.x(), &z = curve.y();
  const double before = k > 0 ? (z[k] - z[k - 1]) / (x[k] - x[k - 1]) : 0.0;
  const double after = k + 1 < x.size() ? (z[k + 1] - z[k]) / (x[k + 1] - x[k]) : 0.0;
  return after < before;
}

void add_edges(const Bump& bump, EdgeList& list) {
  const Bump::Size& size = bump.size();
  const double half = 0.5 * size.width;
  const std::array<double, 4> along = {-size.ramp, 0.0, size.length, size.length + size.ramp};
  const std::array<double, 4> across = {-half - size.ramp, -half, half, half + size.ramp};
  list.add_shape(bump.axes(), along, across);
}

void add_edges(const Wave& wave, EdgeList& list) {
  const std::array<double, 2> ends = {0.0, wave.shape().length};
  list.add_shape(wave.axes(), ends, {});
}

void add_edges(const RoadLine& line, const Tracks& tracks, EdgeList& list) {
  for (const laws::Curve* curve : {&tracks.left(), &tracks.right()}) {
    list.add_points(
        curve->x(), line.x, line.forward_x, [&](std::size_t k) { return is_top(*curve, k); });
    if (tracks.track() == 0.0) return;
  }
  for (const double y : {-0.5 * tracks.track(), 0.5 * tracks.track()})
    list.add(y, line.y, line.forward_y);
}

void add_edges(const RoadLine& line, const Grid& grid, EdgeList& list) {
  const auto any = [](std::size_t) { return true; };
  list.add_points(grid.x(), line.x, line.forward_x, any);
  list.add_points(grid.y(), line.y, line.forward_y, any);
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

std::size_t Road::edges(const RoadLine& line, std::span<double> out) const {
  EdgeList list(line, out);
  for (const Layer& layer : layers_)
    std::visit(
        [&](const auto& surface) {
          using Surface = std::decay_t<decltype(surface)>;
          if constexpr (std::is_same_v<Surface, Bump> || std::is_same_v<Surface, Wave>)
            add_edges(surface, list);
          else if constexpr (std::is_same_v<Surface, Tracks> || std::is_same_v<Surface, Grid>)
            add_edges(line, surface, list);
        },
        layer);
  return list.count();
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

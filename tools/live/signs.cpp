// Geometry of the arrows for loads and the brackets for hinges.
#include "live/signs.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace femflex::live {

using Eigen::Vector3d;

namespace {

constexpr double kShortArrow = 0.05;    // smallest load: length relative to the size of the drawing
constexpr double kLongArrow = 0.12;     // largest load: length relative to the size of the drawing
constexpr double kHeadLength = 0.3;     // length of the head relative to that of the arrow
constexpr double kHeadWidth = 0.12;     // half width of the head relative to the length of the
                                        // arrow
constexpr double kBracketReach = 0.2;   // relative to the length of the shorter spring
constexpr double kBracketHeight = 0.6;  // height relative to the reach

/// A unit vector perpendicular to `along`, in the x-y plane unless `along` is vertical.
Vector3d across(const Vector3d& along) {
  Vector3d out = Vector3d::UnitZ().cross(along);
  if (out.norm() < 1e-3 * along.norm()) out = Vector3d::UnitX().cross(along);
  return out.normalized();
}

std::uint32_t add_vertices(Drawing& drawing, std::size_t count, std::int32_t item) {
  const auto first = static_cast<std::uint32_t>(drawing.vertices);
  drawing.vertices += count;
  drawing.item_of_vertex.insert(drawing.item_of_vertex.end(), count, item);
  return first;
}
void add_line(Drawing& drawing, std::uint32_t a, std::uint32_t b, std::int32_t item) {
  drawing.lines.insert(drawing.lines.end(), {a, b});
  drawing.item_of_line.push_back(item);
}

}  // namespace

std::uint32_t add_arrow(Drawing& drawing, std::int32_t item) {
  const std::uint32_t first = add_vertices(drawing, std::tuple_size_v<Arrow>, item);
  add_line(drawing, first, first + 1, item);
  add_line(drawing, first + 1, first + 2, item);
  add_line(drawing, first + 1, first + 3, item);
  return first;
}

std::uint32_t add_bracket(Drawing& drawing, std::int32_t item) {
  const std::uint32_t first = add_vertices(drawing, std::tuple_size_v<Bracket>, item);
  add_line(drawing, first, first + 1, item);
  add_line(drawing, first + 1, first + 2, item);
  return first;
}

Arrow arrow(const Vector3d& foot, const Vector3d& load, double largest, double size) {
  const double amount = load.norm();
  if (!(amount > 0.0) || !std::isfinite(amount)) return {foot, foot, foot, foot};
  const double share = largest > 0.0 ? std::min(1.0, amount / largest) : 1.0;
  const double length = size * (kShortArrow + share * (kLongArrow - kShortArrow));
  const Vector3d along = load / amount;
  const Vector3d tip = foot + length * along;
  const Vector3d neck = tip - kHeadLength * length * along;
  const Vector3d side = kHeadWidth * length * across(along);
  return {foot, tip, neck + side, neck - side};
}

Bracket bracket(const Vector3d& corner, const Vector3d& end_a, const Vector3d& end_b) {
  const Vector3d a = end_a - corner, b = end_b - corner;
  const double reach = kBracketReach * std::min(a.norm(), b.norm());
  if (!(reach > 0.0)) return {corner, corner, corner};
  const Vector3d p = reach * a.normalized(), q = reach * b.normalized();
  const Vector3d chord = q - p;
  const Vector3d out = chord.norm() > 1e-6 * reach ? across(chord) : across(p);
  return {corner + p, corner + kBracketHeight * reach * out, corner + q};
}

void put_places(std::span<const Vector3d> places, std::size_t first, std::vector<float>& out) {
  for (std::size_t k = 0; k < places.size(); ++k)
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      out[3 * (first + k) + static_cast<std::size_t>(axis)] = static_cast<float>(places[k](axis));
}

}  // namespace femflex::live

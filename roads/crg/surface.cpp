// Evaluates an OpenCRG surface: converts (x, y) to (u, v) along the polyline of the reference line,
// then adds bilinear heights, the height of the line and its banking. Equations:
// docs/theory/roads.md.
// P_k is node k, e_k = P_(k+1) - P_k, T_k = P_(k+1) - P_(k-1) (one-sided at the ends). The cross
// section of node k is perpendicular to T_k, v is the distance from the line of e_k, and u divides
// the parallel to e_k between two cross sections.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/roads/crg.h"

namespace femflex::roads {
namespace {

constexpr std::size_t kBlock = 64;  // nodes per circle; a search skips circles that are far away
// [m] if a contact has moved further since its last evaluation, the whole line is searched; the
// default of OpenCRG's refline_search_far
constexpr double kFar = 1.5;
// smallest cosine of the angle between segments; beyond a right angle, cross sections intersect
constexpr double kLeastCosine = 0.01;
// allowed distance between the computed end of the line and the end given in the file, as a share
// of the line's length; a smaller distance is distributed over the line
constexpr double kMostDrift = 0.01;
// spacings of v are even if their relative difference is below this
constexpr double kEvenSections = 1e-9;
// if the scaled distance of two cross sections is below this, they meet at a point; u is undefined
// there, and its gradient is set to zero
constexpr double kLeastSpread = 1e-6;

double square(double x) {
  return x * x;
}

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

void require_size(std::size_t size, std::size_t full, const char* what) {
  if (size != 1 && size != full)
    throw ModelError(
        "crg-line",
        fmt::format("OpenCRG road: {} values of {}; 1 or {} are expected", size, what, full));
}

void check_crg(const CrgData& data) {
  const std::size_t n = data.sections();
  if (n < 2 || data.v.size() < 2 || n * data.v.size() != data.z.size() || n >= RoadCursor::kUnset)
    throw ModelError(
        "crg-axis",
        fmt::format("OpenCRG road: {} heights for {} long sections; two cross sections "
                    "of two or more heights are needed",
                    data.z.size(),
                    data.v.size()));
  if (!(data.u_increment > 0.0) || !std::isfinite(data.u_increment) || !std::isfinite(data.u_start))
    throw ModelError("crg-axis", "OpenCRG road: the u axis does not rise");
  for (std::size_t k = 0; k < data.v.size(); ++k)
    if (!std::isfinite(data.v[k]) || (k > 0 && !(data.v[k] > data.v[k - 1])))
      throw ModelError("crg-axis",
                       fmt::format("OpenCRG road: v does not rise at long section {}", k + 1));
  require_size(data.heading.size(), n - 1, "heading");
  require_size(data.slope.size(), n - 1, "slope");
  require_size(data.banking.size(), n, "banking");
  if (!all_finite(data.heading) || !all_finite(data.slope) || !all_finite(data.banking))
    throw ModelError("not-finite", "OpenCRG road: a value of the reference line is not finite");
  if (std::any_of(data.z.begin(), data.z.end(), [](double z) { return std::isinf(z); }))
    throw ModelError("not-finite", "OpenCRG road: a height is infinite");
}

/// Maps a coordinate into [first, last] for repeated and mirrored roads. Changes `sign` to -1 if
/// the mapped coordinate decreases.
double folded(double value, double first, double last, Border mode, double& sign) {
  const double length = last - first;
  double from = value - first;
  if (mode == Border::repeat) {
    from -= length * std::floor(from / length);
  } else if (mode == Border::mirror) {
    from -= 2.0 * length * std::floor(from / (2.0 * length));
    if (from > length) {
      from = 2.0 * length - from;
      sign = -1.0;
    }
  } else {
    return value;
  }
  return first + from;
}

}  // namespace

CrgRoad::CrgRoad(CrgData data) : data_(std::move(data)) {
  check_crg(data_);
  const std::size_t columns = data_.v.size();
  const double width = (data_.v.back() - data_.v.front()) / static_cast<double>(columns - 1);
  bool is_even = true;
  for (std::size_t k = 0; k < columns; ++k)
    is_even = is_even && std::abs(data_.v[k] - data_.v.front() - static_cast<double>(k) * width) <
                             kEvenSections * static_cast<double>(columns) * width;
  per_width_ = is_even ? 1.0 / width : 0.0;
  per_increment_ = 1.0 / data_.u_increment;
  u_end_ = data_.u_start + static_cast<double>(data_.sections() - 1) * data_.u_increment;
  integrate_line();
  make_blocks();
}

void CrgRoad::integrate_line() {
  const std::size_t n = data_.sections();
  const double h = data_.u_increment;
  const auto of = [](const std::vector<double>& values, std::size_t k) {
    return values.size() == 1 ? values.front() : values[k];
  };
  nodes_.assign(n, Node{data_.x_start, data_.y_start, 0.0, 0.0});
  line_z_.assign(n, data_.z_start);
  for (std::size_t k = 0; k + 1 < n; ++k) {
    nodes_[k + 1].x = nodes_[k].x + h * std::cos(of(data_.heading, k));
    nodes_[k + 1].y = nodes_[k].y + h * std::sin(of(data_.heading, k));
    line_z_[k + 1] = line_z_[k] + h * of(data_.slope, k);
  }
  // distributes the distance between the computed end and the given one over the length of the line
  const double miss_x = data_.x_end ? *data_.x_end - nodes_.back().x : 0.0;
  const double miss_y = data_.y_end ? *data_.y_end - nodes_.back().y : 0.0;
  const double miss_z = data_.z_end ? *data_.z_end - line_z_.back() : 0.0;
  const double length = h * static_cast<double>(n - 1);
  if (!(std::hypot(miss_x, miss_y, miss_z) <= kMostDrift * length))
    throw ModelError("crg-line",
                     fmt::format("OpenCRG road: headings and slopes end {:.3g} m away from the end "
                                 "that the header gives",
                                 std::hypot(miss_x, miss_y, miss_z)));
  for (std::size_t k = 0; k < n; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(n - 1);
    nodes_[k].x += share * miss_x;
    nodes_[k].y += share * miss_y;
    line_z_[k] += share * miss_z;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Node& before = nodes_[k == 0 ? 0 : k - 1];
    const Node& after = nodes_[k + 1 == n ? k : k + 1];
    nodes_[k].nx = after.x - before.x;
    nodes_[k].ny = after.y - before.y;
  }
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const Node& a = nodes_[k - 1];
    const Node& b = nodes_[k];
    const Node& c = nodes_[k + 1];
    const double cosine = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y);
    if (!(cosine > kLeastCosine * h * h))
      throw ModelError(
          "crg-line",
          fmt::format(
              "OpenCRG road: the heading turns by a right angle or more at cross section {}",
              k + 1));
  }
}

void CrgRoad::make_blocks() {
  for (std::size_t first = 0; first < nodes_.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, nodes_.size());
    const Node& middle = nodes_[first + (last - first) / 2];
    Block block{middle.x, middle.y, 0.0};
    for (std::size_t k = first; k < last; ++k)
      block.radius =
          std::max(block.radius, std::hypot(nodes_[k].x - block.x, nodes_[k].y - block.y));
    blocks_.push_back(block);
  }
}

std::uint32_t CrgRoad::nearest_segment(double x, double y) const {
  double best = std::numeric_limits<double>::infinity();  // square of the smallest distance
  std::size_t nearest = 0;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const double gap = std::hypot(x - blocks_[b].x, y - blocks_[b].y) - blocks_[b].radius;
    if (gap > 0.0 && gap * gap >= best) continue;
    const std::size_t last = std::min((b + 1) * kBlock, nodes_.size());
    for (std::size_t k = b * kBlock; k < last; ++k) {
      const double distance = square(x - nodes_[k].x) + square(y - nodes_[k].y);
      if (distance < best) {
        best = distance;
        nearest = k;
      }
    }
  }
  return static_cast<std::uint32_t>(std::min(nearest, nodes_.size() - 2));
}

std::uint32_t CrgRoad::walk(double x, double y, std::uint32_t from) const {
  const auto last = static_cast<std::uint32_t>(nodes_.size() - 2);
  const auto beyond = [&](std::uint32_t k) {
    const Node& node = nodes_[k];
    return (x - node.x) * node.nx + (y - node.y) * node.ny;
  };
  std::uint32_t k = from;
  while (k < last && beyond(k + 1) > 0.0)
    ++k;
  while (k > 0 && beyond(k) < 0.0)
    --k;
  return k;
}

CrgRoad::Projection CrgRoad::locate(double x, double y, RoadCursor& cursor) const {
  const bool is_near = cursor.segment < nodes_.size() - 1 &&
                       square(x - cursor.x) + square(y - cursor.y) < kFar * kFar;
  const std::uint32_t k = walk(x, y, is_near ? cursor.segment : nearest_segment(x, y));
  cursor = {k, x, y};

  const Node& p = nodes_[k];
  const Node& q = nodes_[k + 1];
  const double ex = q.x - p.x, ey = q.y - p.y;
  const double per_length = 1.0 / std::hypot(ex, ey);
  const double px = x - p.x, py = y - p.y, qx = x - q.x, qy = y - q.y;
  Projection out;
  out.at.v = (ex * py - ey * px) * per_length;
  out.vx = -ey * per_length;
  out.vy = ex * per_length;
  const double after_p = px * p.nx + py * p.ny;
  const double before_q = -(qx * q.nx + qy * q.ny);
  if (after_p < 0.0 || before_q < 0.0) {  // beyond its ends the line continues straight
    const bool is_start = after_p < 0.0;
    out.ux = ex * per_length;
    out.uy = ey * per_length;
    out.at.u =
        is_start ? data_.u_start + out.ux * px + out.uy * py : u_end_ + out.ux * qx + out.uy * qy;
    return out;
  }
  const double per_p = 1.0 / (p.nx * ex + p.ny * ey);
  const double per_q = 1.0 / (q.nx * ex + q.ny * ey);
  const double a = after_p * per_p;
  const double spread = a + before_q * per_q;
  const double h = data_.u_increment;
  const double start = data_.u_start + static_cast<double>(k) * h;
  if (spread < kLeastSpread) {
    out.at.u = start + 0.5 * h;
    out.ux = out.uy = 0.0;
    return out;
  }
  const double f = a / spread;
  out.at.u = start + f * h;
  out.ux = h * (p.nx * per_p - f * (p.nx * per_p - q.nx * per_q)) / spread;
  out.uy = h * (p.ny * per_p - f * (p.ny * per_p - q.ny * per_q)) / spread;
  return out;
}

std::size_t CrgRoad::column_of(double v) const {
  const std::size_t last = data_.v.size() - 2;
  if (!(v > data_.v.front())) return 0;
  if (per_width_ > 0.0) {
    const double place = (v - data_.v.front()) * per_width_;
    return place >= static_cast<double>(last) ? last : static_cast<std::size_t>(place);
  }
  const auto after = std::upper_bound(data_.v.begin() + 1, data_.v.end() - 1, v);
  return static_cast<std::size_t>(after - data_.v.begin()) - 1;
}

CrgRoad::GridHeight CrgRoad::grid_height(double u, double v) const {
  double sign_u = 1.0, sign_v = 1.0;
  u = folded(u, data_.u_start, u_end_, data_.u_border.mode, sign_u);
  v = folded(v, data_.v.front(), data_.v.back(), data_.v_border.mode, sign_v);
  const double place = (u - data_.u_start) * per_increment_;
  const std::size_t last = nodes_.size() - 2;
  const std::size_t i = !(place > 0.0)                       ? 0
                        : place >= static_cast<double>(last) ? last
                                                             : static_cast<std::size_t>(place);
  const std::size_t j = column_of(v);
  const double per_v = 1.0 / (data_.v[j + 1] - data_.v[j]);
  const double free_f = place - static_cast<double>(i);
  const double free_g = (v - data_.v[j]) * per_v;
  const double f = std::clamp(free_f, 0.0, 1.0);
  const double g = std::clamp(free_g, 0.0, 1.0);
  const bool is_beyond_u = f != free_f, is_beyond_v = g != free_g;
  const double inside_v = std::clamp(v, data_.v.front(), data_.v.back());

  const double* row = data_.z.data() + i * data_.v.size() + j;
  const double* next = row + data_.v.size();
  const double here = row[0] + g * (row[1] - row[0]);
  const double there = next[0] + g * (next[1] - next[0]);
  const bool is_flat = data_.banking.size() == 1;
  const double banking = data_.banking[is_flat ? 0 : i];
  const double banking_rise = is_flat ? 0.0 : data_.banking[i + 1] - banking;
  const double line_rise = line_z_[i + 1] - line_z_[i];
  GridHeight out;
  out.z = here + f * (there - here) + line_z_[i] + f * line_rise +
          inside_v * (banking + f * banking_rise);
  out.z_u = is_beyond_u
                ? 0.0
                : sign_u * per_increment_ * (there - here + line_rise + inside_v * banking_rise);
  out.z_v =
      is_beyond_v
          ? 0.0
          : sign_v * (((row[1] - row[0]) + f * (next[1] - next[0] - row[1] + row[0])) * per_v +
                      banking + f * banking_rise);
  for (const auto& [is_beyond, rule] :
       {std::pair(is_beyond_u, data_.u_border), std::pair(is_beyond_v, data_.v_border)}) {
    if (!is_beyond) continue;
    if (rule.mode == Border::hold) out.z += rule.offset;
    if (rule.mode == Border::zero) out = {rule.offset, 0.0, 0.0};
    if (rule.mode == Border::none) {
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      return {kNone, kNone, kNone};
    }
  }
  const auto fade = [&out](double from_end, double direction, double range, double level) {
    const double distance = std::max(0.0, from_end);
    if (!(range > distance)) return;
    const double share = distance / range;
    const double rate = distance > 0.0 ? direction / range : 0.0;
    out.z_u = share * out.z_u + rate * (out.z - level);
    out.z_v *= share;
    out.z = level + share * (out.z - level);
  };
  fade(u - data_.u_start, sign_u, data_.smooth_start, line_z_.front());
  fade(u_end_ - u, -sign_u, data_.smooth_end, line_z_.back());
  return out;
}

Elevation CrgRoad::at(double x, double y, RoadCursor& cursor) const {
  const Projection place = locate(x, y, cursor);
  const GridHeight height = grid_height(place.at.u, place.at.v);
  return {height.z,
          height.z_u * place.ux + height.z_v * place.vx,
          height.z_u * place.uy + height.z_v * place.vy};
}

bool CrgRoad::covers(double x, double y) const {
  const auto goes_on = [](const BorderRule& rule) {
    return rule.mode == Border::repeat || rule.mode == Border::mirror;
  };
  RoadCursor cursor;
  const LinePoint at = project(x, y, cursor);
  return (goes_on(data_.u_border) || (at.u >= data_.u_start && at.u <= u_end_)) &&
         (goes_on(data_.v_border) || (at.v >= data_.v.front() && at.v <= data_.v.back()));
}

LinePoint CrgRoad::project(double x, double y, RoadCursor& cursor) const {
  return locate(x, y, cursor).at;
}

double CrgRoad::height_at(const LinePoint& at) const {
  return grid_height(at.u, at.v).z;
}

Eigen::Vector2d CrgRoad::position(const LinePoint& at) const {
  const double place = (at.u - data_.u_start) * per_increment_;
  const std::size_t last = nodes_.size() - 2;
  const std::size_t k = !(place > 0.0)                       ? 0
                        : place >= static_cast<double>(last) ? last
                                                             : static_cast<std::size_t>(place);
  const Eigen::Vector2d p(nodes_[k].x, nodes_[k].y), q(nodes_[k + 1].x, nodes_[k + 1].y);
  const Eigen::Vector2d along = (q - p).normalized();
  const Eigen::Vector2d left(-along.y(), along.x());
  const double f = place - static_cast<double>(k);
  if (f < 0.0) return p + f * data_.u_increment * along + at.v * left;
  if (f > 1.0) return q + (f - 1.0) * data_.u_increment * along + at.v * left;
  // the point on a cross section at distance v from the line of the segment
  const auto on_section = [&](std::size_t node) -> Eigen::Vector2d {
    const Eigen::Vector2d normal(-nodes_[node].ny, nodes_[node].nx);
    return at.v / normal.dot(left) * normal;
  };
  const Eigen::Vector2d a = p + on_section(k), b = q + on_section(k + 1);
  return a + f * (b - a);
}

}  // namespace femflex::roads

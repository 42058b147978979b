// Points on lines and triangles through markers. A cubic piece is Hermite's: its end slopes turn
// with the markers at its ends, as in a beam between two nodes. eq. (50) of
// docs/theory/multibody.md
#include "spatial/forces/path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "spatial/compiler.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

/// Share of a piece by which a point may lie beyond an end of the path because of round-off.
constexpr double kPastEnd = 1e-9;
constexpr double kShareRoundOff = 1e-14;  // smallest correction of a share in Newton's method
constexpr int kMaxShareSteps = 20;
/// Cosine of the angle to a face's normal. A point under an edge between two faces belongs to
/// neither face if its cosine is below this.
constexpr double kUnderEdge = 0.7;
/// A direction computed as a difference is round-off if its length, relative to that of the
/// operands, is below this.
constexpr double kNoDirection = 1e-9;

const MarkerKinematics& marker_of(const Workspace& ws, int marker) {
  return ws.markers[static_cast<std::size_t>(marker)];
}

}  // namespace

Vector3d velocity_of(const Workspace& ws, const CarriedPoint& point) {
  Vector3d v = Vector3d::Zero();
  for (std::size_t k = 0; k < point.count; ++k) {
    const MarkerKinematics& marker = marker_of(ws, point.legs[k].marker);
    v += point.legs[k].weight * marker.v + marker.w.cross(point.legs[k].lever);
  }
  return v;
}

void add_carried_load(const Model& model,
                      Workspace& ws,
                      const CarriedPoint& point,
                      const Vector3d& force) {
  for (std::size_t k = 0; k < point.count; ++k) {
    const Spread::Leg& leg = point.legs[k];
    add_marker_load(model, ws, leg.marker, leg.weight * force, leg.lever.cross(force), -1.0);
  }
}

Path::Curve Path::curve(const Workspace& ws, std::size_t piece, double share) const {
  const MarkerKinematics& a = marker_of(ws, markers[piece]);
  const MarkerKinematics& b = marker_of(ws, markers[piece + 1]);
  const Vector3d rise = b.p - a.p;
  if (!is_cubic) return {a.p + share * rise, rise, Vector3d::Zero()};
  const double length = at[piece + 1] - at[piece], s = share;
  const Vector3d from = length * (a.R * tangents[piece]), to = length * (b.R * tangents[piece + 1]);
  const Vector3d square = 3.0 * rise - 2.0 * from - to, cube = from + to - 2.0 * rise;
  return {a.p + s * (from + s * (square + s * cube)),
          from + s * (2.0 * square + 3.0 * s * cube),
          2.0 * square + 6.0 * s * cube};
}

CarriedPoint Path::carried(const Workspace& ws, std::size_t piece, double share) const {
  const double s = share, length = at[piece + 1] - at[piece];
  const MarkerKinematics& a = marker_of(ws, markers[piece]);
  const MarkerKinematics& b = marker_of(ws, markers[piece + 1]);
  CarriedPoint out;
  out.is_on = true;
  out.count = 2;
  out.legs[0].marker = markers[piece];
  out.legs[1].marker = markers[piece + 1];
  const double right = is_cubic ? s * s * (3.0 - 2.0 * s) : s;
  out.legs[0].weight = 1.0 - right;
  out.legs[1].weight = right;
  if (is_cubic) {
    out.legs[0].lever = s * (1.0 - s) * (1.0 - s) * length * (a.R * tangents[piece]);
    out.legs[1].lever = s * s * (s - 1.0) * length * (b.R * tangents[piece + 1]);
  }
  const Curve at_share = curve(ws, piece, share);
  out.p = at_share.p;
  const Vector3d e = at_share.slope.normalized();
  const Vector3d up = (1.0 - s) * (a.R * ups[piece]) + s * (b.R * ups[piece + 1]);
  out.n = (up - e.dot(up) * e).normalized();
  return out;
}

CarriedPoint Path::point_at(const Workspace& ws, double way) const {
  const double slack = kPastEnd * at.back();
  if (!(way >= -slack && way <= at.back() + slack)) return {};
  const auto next = std::upper_bound(at.begin() + 1, at.end() - 1, way);
  const auto piece = static_cast<std::size_t>(next - at.begin()) - 1;
  return carried(ws, piece, (way - at[piece]) / (at[piece + 1] - at[piece]));
}

CarriedPoint Path::closest(const Workspace& ws, const Vector3d& p) const {
  std::size_t piece = 0;
  double share = 0.0, least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < markers.size(); ++k) {
    const Vector3d& from = marker_of(ws, markers[k]).p;
    const Vector3d rise = marker_of(ws, markers[k + 1]).p - from;
    const double along = rise.dot(p - from) / rise.squaredNorm();
    const double inside = std::clamp(along, 0.0, 1.0);
    const double distance = (p - from - inside * rise).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    piece = k;
    const bool is_end = (k == 0 && along < 0.0) || (k + 2 == markers.size() && along > 1.0);
    share = is_end ? along : inside;
  }
  const std::size_t last = markers.size() - 2;
  for (int step = 0; is_cubic && step < kMaxShareSteps; ++step) {
    const Curve c = curve(ws, piece, share);
    const Vector3d d = p - c.p;
    const double steepness = c.slope.squaredNorm() - std::max(0.0, d.dot(c.bend));
    const double correction =
        d.dot(c.slope) / (steepness > 0.0 ? steepness : c.slope.squaredNorm());
    share += correction;
    if (share < 0.0 && piece > 0) {
      --piece;
      share = 1.0;
    } else if (share > 1.0 && piece < last) {
      ++piece;
      share = 0.0;
    } else if (std::abs(correction) < kShareRoundOff) {
      break;
    }
  }
  if (!(share >= -kPastEnd && share <= 1.0 + kPastEnd)) return {};
  CarriedPoint out = carried(ws, piece, share);
  // the point below p, on the strip perpendicular to the line
  const Vector3d q = p - out.n.dot(p - out.p) * out.n;
  out.legs[0].lever += (1.0 - share) * (q - out.p);
  out.legs[1].lever += share * (q - out.p);
  out.p = q;
  return out;
}

Path compile_path(const std::vector<std::string>& places,
                  const std::optional<Vector3d>& up,
                  const std::string& user,
                  Compiler& compiler) {
  if (places.size() < 2)
    throw ModelError(
        "path", fmt::format("{}: a path of {} places; expected two or more", user, places.size()));
  Path out;
  std::vector<WorldFrame> frames;
  for (const std::string& place : places) {
    out.markers.push_back(compiler.place(place, user));
    frames.push_back(compiler.initial_frame(out.markers.back()));
    const MarkerModel& marker =
        compiler.model().markers[static_cast<std::size_t>(out.markers.back())];
    if (marker.on_node && (marker.Psi.size() == 0 || marker.Psi.isZero(0.0))) out.is_cubic = false;
  }
  out.at.push_back(0.0);
  for (std::size_t k = 0; k + 1 < places.size(); ++k) {
    const double length = (frames[k + 1].p - frames[k].p).norm();
    if (!(length > 0.0))
      throw ModelError(
          "path",
          fmt::format("{}: {} and {} are at the same point", user, places[k], places[k + 1]));
    out.at.push_back(out.at.back() + length);
  }
  Vector3d last, across;  // tangent at the place before, and a direction across it
  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t before = k > 0 ? k - 1 : k, after = std::min(k + 1, places.size() - 1);
    const Vector3d e = (frames[after].p - frames[before].p).normalized();
    if (!e.allFinite() || e.isZero(0.0))
      throw ModelError("path", fmt::format("{}: at {} the path turns back", user, places[k]));
    if (up) {
      across = *up - e.dot(*up) * e;
      if (!(across.norm() > kNoDirection * up->norm()))
        throw ModelError("path",
                         fmt::format("{}: at {} the path runs along \"up\"", user, places[k]),
                         {},
                         "give \"up\" as a direction across the path");
    } else {
      across = k == 0 ? Vector3d(frame_about(e).col(0))
                      : Eigen::Quaterniond::FromTwoVectors(last, e) * across;
    }
    last = e;
    out.tangents.emplace_back(frames[k].R.transpose() * e);
    out.ups.emplace_back(frames[k].R.transpose() * across.normalized());
  }
  return out;
}

CarriedPoint closest_of_triangle(const Workspace& ws, const Triangle& triangle, const Vector3d& p) {
  std::array<Vector3d, 3> at;
  for (std::size_t k = 0; k < 3; ++k)
    at[k] = marker_of(ws, triangle.corners[k]).p;
  const Vector3d across = (at[1] - at[0]).cross(at[2] - at[0]);
  const double area = across.squaredNorm();
  std::array<double, 3> weights{};
  bool is_inside = area > 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vector3d &from = at[(k + 1) % 3], &to = at[(k + 2) % 3];
    weights[k] = area > 0.0 ? across.dot((to - from).cross(p - from)) / area : 0.0;
    is_inside = is_inside && weights[k] >= 0.0;
  }
  bool is_border = false;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < 3 && !is_inside; ++k) {
    const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
    const Vector3d rise = at[b] - at[a];
    const double share = std::clamp(rise.dot(p - at[a]) / rise.squaredNorm(), 0.0, 1.0);
    const double distance = (p - at[a] - share * rise).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    weights = {};
    weights[a] = 1.0 - share;
    weights[b] = share;
    is_border = triangle.is_border[k] || (share == 0.0 && triangle.is_border[b]) ||
                (share == 1.0 && triangle.is_border[a]);
  }
  CarriedPoint out;
  out.count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    out.legs[k].marker = triangle.corners[k];
    out.legs[k].weight = weights[k];
    out.p += weights[k] * at[k];
  }
  out.n = across.normalized();
  out.is_on = true;
  const Vector3d d = p - out.p;
  const double distance = d.norm(), height = out.n.dot(d);
  if (is_inside || !(distance > 0.0)) return out;
  out.is_on = height >= 0.0 || (!is_border && -height > kUnderEdge * distance);
  out.n = (height < 0.0 ? -1.0 : 1.0) / distance * d;
  return out;
}

}  // namespace femflex::mbd_solver

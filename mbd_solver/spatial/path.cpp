// Searches all pieces of a path for the nearest point. A path has some hundred points, and a search
// without memory does not depend on earlier searches.
#include "spatial/path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace femflex::mbd_solver {
namespace {

/// The equivalent angle in [-pi, pi].
double turned_back(double angle) {
  return std::remainder(angle, 2.0 * std::numbers::pi);
}

/// Direction of the path at a point: from the previous to the next point.
double direction_at(const PathBlock& path, std::size_t k) {
  const std::size_t n = path.x.size();
  const std::size_t before = k > 0 ? k - 1 : (path.is_closed ? n - 1 : 0);
  const std::size_t after = k + 1 < n ? k + 1 : (path.is_closed ? 0 : k);
  return std::atan2(path.y[after] - path.y[before], path.x[after] - path.x[before]);
}

}  // namespace

void path_outputs(const PathBlock& path, const double* u, double* y) {
  const double px = u[0] + u[3] * std::cos(u[2]), py = u[1] + u[3] * std::sin(u[2]);
  const std::size_t n = path.x.size(), pieces = path.way.size() - 1;
  double best = std::numeric_limits<double>::infinity(), share = 0.0, side = 0.0;
  std::size_t piece = 0;
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t next = (k + 1) % n;
    const double dx = path.x[next] - path.x[k], dy = path.y[next] - path.y[k];
    const double rx = px - path.x[k], ry = py - path.y[k];
    double s = (rx * dx + ry * dy) / (dx * dx + dy * dy);
    if (s < 0.0 && (path.is_closed || k > 0)) s = 0.0;
    if (s > 1.0 && (path.is_closed || k + 1 < pieces)) s = 1.0;
    const double distance = std::hypot(rx - s * dx, ry - s * dy);
    if (!(distance < best)) continue;
    best = distance;
    piece = k;
    share = s;
    side = dx * ry - dy * rx;  // > 0: the point is on the left of the path
  }
  const double length = path.way[piece + 1] - path.way[piece];
  const double first = direction_at(path, piece);
  const double turn = turned_back(direction_at(path, (piece + 1) % n) - first);
  const bool is_beyond = share < 0.0 || share > 1.0;
  y[0] = side > 0.0 ? -best : best;
  y[1] = turned_back(first + std::clamp(share, 0.0, 1.0) * turn - u[2]);
  y[2] = is_beyond ? 0.0 : turn / length;
  y[3] = path.way[piece] + share * length;
}

}  // namespace femflex::mbd_solver

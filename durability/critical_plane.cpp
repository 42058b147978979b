// Searches the critical plane: a grid of normals, then smaller steps around the best one.
#include "femflex/durability/critical_plane.h"

#include <cmath>
#include <numbers>
#include <vector>

#include "femflex/unit_constants.h"

namespace femflex::durability {
namespace {

using Eigen::Vector3d;

constexpr double kPlaneStep = 10.0 * kDegree;
constexpr double kSphereStep = 15.0 * kDegree;
// Number of times that the step around the best normal is halved: to 1.25 and 1.9 degrees. The
// normal stress is then within 0.1 % of its largest value.
constexpr int kHalvings = 3;

/// Normals in the plane of the components xx, yy, xy.
std::vector<Vector3d> directions_in_plane() {
  std::vector<Vector3d> out;
  constexpr int kCount = 18;  // covers half a turn
  static_assert(kCount * kPlaneStep > std::numbers::pi - 1e-9 &&
                kCount * kPlaneStep < std::numbers::pi + 1e-9);
  for (int k = 0; k < kCount; ++k)
    out.emplace_back(std::cos(k * kPlaneStep), std::sin(k * kPlaneStep), 0.0);
  return out;
}

/// Normals over half a sphere, in circles about z. The other half would repeat the same planes.
std::vector<Vector3d> directions_in_space() {
  std::vector<Vector3d> out = {Vector3d::UnitZ()};
  for (int circle = 1; circle * kSphereStep < 0.5 * std::numbers::pi + 0.5 * kSphereStep;
       ++circle) {
    const double polar = circle * kSphereStep;
    const double way =
        (polar < 0.5 * std::numbers::pi - 0.5 * kSphereStep ? 2.0 : 1.0) * std::numbers::pi;
    const int count = static_cast<int>(std::ceil(way * std::sin(polar) / kSphereStep));
    for (int k = 0; k < count; ++k) {
      const double angle = way * k / count;
      out.emplace_back(
          std::sin(polar) * std::cos(angle), std::sin(polar) * std::sin(angle), std::cos(polar));
    }
  }
  return out;
}

}  // namespace

Eigen::ArrayXd normal_stress(const SixHistories& stress, Eigen::Index count, const Vector3d& n) {
  const double weights[6] = {n.x() * n.x(),
                             n.y() * n.y(),
                             n.z() * n.z(),
                             2.0 * n.x() * n.y(),
                             2.0 * n.y() * n.z(),
                             2.0 * n.z() * n.x()};
  Eigen::ArrayXd out = Eigen::ArrayXd::Zero(count);
  for (std::size_t c = 0; c < 6; ++c)
    if (stress[c] != nullptr && weights[c] != 0.0)
      out += weights[c] * Eigen::Map<const Eigen::ArrayXd>(stress[c], count);
  return out;
}

CriticalPlane critical_plane(const SixHistories& stress,
                             Eigen::Index count,
                             const WoehlerCurve& curve,
                             Residue residue) {
  const bool is_plane = stress[2] == nullptr && stress[4] == nullptr && stress[5] == nullptr;
  CriticalPlane best;
  double best_range = -1.0;
  const auto consider = [&](const Vector3d& normal) {
    const Eigen::ArrayXd history = normal_stress(stress, count, normal);
    const double damage =
        damage_of(rainflow({history.data(), static_cast<std::size_t>(count)}, residue), curve);
    const double range = count > 0 ? history.maxCoeff() - history.minCoeff() : 0.0;
    // below the knee of all grid planes the largest range leads to the planes between them
    if (damage < best.damage || (damage == best.damage && range <= best_range)) return;
    best = {normal, damage};
    best_range = range;
  };
  for (const Vector3d& normal : is_plane ? directions_in_plane() : directions_in_space())
    consider(normal);
  double step = is_plane ? kPlaneStep : kSphereStep;
  for (int k = 0; k < kHalvings; ++k) {
    step *= 0.5;
    const Vector3d middle = best.normal;
    const Vector3d across = is_plane ? Vector3d::UnitZ().cross(middle) : middle.unitOrthogonal();
    for (const double sign : {-1.0, 1.0}) {
      consider((middle + sign * std::tan(step) * across).normalized());
      if (!is_plane) consider((middle + sign * std::tan(step) * middle.cross(across)).normalized());
    }
  }
  return best;
}

}  // namespace femflex::durability

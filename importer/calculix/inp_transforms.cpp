// Collects the *TRANSFORM cards of a CalculiX deck. axes_by_node() computes the axes at each node
// after the deck has been read, because it may define sets and nodes later.
#include "calculix/inp_transforms.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/number.h"

namespace femflex::importer {
namespace {

/// Makes `axes` with the columns e1 along `first`, e2 = e3 x e1, e3 along `third`, which is normal
/// to `first`; false if one of the two has no length.
bool make_axes(const Eigen::Vector3d& first, const Eigen::Vector3d& third, Eigen::Matrix3d& axes) {
  if (!(first.norm() > 0.0) || !(third.norm() > 0.0)) return false;
  axes.col(0) = first.normalized();
  axes.col(2) = third.normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return true;
}

/// From the axis (a unit vector through the origin) to `from`. On the axis it is a direction across
/// it, that of CalculiX 2.20: of the first component k of the axis that is not zero, e_k+1 with as
/// much of e_k as makes it perpendicular.
Eigen::Vector3d radial(const Eigen::Vector3d& from, const Eigen::Vector3d& axis) {
  constexpr double kOnAxis = 1e-10;  // [length of the deck], as there
  const Eigen::Vector3d out = from - axis.dot(from) * axis;
  if (out.norm() >= kOnAxis) return out;
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (std::abs(axis(k)) < kOnAxis) continue;
    const Eigen::Index next = (k + 1) % 3;
    return Eigen::Vector3d::Unit(next) - axis(next) / axis(k) * Eigen::Vector3d::Unit(k);
  }
  return Eigen::Vector3d::Zero();
}

}  // namespace

void InpTransforms::begin(const InpParameters& parameters, const Where& where) {
  const std::string type = parameters.word("TYPE");
  if (!type.empty() && type != "R" && type != "C")
    throw ParseError("transform",
                     fmt::format("*TRANSFORM, TYPE={} is not supported", type),
                     where,
                     "give the axes as TYPE=R or C, or supports, loads and equations of these "
                     "nodes along the global axes without *TRANSFORM");
  transforms_.push_back({parameters.word("NSET"), type == "C", where});
}

void InpTransforms::data(const std::vector<std::string_view>& fields) {
  if (transforms_.empty()) return;
  Transform& last = transforms_.back();
  for (std::size_t k = 0; k < std::min<std::size_t>(6, fields.size()); ++k) {
    double value = 0.0;
    std::string_view field = fields[k];
    if (take_real(field, value))
      (k < 3 ? last.a : last.b)(static_cast<Eigen::Index>(k % 3)) = value;
  }
}

// The points of TYPE=R are directions from the origin, those of TYPE=C places.
void InpTransforms::place(std::size_t first, std::size_t last, const Eigen::Isometry3d& placement) {
  for (std::size_t k = first; k < last; ++k)
    for (Eigen::Vector3d* point : {&transforms_[k].a, &transforms_[k].b})
      *point = transforms_[k].is_cylindrical ? Eigen::Vector3d(placement * *point)
                                             : Eigen::Vector3d(placement.linear() * *point);
}

std::map<std::int64_t, Eigen::Matrix3d> InpTransforms::axes_by_node(
    const std::vector<RawGrid>& grids, const InpSets& node_sets, Diagnostics& diagnostics) const {
  std::map<std::int64_t, Eigen::Matrix3d> out;
  std::map<std::int64_t, Eigen::Vector3d> positions;
  if (!transforms_.empty())
    for (const RawGrid& grid : grids)
      positions[grid.id] = Eigen::Vector3d(grid.x[0], grid.x[1], grid.x[2]);
  for (const Transform& transform : transforms_) {
    const InpSets::Members* set = node_sets.find(transform.set);
    if (set == nullptr) {
      diagnostics.warn("unknown-set",
                       fmt::format("*TRANSFORM: the deck has no node set '{}'", transform.set),
                       transform.where);
      continue;
    }
    for (const std::int64_t node : *set) {
      Eigen::Matrix3d axes;
      if (!transform.is_cylindrical) {
        if (make_axes(transform.a, transform.a.cross(transform.b), axes)) out[node] = axes;
        continue;
      }
      const auto position = positions.find(node);
      if (position == positions.end()) continue;
      const Eigen::Vector3d axis = (transform.b - transform.a).normalized();
      const Eigen::Vector3d from = position->second - transform.a;
      if (make_axes(radial(from, axis), axis, axes)) out[node] = axes;
    }
  }
  return out;
}

}  // namespace femflex::importer

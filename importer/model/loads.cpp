// Builds the load vectors of an imported model from the forces, moments, gravity, pressures and
// rotations of its load sets. Loads on dependent DOFs are distributed to the DOFs that these depend
// on.
#include "model/loads.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "model/pressures.h"

namespace femflex::importer {
namespace {

/// Builds load vectors from load sets. If a set cannot be built, failure() says why.
class LoadSets {
 public:
  LoadSets(const Gathered& gathered, const Matrices& matrices, const Dependence& dependence)
      : gathered_(gathered),
        loads_(gathered.geometry.loads),
        matrices_(matrices),
        dependence_(dependence) {
    for (const RawForce& force : loads_.forces)
      forces_[force.set].push_back(&force);
    for (const RawGravity& gravity : loads_.gravity)
      gravity_[gravity.set].push_back(&gravity);
    for (const RawPressure& pressure : loads_.pressures)
      pressures_[pressure.set].push_back(&pressure);
    for (const RawRotation& rotation : loads_.rotations)
      rotations_[rotation.set].push_back(&rotation);
    for (const RawLoadSum& sum : loads_.sums)
      sums_[sum.id] = &sum;
    fixed_.insert(gathered.geometry.fixed.begin(), gathered.geometry.fixed.end());
    if (!loads_.forces.empty()) find_middles();
    if (!loads_.pressures.empty()) find_layers();
  }

  /// Ids of all LOAD cards, and of the sets to which no LOAD card refers.
  std::set<std::int64_t> outermost() const {
    std::set<std::int64_t> ids;
    for (const auto& [id, unused] : forces_)
      ids.insert(id);
    for (const auto& [id, unused] : gravity_)
      ids.insert(id);
    for (const auto& [id, unused] : pressures_)
      ids.insert(id);
    for (const auto& [id, unused] : rotations_)
      ids.insert(id);
    for (const auto& [id, unused] : loads_.incomplete)
      ids.insert(id);
    for (const auto& [id, sum] : sums_)
      for (const auto& [factor, set] : sum->terms)
        ids.erase(set);
    for (const auto& [id, unused] : sums_)
      ids.insert(id);
    return ids;
  }

  /// Load vector of a set; empty if it cannot be built, and failure() says why.
  std::optional<Eigen::VectorXd> load_of(std::int64_t id) {
    reason_.clear();
    if (!loads_.unread.empty())
      refuse(fmt::format("every case has {} too, which is not read", loads_.unread));
    Eigen::VectorXd load = Eigen::VectorXd::Zero(matrices_.dofs.size());
    const auto sum = sums_.find(id);
    if (sum != sums_.end())
      for (const auto& [factor, set] : sum->second->terms)
        add_set(set, factor, load);
    else
      add_set(id, 1.0, load);
    if (!reason_.empty()) return std::nullopt;
    return load;
  }
  const std::string& failure() const { return reason_; }

 private:
  /// Records the first reason why the current set cannot be built.
  void refuse(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
  }

  void add_set(std::int64_t id, double factor, Eigen::VectorXd& load) {
    if (const auto it = loads_.incomplete.find(id); it != loads_.incomplete.end())
      return refuse(it->second.starts_with('*')
                        ? fmt::format("step {} has {}, which is not read", id, it->second)
                        : fmt::format("set {} has a {} card, which is not read", id, it->second));
    const auto forces = forces_.find(id);
    const auto gravity = gravity_.find(id);
    const auto pressures = pressures_.find(id);
    const auto rotations = rotations_.find(id);
    if (forces == forces_.end() && gravity == gravity_.end() && pressures == pressures_.end() &&
        rotations == rotations_.end())
      return refuse(fmt::format("there is no load set {}", id));
    if (forces != forces_.end())
      for (const RawForce* force : forces->second)
        add_force(*force, factor, load);
    if (gravity != gravity_.end())
      for (const RawGravity* card : gravity->second)
        add_gravity(*card, factor, load);
    if (pressures != pressures_.end())
      for (const RawPressure* card : pressures->second)
        add_pressure(*card, factor, load);
    if (rotations != rotations_.end())
      for (const RawRotation* card : rotations->second)
        add_rotation(*card, factor, load);
  }

  /// Nodes of one face of the shells that CalculiX expanded, where it applies pressures.
  struct Layer {
    std::vector<Node> nodes;                          ///< all nodes, those of shells on the face
    std::map<std::int64_t, std::int64_t> expanded{};  ///< by the node of the deck
    std::optional<PressureFaces> faces{};
  };

  /// Finds the lower and the upper face of expanded shells.
  void find_layers() {
    for (const RawConstraint& mean : gathered_.geometry.rigid_elements) {
      if (mean.type != "SHELL NODE" || mean.law != RawConstraint::Law::weighted) continue;
      lower_.expanded[mean.id] = mean.independent_dofs.front().node;
      upper_.expanded[mean.id] = mean.independent_dofs.back().node;
    }
    for (Layer* layer : {&lower_, &upper_}) {
      if (layer == &upper_ && upper_.expanded.empty()) break;  // it is the lower one
      layer->nodes = gathered_.nodes;
      for (Node& node : layer->nodes)
        if (const auto found = layer->expanded.find(node.id); found != layer->expanded.end())
          node.position = position(found->second).value_or(node.position);
      layer->faces.emplace(gathered_.geometry.elements, layer->nodes);
    }
  }

  /// Finds the nodes of expanded shells and beams that are not in the middle of their sections.
  void find_middles() {
    constexpr double kRoundOff = 1e-6;  // of the size of a section
    for (const RawConstraint& mean : gathered_.geometry.rigid_elements) {
      const bool is_node = mean.type == "SHELL NODE" || mean.type == "BEAM NODE";
      if (!is_node || mean.law != RawConstraint::Law::weighted ||
          mean.reference_dofs.front().component != 1)
        continue;
      const auto node = position(mean.id);
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      double size = 0.0;
      for (const Dof& dof : mean.independent_dofs)
        if (const auto at = position(dof.node); at && node) {
          sum += *at - *node;
          size = std::max(size, (*at - *node).norm());
        }
      sum /= static_cast<double>(mean.independent_dofs.size());
      if (sum.norm() > kRoundOff * size) middles_[mean.id] = sum;
    }
  }

  void add_force(const RawForce& force, double factor, Eigen::VectorXd& load) {
    if (force.is_scalar) return add({force.node, 0}, factor * force.value[0], load);
    const std::optional<Eigen::Vector3d> at = position(force.node);
    if (!at) return refuse(fmt::format("there is no grid {}", force.node));
    Eigen::Vector3d value(force.value[0], force.value[1], force.value[2]);
    if (force.towards[0] != 0) {
      const auto from = position(force.towards[0]);
      const auto to = position(force.towards[1]);
      if (!from || !to || *from == *to)
        return refuse(fmt::format(
            "grids {} and {} do not define a direction", force.towards[0], force.towards[1]));
      value = force.value[0] * (*to - *from).normalized();
    } else if (force.across[0] != 0) {
      const auto normal = normal_across(force.across);
      if (!normal) return refuse(fmt::format("four grids of grid {} give no normal", force.node));
      value = force.value[0] * *normal;
    } else if (const auto axes = system_axes(force.system, *at)) {
      value = (*axes * value).eval();
    } else {
      return refuse(fmt::format("there is no coordinate system {}", force.system));
    }
    const int first = force.is_moment ? 4 : 1;
    for (int c = 0; c < 3; ++c)
      add({force.node, static_cast<std::int8_t>(first + c)}, factor * value(c), load);
    const auto middle = middles_.find(force.node);
    if (middle == middles_.end() || force.is_moment) return;
    const Eigen::Vector3d moment = middle->second.cross(value);
    for (int c = 0; c < 3; ++c)
      add({force.node, static_cast<std::int8_t>(4 + c)}, factor * moment(c), load);
  }

  void add_gravity(const RawGravity& gravity, double factor, Eigen::VectorXd& load) {
    if (!matrices_.mass) return refuse("gravity needs the mass matrix");
    const auto axes = system_axes(gravity.system, Eigen::Vector3d::Zero());
    if (!axes) return refuse(fmt::format("there is no coordinate system {}", gravity.system));
    const Eigen::Vector3d a =
        *axes *
        Eigen::Vector3d(gravity.acceleration[0], gravity.acceleration[1], gravity.acceleration[2]);
    Eigen::VectorXd motion = Eigen::VectorXd::Zero(matrices_.dofs.size());
    for (Eigen::Index i = 0; i < motion.size(); ++i) {
      const Dof& dof = matrices_.dofs[i];
      if (dof.component >= 1 && dof.component <= 3) motion(i) = a(dof.component - 1);
    }
    load += factor * (matrices_.mass->full * motion);
  }

  /// Unit vector along (G2 - G1) x (G4 - G3), in basic.
  std::optional<Eigen::Vector3d> normal_across(const std::array<std::int64_t, 4>& grids) const {
    std::array<Eigen::Vector3d, 4> at;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto found = position(grids[k]);
      if (!found) return std::nullopt;
      at[k] = *found;
    }
    const Eigen::Vector3d normal = (at[1] - at[0]).cross(at[3] - at[2]);
    if (normal.isZero(0.0)) return std::nullopt;
    return normal.normalized();
  }

  void add_pressure(const RawPressure& pressure, double factor, Eigen::VectorXd& load) {
    PressureDirection direction;
    const Eigen::Vector3d given(
        pressure.direction[0], pressure.direction[1], pressure.direction[2]);
    if (!given.isZero(0.0)) {
      if (!system_axes(pressure.system, Eigen::Vector3d::Zero()))
        return refuse(fmt::format("there is no coordinate system {}", pressure.system));
      direction = [this, &pressure, unit = given.normalized()](const Eigen::Vector3d& at) {
        return Eigen::Vector3d(*system_axes(pressure.system, at) * unit);
      };
    }
    std::string reason;
    const Layer& layer = pressure.is_upper && upper_.faces ? upper_ : lower_;
    const auto forces = layer.faces->forces(pressure, direction, reason);
    if (!forces) return refuse(std::move(reason));
    for (const NodeForce& each : *forces) {
      const auto expanded = layer.expanded.find(each.node);
      const std::int64_t node = expanded == layer.expanded.end() ? each.node : expanded->second;
      for (int c = 0; c < 3; ++c)
        add({node, static_cast<std::int8_t>(c + 1)}, factor * each.force(c), load);
    }
  }

  /// Forces of inertia -M a with a = omega x (omega x r) + alpha x r at each node.
  /// docs/theory/import.md eq. (11).
  void add_rotation(const RawRotation& rotation, double factor, Eigen::VectorXd& load) {
    if (!matrices_.mass) return refuse("a rotation needs the mass matrix");
    std::optional<Eigen::Vector3d> point(
        Eigen::Vector3d(rotation.point[0], rotation.point[1], rotation.point[2]));
    if (rotation.node != 0) point = position(rotation.node);
    if (!point) return refuse(fmt::format("there is no grid {}", rotation.node));
    const auto axes = system_axes(rotation.system, *point);
    if (!axes) return refuse(fmt::format("there is no coordinate system {}", rotation.system));
    const Eigen::Vector3d omega =
        *axes * Eigen::Vector3d(rotation.speed[0], rotation.speed[1], rotation.speed[2]);
    const Eigen::Vector3d alpha =
        *axes * Eigen::Vector3d(
                    rotation.acceleration[0], rotation.acceleration[1], rotation.acceleration[2]);
    Eigen::VectorXd a = Eigen::VectorXd::Zero(matrices_.dofs.size());
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      const Dof& dof = matrices_.dofs[i];
      if (dof.component < 1) continue;
      if (dof.component > 3) {
        a(i) = alpha(dof.component - 4);
        continue;
      }
      const std::optional<Eigen::Vector3d> at = position(dof.node);
      if (!at) continue;
      const Eigen::Vector3d r = *at - *point;
      a(i) = (omega.cross(omega.cross(r)) + alpha.cross(r))(dof.component - 1);
    }
    load -= factor * (matrices_.mass->full * a);
  }

  void add(const Dof& dof, double value, Eigen::VectorXd& load) {
    if (value == 0.0) return;
    const auto row = matrices_.dofs.find(dof);
    const Dependence::Follower* follower = row >= 0 ? nullptr : dependence_.find(dof);
    if (row >= 0)
      load(row) += value;
    else if (follower != nullptr && follower->complete)
      for (const Dependence::RowTerm& term : follower->rows)
        load(term.row) += term.factor * value;
    // a load on a fixed DOF is carried by the support and ignored
    else if (!fixed_.contains(dof))
      refuse(fmt::format(
          "the matrices have no row for component {} of node {}", dof.component, dof.node));
  }

  std::optional<Eigen::Vector3d> position(std::int64_t node) const {
    const auto it = std::lower_bound(
        gathered_.nodes.begin(), gathered_.nodes.end(), node, [](const Node& n, std::int64_t id) {
          return n.id < id;
        });
    if (it == gathered_.nodes.end() || it->id != node) return std::nullopt;
    return it->position;
  }

  std::optional<Eigen::Matrix3d> system_axes(std::int64_t id, const Eigen::Vector3d& at) const {
    if (id == 0) return Eigen::Matrix3d::Identity();
    const auto it = std::lower_bound(
        gathered_.systems.begin(),
        gathered_.systems.end(),
        id,
        [](const CoordinateSystem& s, std::int64_t wanted) { return s.id < wanted; });
    if (it == gathered_.systems.end() || it->id != id) return std::nullopt;
    return it->axes_at(at);
  }

  const Gathered& gathered_;
  const RawLoads& loads_;
  const Matrices& matrices_;
  const Dependence& dependence_;
  std::map<std::int64_t, std::vector<const RawForce*>> forces_;
  std::map<std::int64_t, std::vector<const RawGravity*>> gravity_;
  std::map<std::int64_t, std::vector<const RawPressure*>> pressures_;
  std::map<std::int64_t, std::vector<const RawRotation*>> rotations_;
  std::map<std::int64_t, const RawLoadSum*> sums_;
  Layer lower_{}, upper_{};  // if there are pressures
  std::set<Dof> fixed_;
  /// from nodes of expanded shells and beams with an offset to the middle of their sections, where
  /// CalculiX applies the forces on them
  std::map<std::int64_t, Eigen::Vector3d> middles_;
  std::string reason_;
};

/// Warns that a load by the mass matrix lacks a part: supports took rows away that a consistent
/// mass matrix couples with those that are left.
void warn_of_supports(const Gathered& gathered,
                      const Matrices& matrices,
                      Diagnostics& diagnostics) {
  const RawLoads& loads = gathered.geometry.loads;
  if (!matrices.mass || (loads.gravity.empty() && loads.rotations.empty())) return;
  const auto& fixed = gathered.geometry.fixed;
  const bool has_lost_rows = std::any_of(fixed.begin(), fixed.end(), [&](const Dof& dof) {
    return dof.component >= 1 && dof.component <= 3 && matrices.dofs.find(dof) < 0;
  });
  if (!has_lost_rows) return;
  const SparseMatrix& M = matrices.mass->full;
  for (Eigen::Index j = 0; j < M.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(M, j); it; ++it)
      if (it.value() != 0.0 && matrices.dofs[it.row()].node != matrices.dofs[j].node)
        return diagnostics.warn(
            "load-at-supports",
            "gravity and rotation lack the forces beside the supports, whose rows the mass matrix "
            "does not hold: write the matrices without supports for exact loads");
}

}  // namespace

std::vector<LoadCase> load_cases(const Gathered& gathered,
                                 const Matrices& matrices,
                                 const Dependence& dependence,
                                 Diagnostics& diagnostics) {
  std::vector<LoadCase> cases;
  if (matrices.dofs.size() == 0) return cases;
  warn_of_supports(gathered, matrices, diagnostics);
  LoadSets sets(gathered, matrices, dependence);
  const auto add_case = [&](std::int64_t id, std::int64_t set, const std::string& label) {
    std::optional<Eigen::VectorXd> load = sets.load_of(set);
    if (load)
      cases.push_back({id, label.empty() ? fmt::format("load {}", set) : label, std::move(*load)});
    else
      diagnostics.warn("load-case", fmt::format("load {} is left out: {}", set, sets.failure()));
  };
  const std::vector<RawLoadChoice>& chosen = gathered.geometry.loads.chosen;
  if (!chosen.empty()) {
    for (const RawLoadChoice& choice : chosen) {
      const std::int64_t id = choice.subcase == 0 ? choice.set : choice.subcase;
      if (choice.unread.empty())
        add_case(id, choice.set, choice.label);
      else
        diagnostics.warn(
            "load-case",
            fmt::format("load {} is left out: its subcase has {} too, which is not read",
                        choice.set,
                        choice.unread));
    }
  } else {
    for (const std::int64_t id : sets.outermost())
      add_case(id, id, "");
  }
  return cases;
}

}  // namespace femflex::importer

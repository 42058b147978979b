// Builds the load vectors of an imported model from the forces, moments and gravity of its load
// sets. Loads on dependent DOFs are distributed to the DOFs that these depend on.
#include "model/loads.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <fmt/format.h>

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
    for (const RawLoadSum& sum : loads_.sums)
      sums_[sum.id] = &sum;
    fixed_.insert(gathered.geometry.fixed.begin(), gathered.geometry.fixed.end());
  }

  /// Ids of all LOAD cards, and of the sets to which no LOAD card refers.
  std::set<std::int64_t> outermost() const {
    std::set<std::int64_t> ids;
    for (const auto& [id, unused] : forces_)
      ids.insert(id);
    for (const auto& [id, unused] : gravity_)
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
      return refuse(fmt::format("set {} has a {} card, which is not read", id, it->second));
    const auto forces = forces_.find(id);
    const auto gravity = gravity_.find(id);
    if (forces == forces_.end() && gravity == gravity_.end())
      return refuse(fmt::format("there is no load set {}", id));
    if (forces != forces_.end())
      for (const RawForce* force : forces->second)
        add_force(*force, factor, load);
    if (gravity != gravity_.end())
      for (const RawGravity* card : gravity->second)
        add_gravity(*card, factor, load);
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
    } else if (const auto axes = system_axes(force.system, *at)) {
      value = (*axes * value).eval();
    } else {
      return refuse(fmt::format("there is no coordinate system {}", force.system));
    }
    const int first = force.is_moment ? 4 : 1;
    for (int c = 0; c < 3; ++c)
      add({force.node, static_cast<std::int8_t>(first + c)}, factor * value(c), load);
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
  std::map<std::int64_t, const RawLoadSum*> sums_;
  std::set<Dof> fixed_;
  std::string reason_;
};

}  // namespace

std::vector<LoadCase> load_cases(const Gathered& gathered,
                                 const Matrices& matrices,
                                 const Dependence& dependence,
                                 Diagnostics& diagnostics) {
  std::vector<LoadCase> cases;
  if (matrices.dofs.size() == 0) return cases;
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
    for (const RawLoadChoice& choice : chosen)
      add_case(choice.subcase == 0 ? choice.set : choice.subcase, choice.set, choice.label);
  } else {
    for (const std::int64_t id : sets.outermost())
      add_case(id, id, "");
  }
  return cases;
}

}  // namespace femflex::importer

// Finds the tree of a model: walks over the joints from the ground, then from each body that no
// joint connects to the ground.
#include "recursive/tree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace femflex::mbd_solver {
namespace {

/// Number of coordinates of each TreeJoint.
constexpr std::array<int, 7> kFree = {0, 1, 1, 2, 2, 3, 6};

std::optional<TreeJoint> tree_joint(const JointModel& joint) {
  if (joint.is_motion || joint.grip >= 0) return std::nullopt;
  switch (joint.type) {
    case JointType::fixed:
      return TreeJoint::fixed;
    case JointType::revolute:
      return TreeJoint::revolute;
    case JointType::prismatic:
      return TreeJoint::prismatic;
    case JointType::cylindrical:
      return TreeJoint::cylindrical;
    case JointType::universal:
      return TreeJoint::universal;
    case JointType::spherical:
      return TreeJoint::spherical;
    default:
      return std::nullopt;
  }
}

bool is_full_rigid_body(const BodyModel& b) {
  return b.kind == BodyModel::Kind::rigid && b.nr == 6 && b.n == 0 && !b.massless && !b.augmented;
}

bool reads_solution(const Signal& signal) {
  using What = Probe::What;
  return std::any_of(signal.probes.begin(), signal.probes.end(), [](const Probe& probe) {
    return probe.is_acceleration() || probe.is_known_at_rows_only() ||
           probe.what == What::reaction_force || probe.what == What::reaction_torque ||
           probe.what == What::constraint_violation;
  });
}

bool loads_read_solution(const Model& model) {
  bool any = std::any_of(model.gravity.begin(), model.gravity.end(), reads_solution);
  for (const ForceModel& force : model.forces)
    force.for_each_signal([&](const Signal& signal) { any = any || reads_solution(signal); });
  for (const BlockModel& block : model.network.blocks)
    any = any || std::any_of(block.inputs.begin(), block.inputs.end(), reads_solution);
  return any;
}

bool reads_places(const Model& model) {
  return !model.forces.empty() || !model.network.blocks.empty() || model.angle_count > 0 ||
         std::any_of(model.gravity.begin(), model.gravity.end(), [](const Signal& signal) {
           return signal.follows_motion();
         });
}

/// Walks over the joints of a model.
class Walk {
 public:
  explicit Walk(const Model& model)
      : model_(model),
        joints_of_(model.bodies.size()),
        place_(model.bodies.size(), kUnseen),
        is_used_(model.joints.size(), 0) {
    for (std::size_t j = 0; j < model.joints.size(); ++j)
      for (const int leg : model.joints[j].legs)
        joints_of_[index_of(leg)].push_back(static_cast<int>(j));
  }

  std::optional<Tree> tree() {
    place_[static_cast<std::size_t>(model_.ground())] = -1;
    if (!walk_from(model_.ground())) return std::nullopt;
    for (int k = 0; k < model_.ground(); ++k) {
      if (place_[static_cast<std::size_t>(k)] != kUnseen) continue;
      TreeBody root;
      root.body = k;
      root.parent_body = model_.ground();
      add(root);
      if (!walk_from(k)) return std::nullopt;
    }
    tree_.reads_places = reads_places(model_);
    return std::move(tree_);
  }

 private:
  static constexpr int kUnseen = -2;

  std::size_t index_of(int marker) const {
    return static_cast<std::size_t>(model_.markers[static_cast<std::size_t>(marker)].body);
  }

  void add(TreeBody& body) {
    body.n = kFree[static_cast<std::size_t>(body.joint)];
    body.x0 = tree_.n;
    tree_.n += body.n;
    place_[static_cast<std::size_t>(body.body)] = static_cast<int>(tree_.bodies.size());
    tree_.bodies.push_back(body);
  }

  /// Adds all bodies that joints connect to `first`. Returns false at a loop.
  bool walk_from(int first) {
    std::vector<int> open = {first};
    while (!open.empty()) {
      const int parent = open.back();
      open.pop_back();
      for (const int j : joints_of_[static_cast<std::size_t>(parent)]) {
        char& is_used = is_used_[static_cast<std::size_t>(j)];
        if (is_used != 0) continue;
        is_used = 1;
        const JointModel& joint = model_.joints[static_cast<std::size_t>(j)];
        const bool is_b = index_of(joint.legs[0]) != static_cast<std::size_t>(parent);
        const int near = joint.legs[is_b ? 1 : 0], far = joint.legs[is_b ? 0 : 1];
        if (place_[index_of(far)] != kUnseen) return false;
        add_over(joint, near, far);
        open.push_back(static_cast<int>(index_of(far)));
      }
    }
    return true;
  }

  void add_over(const JointModel& joint, int near, int far) {
    const MarkerModel& a = model_.markers[static_cast<std::size_t>(near)];
    const MarkerModel& b = model_.markers[static_cast<std::size_t>(far)];
    TreeBody out;
    out.body = b.body;
    out.parent_body = a.body;
    out.parent = place_[static_cast<std::size_t>(a.body)];
    out.joint = *tree_joint(joint);
    out.r_A = a.r;
    out.r_B = b.r;
    out.z_A = a.R.col(2);
    out.z_B = b.R.col(2);
    out.A = Eigen::Quaterniond(a.R).normalized();
    out.B = Eigen::Quaterniond(b.R).normalized();
    add(out);
  }

  const Model& model_;
  std::vector<std::vector<int>> joints_of_;  // joints of each body
  std::vector<int> place_;                   // of each body in the tree; -1: ground
  std::vector<char> is_used_;                // per joint
  Tree tree_;
};

}  // namespace

std::optional<Tree> find_tree(const Model& model) {
  const bool is_plain =
      !model.planar && model.bodies.size() > 1 && model.flexes.empty() && model.motions.empty() &&
      model.grip_count == 0 && model.network.guests.empty() &&
      std::all_of(model.bodies.begin(), model.bodies.end() - 1, is_full_rigid_body) &&
      std::all_of(model.joints.begin(), model.joints.end(), [](const JointModel& joint) {
        return tree_joint(joint).has_value();
      });
  if (!is_plain || loads_read_solution(model)) return std::nullopt;
  return Walk(model).tree();
}

}  // namespace femflex::mbd_solver

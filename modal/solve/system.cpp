// Converts between the DOFs of a model (u) and the unknowns of its System (x), finds the unknowns
// of the interface, and names DOFs for messages.
#include "solve/system.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"

namespace femflex::modal {

std::string name_dofs(const FeModel& model, const std::vector<std::int64_t>& rows) {
  constexpr std::size_t kMaxNamed = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(kMaxNamed, rows.size()); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", to_string(model.dofs[rows[k]]));
  if (rows.size() > kMaxNamed) text += fmt::format(" and {} more", rows.size() - kMaxNamed);
  return text;
}

Eigen::MatrixXd System::expand(const Eigen::MatrixXd& x) const {
  if (!is_selection) return T * x;
  Eigen::MatrixXd u = Eigen::MatrixXd::Zero(T.rows(), x.cols());
  for (Eigen::Index col = 0; col < x.cols(); ++col)
    for (std::size_t k = 0; k < row_of.size(); ++k)
      u(row_of[k], col) = x(static_cast<Eigen::Index>(k), col);
  return u;
}

Eigen::MatrixXd System::restrict_load(const Eigen::MatrixXd& f) const {
  return T.transpose() * f;
}

Eigen::MatrixXd System::restrict_shape(const Eigen::MatrixXd& u) const {
  return S * u;
}

std::vector<std::int64_t> interface_unknowns(const FeModel& model,
                                             const System& system,
                                             const std::vector<Dof>& dofs) {
  const Dependence dependence(model);
  const auto refuse = [&](std::string what, std::string fix) {
    throw ModelError("dependent-interface", std::move(what), {}, std::move(fix));
  };
  const auto refuse_follower = [&](const std::string& what, const Dependence::Follower& follower) {
    const std::string leaders = leaders_of(model, follower);
    refuse(fmt::format("{} depends on {} by {}",
                       what,
                       leaders,
                       card_of(model.rigid_elements[static_cast<std::size_t>(follower.element)])),
           fmt::format("name {} instead", leaders));
  };
  std::vector<Dof> wanted = dofs;
  if (wanted.empty())
    for (const std::int64_t node : model.interface_nodes) {
      if (const Dependence::Follower* follower = dependence.find_node(node))
        refuse_follower(fmt::format("interface node {}", node), *follower);
      bool known = false;
      const std::size_t before = wanted.size();
      for (std::int8_t c = 1; c <= 6; ++c)
        if (const std::int64_t row = model.dofs.find({node, c}); row >= 0) {
          // known, but a row without an unknown (empty or fixed) cannot be an interface DOF
          known = true;
          if (system.unknown_of[static_cast<std::size_t>(row)] >= 0) wanted.push_back({node, c});
        }
      if (wanted.size() == before && model.dofs.find({node, 0}) >= 0)
        refuse(fmt::format("interface node {} is a scalar point, which has no place", node),
               "name a node of the structure");
      if (wanted.size() == before)
        refuse(fmt::format("interface node {} {}",
                           node,
                           known ? "has no DOF that can move: all are fixed or empty"
                                 : "has no row in the matrices"),
               "name a node that is in the matrices and is free");
    }
  if (wanted.empty())
    throw ModelError(
        "no-interface",
        "the model has no interface DOFs",
        {},
        "name interface nodes: --interface 101,201-208 (at import, or of reduce where its "
        "input is files of an FE code)");
  std::vector<std::int64_t> unknowns;
  for (const Dof& dof : wanted) {
    const std::int64_t row = model.dofs.find(dof);
    if (const Dependence::Follower* follower = row < 0 ? dependence.find(dof) : nullptr)
      refuse_follower(fmt::format("interface DOF {}", to_string(dof)), *follower);
    if (row < 0)
      throw ModelError("interface",
                       fmt::format("interface DOF {} is not in the matrices", to_string(dof)));
    const std::int64_t unknown = system.unknown_of[static_cast<std::size_t>(row)];
    if (unknown < 0) {
      if (const Dependence::Follower* follower = dependence.find(dof))
        refuse_follower(fmt::format("interface DOF {}", to_string(dof)), *follower);
      refuse(fmt::format("interface DOF {} is fixed or empty", to_string(dof)),
             "name a DOF that can move");
    }
    unknowns.push_back(unknown);
  }
  std::vector<std::int64_t> sorted = unknowns;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw ModelError("interface", "an interface DOF is named twice");
  return unknowns;
}

}  // namespace femflex::modal

// Multiplies the model's stiffness matrix by the displacements of the nodes, and of what moves
// inside elements; writes the loads as cards.
#include "results/load_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/text.h"

namespace femflex::tools {
namespace {

/// Loads below this share of the largest force or moment are round-off of K u.
constexpr double kRoundOff = 1e-13;

/// Forces and moments of a node.
struct NodeLoad {
  std::int64_t node = 0;
  std::array<double, 6> values{};
};

std::vector<NodeLoad> by_node(const FeModel& model, const Eigen::VectorXd& load) {
  std::array<double, 2> largest{};
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    double& most = largest[model.dofs[row].component > 3 ? 1 : 0];
    most = std::max(most, std::abs(load[row]));
  }
  std::vector<NodeLoad> out;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    const Dof& dof = model.dofs[row];
    if (std::abs(load[row]) <= kRoundOff * largest[dof.component > 3 ? 1 : 0]) continue;
    out.push_back({dof.node, {}});
    out.back().values[static_cast<std::size_t>(dof.component - 1)] = load[row];
  }
  std::stable_sort(
      out.begin(), out.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
  std::vector<NodeLoad> joined;
  for (const NodeLoad& each : out) {
    if (joined.empty() || joined.back().node != each.node) joined.push_back({each.node, {}});
    for (std::size_t c = 0; c < 6; ++c)
      joined.back().values[c] += each.values[c];
  }
  return joined;
}

std::string calculix_text(const FeModel& model,
                          const std::vector<InstantLoads>& cases,
                          const std::string& title) {
  std::string out = fmt::format("** {}\n** units {}\n", title, model.units->name);
  for (const InstantLoads& each : cases) {
    out += fmt::format(
        "** load case {}: t = {} s\n*STEP\n*STATIC\n*CLOAD, OP=NEW\n", each.id, each.time);
    for (const NodeLoad& load : by_node(model, each.load))
      for (std::size_t c = 0; c < 6; ++c)
        if (load.values[c] != 0.0)
          out += fmt::format("{},{},{:.12e}\n", load.node, c + 1, load.values[c]);
    out += "*NODE FILE\nU\n*EL FILE\nS\n*END STEP\n";
  }
  return out;
}

/// A NASTRAN card with fields of 16 columns.
std::string wide_card(std::string_view name,
                      std::int64_t set,
                      std::int64_t node,
                      const double* values) {
  return fmt::format("{:<8}{:>16}{:>16}{:>16}{:>16}*\n{:<8}{:>16.9E}{:>16.9E}{:>16.9E}\n",
                     std::string(name) + "*",
                     set,
                     node,
                     0,
                     "1.0",
                     "*",
                     values[0],
                     values[1],
                     values[2]);
}

std::string nastran_text(const FeModel& model,
                         const std::vector<InstantLoads>& cases,
                         const std::string& title) {
  std::string out = fmt::format("$ {}\n$ units {}\n", title, model.units->name);
  for (const InstantLoads& each : cases) {
    out += fmt::format("$ t = {} s: LOAD = {} in its subcase\n", each.time, each.id);
    for (const NodeLoad& load : by_node(model, each.load)) {
      const auto any = [&](std::size_t first) {
        return std::any_of(load.values.begin() + static_cast<std::ptrdiff_t>(first),
                           load.values.begin() + static_cast<std::ptrdiff_t>(first) + 3,
                           [](double value) { return value != 0.0; });
      };
      if (any(0)) out += wide_card("FORCE", each.id, load.node, load.values.data());
      if (any(3)) out += wide_card("MOMENT", each.id, load.node, load.values.data() + 3);
    }
  }
  return out;
}

/// Adds the motion of rows that belong to no node, such as the internal modes of C3D8I and the
/// knots of shells in CalculiX: no load acts there, K_ii u_i = -K_in u_n.
/// @param internal  index among these rows, -1 for rows of nodes
void add_internal_motion(const SparseMatrix& K,
                         const std::vector<Eigen::Index>& internal,
                         Eigen::Index count,
                         Eigen::VectorXd& u) {
  const Eigen::VectorXd load = K.selfadjointView<Eigen::Lower>() * u;  // u is 0 in these rows
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right(count);
  for (Eigen::Index j = 0; j < K.outerSize(); ++j) {
    const Eigen::Index column = internal[static_cast<std::size_t>(j)];
    if (column < 0) continue;
    right[column] = -load[j];
    for (SparseMatrix::InnerIterator it(K, j); it; ++it)
      if (const Eigen::Index row = internal[static_cast<std::size_t>(it.row())]; row >= 0)
        entries.emplace_back(row, column, it.value());
  }
  SparseMatrix K_ii(count, count);
  K_ii.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<SparseMatrix> factor(K_ii);
  const Eigen::VectorXd found = factor.solve(right);
  if (factor.info() != Eigen::Success || !found.allFinite())
    throw NumericalError("singular",
                         "the stiffness of rows that belong to no node is singular",
                         {},
                         "give a model whose internal modes are held by its elements");
  for (std::size_t row = 0; row < internal.size(); ++row)
    if (internal[row] >= 0) u[static_cast<Eigen::Index>(row)] = found[internal[row]];
}

/// Loads at the nodes by which CalculiX expands shells and beams would be in no deck. They belong
/// to no element, have translations alone, and the rotations of nodes of elements follow them.
/// @throws ModelError  the matrix has rows of such nodes
void refuse_expanded_nodes(const FeModel& model) {
  std::set<std::int64_t> known;
  for (const ElementBlock& block : model.elements)
    known.insert(block.connectivity.begin(), block.connectivity.end());
  const std::set<std::int64_t> of_elements = known;
  for (const Dof& dof : model.dofs.rows())
    if (dof.component > 3) known.insert(dof.node);
  const Dependence dependence(model);
  for (const auto& [dof, follower] : dependence.followers()) {
    if (dof.component <= 3 || !of_elements.contains(dof.node)) continue;
    for (const Dependence::RowTerm& term : follower.rows)
      if (const Dof& row = model.dofs[term.row]; row.component > 0 && !known.contains(row.node))
        throw ModelError("expanded-nodes",
                         fmt::format("the stiffness matrix has rows of nodes by which CalculiX "
                                     "expands shells and beams (at node {}), where a deck cannot "
                                     "place loads",
                                     dof.node),
                         {},
                         "use a model of solids, or the modal coordinates: --coordinates");
  }
}

}  // namespace

Eigen::VectorXd equivalent_loads(const FeModel& model,
                                 const FlexBody& body,
                                 const Eigen::VectorXd& zeta) {
  if (!model.stiffness)
    throw ModelError("no-matrices",
                     "the model has no stiffness matrix, which load cases are computed from",
                     {},
                     "import the model with its matrices");
  refuse_expanded_nodes(model);
  const Eigen::VectorXd at_nodes = body.shapes * zeta;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(model.dofs.size());
  std::vector<Eigen::Index> internal(static_cast<std::size_t>(model.dofs.size()), -1);
  Eigen::Index internal_count = 0;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    const Dof& dof = model.dofs[row];
    if (dof.component < 1) {
      internal[static_cast<std::size_t>(row)] = internal_count++;
      continue;
    }
    const Eigen::Index node = find_node(body, dof.node);
    if (node < 0)
      throw ModelError(
          "no-node",
          fmt::format("the body holds no motion of {} of the stiffness matrix", to_string(dof)),
          {},
          "reduce the body with all nodes of its model");
    u[row] =
        at_nodes[6 * node + dof.component - 1] / (dof.component > 3 ? 1.0 : model.units->length);
  }
  if (internal_count > 0) add_internal_motion(*model.stiffness, internal, internal_count, u);
  Eigen::VectorXd out = model.stiffness->selfadjointView<Eigen::Lower>() * u;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (internal[static_cast<std::size_t>(row)] >= 0) out[row] = 0.0;
  for (const Dof& dof : model.fixed)
    if (const std::int64_t row = model.dofs.find(dof); row >= 0) out[row] = 0.0;
  return out;
}

bool is_load_file(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string());
  return ending == ".inp" || ending == ".bdf" || ending == ".nas" || ending == ".dat";
}

void write_load_cases(const FeModel& model,
                      const std::vector<InstantLoads>& cases,
                      const std::string& title,
                      const std::filesystem::path& path) {
  const bool is_calculix = lower_case(path.extension().string()) == ".inp";
  io::write_file(
      path, is_calculix ? calculix_text(model, cases, title) : nastran_text(model, cases, title));
}

}  // namespace femflex::tools

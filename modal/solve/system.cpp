#include "solve/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Model rows that follow others, with what they follow.
using Ties = std::map<std::int64_t, std::vector<Dependence::RowTerm>>;

/// DOFs without a row went before the matrices were written: only those with one are tied.
Ties ties_of(const FeModel& model, Diagnostics& diagnostics) {
  const Dependence dependence(model);
  const auto card = [&](std::int64_t element) {
    return card_of(model.rigid_elements[static_cast<std::size_t>(element)]);
  };
  if (!dependence.clashes().empty()) {
    const Dependence::Clash& clash = dependence.clashes().front();
    throw ModelError("rigid-element",
                     fmt::format("DOF {} depends on two rigid elements, {} and {}",
                                 to_string(clash.dof),
                                 card(clash.first),
                                 card(clash.second)),
                     {},
                     "leave it out of one of them, or let another DOF depend there");
  }
  if (!dependence.unapplied().empty())
    diagnostics.warn("unapplied-constraints",
                     fmt::format("not worked into the matrices: {}; the motions do not obey them",
                                 cards_of(model, dependence.unapplied())));
  Ties ties;
  for (const auto& [dof, follower] : dependence.followers()) {
    if (follower.row < 0) continue;
    if (follower.is_cyclic)
      throw ModelError("rigid-element",
                       fmt::format("rigid elements form a ring at {}", to_string(dof)),
                       {},
                       "let one of their nodes be independent: turn one of the cards round");
    if (!follower.complete)
      throw ModelError("rigid-element",
                       fmt::format("{}: {} follows {}, which is not in the matrices",
                                   card(follower.element),
                                   to_string(dof),
                                   to_string(follower.missing)),
                       {},
                       "export matrices of the independent DOFs (KLL, KAA)");
    ties.emplace(follower.row, follower.rows);
  }
  return ties;
}

/// M without the round-off that sums of element matrices leave of a zero: a row the diagonal entry
/// of which is below 1e-14 of the largest one (of translations, or of rotations) keeps no entry of
/// that size. Nothing where M holds none.
std::optional<SparseMatrix> mass_without_round_off(const FeModel& model) {
  constexpr double round_off = 1e-14;
  const SparseMatrix& M = *model.mass;
  const Eigen::VectorXd diagonal = M.diagonal();
  std::array<double, 2> largest{};  // translations and the rest, rotations
  const auto kind = [&](Eigen::Index row) -> std::size_t {
    const int c = model.dofs[row].component;
    return c >= 4 && c <= 6 ? 1 : 0;
  };
  for (Eigen::Index row = 0; row < diagonal.size(); ++row)
    largest[kind(row)] = std::max(largest[kind(row)], std::abs(diagonal(row)));
  // rotations may hold round-off alone: masses of a hundredth of the model's length turn with more
  Eigen::AlignedBox3d box;
  for (const Node& node : model.nodes)
    box.extend(node.position);
  if (!box.isEmpty())
    largest[1] = std::max(largest[1], 1e-4 * box.sizes().squaredNorm() * largest[0]);
  const auto size = [&](Eigen::Index row) { return largest[kind(row)]; };
  const auto is_hollow = [&](Eigen::Index row) {
    return std::abs(diagonal(row)) <= round_off * size(row);
  };
  const auto is_noise = [&](Eigen::Index i, Eigen::Index j, double value) {
    if (value == 0.0 || (!is_hollow(i) && !is_hollow(j))) return false;
    const double scale = std::max(size(i), diagonal(j)) * std::max(size(j), diagonal(i));
    return std::abs(value) <= round_off * std::sqrt(scale);
  };
  std::optional<SparseMatrix> out;
  for (Eigen::Index col = 0; col < M.cols(); ++col)
    for (SparseMatrix::InnerIterator it(M, col); it; ++it)
      if (is_noise(it.row(), col, it.value())) {
        if (!out) out = M;
        out->coeffRef(it.row(), col) = 0.0;
      }
  return out;
}

void check_mass(const FeModel& model, const SparseMatrix& M) {
  const Eigen::VectorXd diagonal = M.diagonal();
  for (Eigen::Index row = 0; row < diagonal.size(); ++row)
    if (diagonal(row) < 0.0)
      throw ModelError("indefinite-mass",
                       fmt::format("M is indefinite: its diagonal entry at {} is {:.3e}",
                                   to_string(model.dofs[row]),
                                   diagonal(row)));
  for (Eigen::Index col = 0; col < M.cols(); ++col)
    for (SparseMatrix::InnerIterator it(M, col); it; ++it)
      if (it.row() != col &&
          it.value() * it.value() > (1.0 + 1e-9) * diagonal(col) * diagonal(it.row()))
        throw ModelError("indefinite-mass",
                         fmt::format("M is indefinite: |M({0}, {1})| = {2:.3e} exceeds the mean of "
                                     "the diagonal entries {3:.3e} and {4:.3e}",
                                     to_string(model.dofs[it.row()]),
                                     to_string(model.dofs[col]),
                                     std::abs(it.value()),
                                     diagonal(it.row()),
                                     diagonal(col)));
}

/// T' A T, lower triangle; picks entries where T is a selection.
SparseMatrix transformed(const SparseMatrix& A, const System& system) {
  const auto n = static_cast<Eigen::Index>(system.row_of.size());
  if (!system.is_selection) {
    const SparseMatrix product = system.T.transpose() * (mirrored(A) * system.T);
    SparseMatrix lower = product.triangularView<Eigen::Lower>();
    lower.makeCompressed();
    return lower;
  }
  // row_of rises, so the lower triangle stays lower
  SparseMatrix out(n, n);
  out.reserve(A.nonZeros());
  for (Eigen::Index col = 0; col < n; ++col) {
    out.startVec(col);
    for (SparseMatrix::InnerIterator it(A, system.row_of[static_cast<std::size_t>(col)]); it;
         ++it) {
      const std::int64_t row = system.unknown_of[static_cast<std::size_t>(it.row())];
      if (row >= 0 && it.value() != 0.0) out.insertBack(row, col) = it.value();
    }
  }
  out.finalize();
  return out;
}

std::vector<bool> rows_in_use(const SparseMatrix& A) {
  std::vector<bool> used(static_cast<std::size_t>(A.rows()), false);
  for (Eigen::Index col = 0; col < A.cols(); ++col)
    for (SparseMatrix::InnerIterator it(A, col); it; ++it)
      if (it.value() != 0.0)
        used[static_cast<std::size_t>(it.row())] = used[static_cast<std::size_t>(col)] = true;
  return used;
}

}  // namespace

std::string name_dofs(const FeModel& model, const std::vector<std::int64_t>& rows) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, rows.size()); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : ", ", to_string(model.dofs[rows[k]]));
  if (rows.size() > most) text += fmt::format(" and {} more", rows.size() - most);
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

namespace {

/// Directions of rotation of a node that nothing resists: the normals of shells. Below 1e-8 of the
/// stiffest direction they are round-off (the limit that NASTRAN's AUTOSPC takes).
struct LooseNode {
  std::array<std::int64_t, 3> rows{};
  Eigen::Matrix3d directions = Eigen::Matrix3d::Identity();  // columns
  std::array<bool, 3> loose{};
};

std::vector<LooseNode> loose_rotations(const FeModel& model, const std::vector<bool>& candidate) {
  constexpr double least = 1e-8;
  const SparseMatrix& K = *model.stiffness;
  const Eigen::VectorXd diagonal = K.diagonal();
  double stiffest = 0.0;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component > 3) stiffest = std::max(stiffest, diagonal(row));
  std::vector<LooseNode> out;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    if (model.dofs[row].component != 4) continue;
    LooseNode node;
    bool whole = true;
    for (std::int8_t c = 0; c < 3; ++c) {
      const std::int64_t r =
          model.dofs.find({model.dofs[row].node, static_cast<std::int8_t>(4 + c)});
      whole = whole && r >= 0 && candidate[static_cast<std::size_t>(r)];
      node.rows[static_cast<std::size_t>(c)] = r;
    }
    if (!whole) continue;
    Eigen::Matrix3d block;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const std::int64_t r = node.rows[static_cast<std::size_t>(std::max(a, b))];
        const std::int64_t c = node.rows[static_cast<std::size_t>(std::min(a, b))];
        block(a, b) = K.coeff(std::max(r, c), std::min(r, c));
      }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(block);
    const double largest = std::max(solver.eigenvalues()(2), 1e-6 * stiffest);
    if (!(solver.eigenvalues()(0) < least * largest)) continue;
    // shells along the axes keep their own DOFs
    bool aligned = true;
    for (int a = 0; a < 3; ++a)
      if (solver.eigenvalues()(a) < least * largest)
        aligned = aligned && solver.eigenvectors().col(a).cwiseAbs().maxCoeff() > 1.0 - 1e-9;
    if (aligned) {
      for (int a = 0; a < 3; ++a)
        node.loose[static_cast<std::size_t>(a)] = block(a, a) < least * largest;
    } else {
      node.directions = solver.eigenvectors();
      for (int a = 0; a < 3; ++a)
        node.loose[static_cast<std::size_t>(a)] = solver.eigenvalues()(a) < least * largest;
    }
    out.push_back(node);
  }
  return out;
}

}  // namespace

System build_system(const FeModel& model, Diagnostics& diagnostics) {
  if (!model.stiffness || !model.mass)
    throw ModelError(
        "no-matrices",
        fmt::format("the model holds no {}", model.stiffness ? "mass matrix" : "stiffness matrix"),
        {},
        "import K and M");
  const std::optional<SparseMatrix> cleaned = mass_without_round_off(model);
  const SparseMatrix& mass = cleaned ? *cleaned : *model.mass;
  check_mass(model, mass);
  const std::int64_t n = model.dofs.size();
  System system;
  const Ties ties = ties_of(model, diagnostics);
  std::vector<bool> out(static_cast<std::size_t>(n), false);
  for (const Dof& dof : model.fixed)
    if (const std::int64_t row = model.dofs.find(dof); row >= 0) {
      if (ties.count(row) != 0)
        throw ModelError(
            "rigid-element",
            fmt::format("DOF {} is fixed and depends on a rigid element at once", to_string(dof)),
            {},
            "leave it out of the SPC, or hold the DOFs that lead it");
      out[static_cast<std::size_t>(row)] = true;
    }
  const std::vector<bool> in_K = rows_in_use(*model.stiffness);
  const std::vector<bool> in_M = rows_in_use(mass);
  std::vector<bool> held_up(static_cast<std::size_t>(n), false);  // something hangs on it
  for (const auto& [row, terms] : ties)
    for (const Dependence::RowTerm& term : terms)
      held_up[static_cast<std::size_t>(term.row)] = true;
  system.tied.assign(static_cast<std::size_t>(n), false);
  for (const auto& [row, terms] : ties)
    system.tied[static_cast<std::size_t>(row)] = true;
  std::vector<bool> candidate(static_cast<std::size_t>(n), false);
  for (std::size_t r = 0; r < candidate.size(); ++r)
    candidate[r] = !out[r] && !system.tied[r] && !held_up[r] && !in_M[r];
  const std::vector<LooseNode> loose = loose_rotations(model, candidate);
  std::vector<std::int64_t> empty;
  std::vector<std::int64_t> massless;
  std::map<std::int64_t, const LooseNode*>
      turned;  // rows of nodes with an inclined loose direction
  for (const LooseNode& node : loose) {
    const bool inclined = !node.directions.isIdentity(0.0);
    for (std::size_t a = 0; a < 3; ++a) {
      if (inclined) turned[node.rows[a]] = &node;
      if (node.loose[a]) {
        empty.push_back(node.rows[a]);
        if (!inclined) out[static_cast<std::size_t>(node.rows[a])] = true;
      }
    }
  }
  system.unknown_of.assign(static_cast<std::size_t>(n), -1);
  for (std::int64_t row = 0; row < n; ++row) {
    const auto r = static_cast<std::size_t>(row);
    if (out[r] || system.tied[r]) continue;
    if (const auto at = turned.find(row); at != turned.end()) {
      // row a of the node stands for its direction a
      const auto a = static_cast<std::size_t>(model.dofs[row].component - 4);
      if (at->second->loose[a]) continue;
    } else if (!in_K[r] && !in_M[r] && !held_up[r]) {
      empty.push_back(row);
      continue;
    }
    if (!in_M[r] && !held_up[r]) massless.push_back(row);
    system.unknown_of[r] = static_cast<std::int64_t>(system.row_of.size());
    system.row_of.push_back(row);
  }
  if (!empty.empty())
    diagnostics.warn(
        "empty-dofs",
        fmt::format("{} DOFs or directions without stiffness and mass are left out, at {}",
                    empty.size(),
                    name_dofs(model, empty)));
  system.massless = static_cast<std::int64_t>(massless.size());
  if (!massless.empty())
    diagnostics.warn("massless-dofs",
                     fmt::format("{} DOFs carry no mass and are condensed statically: {}",
                                 massless.size(),
                                 name_dofs(model, massless)));

  std::vector<femflex::Entry> entries;
  system.is_selection = ties.empty() && turned.empty();
  std::vector<femflex::Entry> inverse;
  for (std::size_t k = 0; k < system.row_of.size(); ++k) {
    const auto unknown = static_cast<std::int64_t>(k);
    const std::int64_t row = system.row_of[k];
    const auto at = turned.find(row);
    if (at == turned.end()) {
      entries.push_back({row, unknown, 1.0});
      inverse.push_back({unknown, row, 1.0});
      continue;
    }
    const LooseNode& node = *at->second;
    for (int c = 0; c < 3; ++c) {
      const double part = node.directions(c, model.dofs[row].component - 4);
      entries.push_back({node.rows[static_cast<std::size_t>(c)], unknown, part});
      inverse.push_back({unknown, node.rows[static_cast<std::size_t>(c)], part});
    }
  }
  system.S = assemble(static_cast<std::int64_t>(system.row_of.size()), n, inverse);
  for (const auto& [row, terms] : ties)
    for (const Dependence::RowTerm& term : terms) {
      const std::int64_t unknown = system.unknown_of[static_cast<std::size_t>(term.row)];
      if (unknown >= 0) entries.push_back({row, unknown, term.factor});
    }
  system.T = assemble(n, static_cast<std::int64_t>(system.row_of.size()), entries);
  system.K = transformed(*model.stiffness, system);
  system.M = transformed(mass, system);
  system.K.makeCompressed();
  system.M.makeCompressed();

  std::map<std::int64_t, std::int32_t> numbers;
  system.group.reserve(system.row_of.size());
  for (const std::int64_t row : system.row_of) {
    const Dof& dof = model.dofs[row];
    // scalar points of one number need not belong to a node of that number
    const std::int64_t key = dof.component == 0 ? -dof.node - 1 : dof.node;
    system.group.push_back(
        numbers.emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
  }
  if (system.size() == 0) throw ModelError("no-dofs", "no free DOF is left in the model");
  return system;
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
          known = true;  // but an empty or fixed row is not an interface
          if (system.unknown_of[static_cast<std::size_t>(row)] >= 0) wanted.push_back({node, c});
        }
      if (wanted.size() == before)
        refuse(fmt::format("interface node {} {}",
                           node,
                           known ? "has no DOF that can move: all are fixed or empty"
                                 : "has no row in the matrices"),
               "name a node that the matrices know and that is free");
    }
  if (wanted.empty())
    throw ModelError("no-interface",
                     "the model has no interface DOFs",
                     {},
                     "name interface nodes at import (--interface), or give DOFs");
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

// Builds a System (system.h) from an FE model: removes fixed DOFs, lets dependent DOFs follow
// their rigid elements, and leaves out DOFs without stiffness and mass. T maps unknowns to model
// DOFs, S is its inverse on motions that obey T.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

#include "solve/projection.h"
#include "solve/system.h"

namespace femflex::modal {
namespace {

/// Model rows that depend on others, with the terms of the dependence.
using Ties = std::map<std::int64_t, std::vector<Dependence::RowTerm>>;

/// Finds the tied rows. DOFs without a row were eliminated before the matrices were written, so
/// only those with a row are tied.
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
                     "leave it out of one of them, or make another DOF dependent there");
  }
  if (!dependence.unapplied().empty())
    diagnostics.warn("unapplied-constraints",
                     fmt::format("not applied to the matrices: {}; the motions do not obey them",
                                 cards_of(model, dependence.unapplied())));
  Ties ties;
  for (const auto& [dof, follower] : dependence.followers()) {
    if (follower.row < 0) continue;
    if (follower.is_cyclic)
      throw ModelError("rigid-element",
                       fmt::format("rigid elements form a cycle at {}", to_string(dof)),
                       {},
                       "make one of their nodes independent: reverse one of the cards");
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

/// M without the round-off that sums of element matrices leave in place of zeros: a row whose
/// diagonal entry is below kMassRoundOff of the largest one (of translations, or of rotations)
/// keeps no entry of that size. Empty if M holds no such row.
std::optional<SparseMatrix> mass_without_round_off(const FeModel& model) {
  constexpr double kMassRoundOff = 1e-14;  // round-off of sums of a hundred terms, 1e-16 each
  constexpr double kRotaryArm = 1e-2;      // relative to the length of the model
  const SparseMatrix& M = *model.mass;
  const Eigen::VectorXd diagonal = M.diagonal();
  std::array<double, 2> largest{};  // largest of translations and scalar points, and of rotations
  const auto kind = [&](Eigen::Index row) -> std::size_t {
    const int c = model.dofs[row].component;
    return c >= 4 && c <= 6 ? 1 : 0;
  };
  for (Eigen::Index row = 0; row < diagonal.size(); ++row)
    largest[kind(row)] = std::max(largest[kind(row)], std::abs(diagonal(row)));
  // rotations may contain only round-off, so the largest mass at an arm of kRotaryArm sets their
  // scale
  Eigen::AlignedBox3d box;
  for (const Node& node : model.nodes)
    box.extend(node.position);
  if (!box.isEmpty())
    largest[1] =
        std::max(largest[1], kRotaryArm * kRotaryArm * box.sizes().squaredNorm() * largest[0]);
  const auto scale_of = [&](Eigen::Index row) { return largest[kind(row)]; };
  const auto is_massless = [&](Eigen::Index row) {
    return std::abs(diagonal(row)) <= kMassRoundOff * scale_of(row);
  };
  const auto is_noise = [&](Eigen::Index i, Eigen::Index j, double value) {
    if (value == 0.0 || (!is_massless(i) && !is_massless(j))) return false;
    const double scale = std::max(scale_of(i), diagonal(j)) * std::max(scale_of(j), diagonal(i));
    return std::abs(value) <= kMassRoundOff * std::sqrt(scale);
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

/// @throws ModelError  a diagonal entry is negative, or a block of two DOFs is indefinite
void check_mass(const FeModel& model, const SparseMatrix& M) {
  constexpr double kDigits = 1e-9;  // relative uncertainty due to the number of digits in a file
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
          it.value() * it.value() > (1.0 + kDigits) * diagonal(col) * diagonal(it.row()))
        throw ModelError("indefinite-mass",
                         fmt::format("M is indefinite: |M({0}, {1})| = {2:.3e} exceeds the mean of "
                                     "the diagonal entries {3:.3e} and {4:.3e}",
                                     to_string(model.dofs[it.row()]),
                                     to_string(model.dofs[col]),
                                     std::abs(it.value()),
                                     diagonal(it.row()),
                                     diagonal(col)));
}

/// T' A T, lower triangle; if T only leaves rows out, the entries of the other rows.
SparseMatrix transformed(const SparseMatrix& A, const System& system) {
  const auto n = static_cast<Eigen::Index>(system.row_of.size());
  if (!system.is_selection) {
    const SparseMatrix product = system.T.transpose() * (mirrored(A) * system.T);
    SparseMatrix lower = product.triangularView<Eigen::Lower>();
    lower.makeCompressed();
    return lower;
  }
  // row_of is in ascending order, so the lower triangle stays lower
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

/// Which rows have an entry that is not zero.
std::vector<bool> rows_in_use(const SparseMatrix& A) {
  std::vector<bool> used(static_cast<std::size_t>(A.rows()), false);
  for (Eigen::Index col = 0; col < A.cols(); ++col)
    for (SparseMatrix::InnerIterator it(A, col); it; ++it)
      if (it.value() != 0.0)
        used[static_cast<std::size_t>(it.row())] = used[static_cast<std::size_t>(col)] = true;
  return used;
}

/// Limit of NASTRAN's AUTOSPC (PARAM,EPZERO): a direction with less than this share of the
/// stiffness of the stiffest direction of its node has only round-off for stiffness.
constexpr double kEmptyDirection = 1e-8;
/// A node has no rotational stiffness if all its rotations are below this share of the stiffest
/// rotation in the model.
constexpr double kWeakNode = 1e-6;
/// Cosine above which a direction is taken as an axis of the node.
constexpr double kAligned = 1.0 - 1e-9;

/// Rotations of a node, and their directions without stiffness (normals of shells).
struct NodeRotations {
  std::array<std::int64_t, 3> rows{};
  Eigen::Matrix3d directions = Eigen::Matrix3d::Identity();  // columns
  std::array<bool, 3> has_no_stiffness{};
};

std::vector<NodeRotations> rotations_without_stiffness(const FeModel& model,
                                                       const std::vector<bool>& candidate) {
  const SparseMatrix& K = *model.stiffness;
  const Eigen::VectorXd diagonal = K.diagonal();
  double stiffest = 0.0;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component > 3) stiffest = std::max(stiffest, diagonal(row));
  std::vector<NodeRotations> out;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    if (model.dofs[row].component != 4) continue;
    NodeRotations node;
    bool has_all_rows = true;
    for (std::int8_t c = 0; c < 3; ++c) {
      const std::int64_t r =
          model.dofs.find({model.dofs[row].node, static_cast<std::int8_t>(4 + c)});
      has_all_rows = has_all_rows && r >= 0 && candidate[static_cast<std::size_t>(r)];
      node.rows[static_cast<std::size_t>(c)] = r;
    }
    if (!has_all_rows) continue;
    Eigen::Matrix3d block;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const std::int64_t r = node.rows[static_cast<std::size_t>(std::max(a, b))];
        const std::int64_t c = node.rows[static_cast<std::size_t>(std::min(a, b))];
        block(a, b) = K.coeff(std::max(r, c), std::min(r, c));
      }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(block);
    const double largest = std::max(solver.eigenvalues()(2), kWeakNode * stiffest);
    if (!(solver.eigenvalues()(0) < kEmptyDirection * largest)) continue;
    // shells parallel to a coordinate plane keep their own DOFs
    bool is_aligned = true;
    for (int a = 0; a < 3; ++a)
      if (solver.eigenvalues()(a) < kEmptyDirection * largest)
        is_aligned = is_aligned && solver.eigenvectors().col(a).cwiseAbs().maxCoeff() > kAligned;
    if (is_aligned) {
      for (int a = 0; a < 3; ++a)
        node.has_no_stiffness[static_cast<std::size_t>(a)] =
            block(a, a) < kEmptyDirection * largest;
    } else {
      node.directions = solver.eigenvectors();
      for (int a = 0; a < 3; ++a)
        node.has_no_stiffness[static_cast<std::size_t>(a)] =
            solver.eigenvalues()(a) < kEmptyDirection * largest;
    }
    out.push_back(node);
  }
  return out;
}

/// Decides how each model row is treated, then builds T, K and M of those that remain.
class SystemBuilder {
 public:
  SystemBuilder(const FeModel& model, const SparseMatrix& mass, Diagnostics& diagnostics)
      : model_(model),
        mass_(mass),
        diagnostics_(diagnostics),
        ties_(ties_of(model, diagnostics)),
        is_removed_(row_count(), false),
        is_independent_(row_count(), false),
        in_K_(rows_in_use(*model.stiffness)),
        in_M_(rows_in_use(mass)) {}

  System build() {
    leave_fixed_out();
    mark_ties();
    find_rotations_without_stiffness();
    number_unknowns();
    warn();
    make_transformation();
    system_.K = transformed(*model_.stiffness, system_);
    system_.M = transformed(mass_, system_);
    system_.K.makeCompressed();
    system_.M.makeCompressed();
    group_by_node();
    if (system_.size() == 0) throw ModelError("no-dofs", "no free DOF is left in the model");
    return std::move(system_);
  }

 private:
  std::size_t row_count() const { return static_cast<std::size_t>(model_.dofs.size()); }

  void leave_fixed_out() {
    for (const Dof& dof : model_.fixed) {
      const std::int64_t row = model_.dofs.find(dof);
      if (row < 0) continue;
      if (ties_.count(row) != 0)
        throw ModelError(
            "rigid-element",
            fmt::format("DOF {} is fixed and also depends on a rigid element", to_string(dof)),
            {},
            "leave it out of the SPC, or hold the DOFs that it depends on");
      is_removed_[static_cast<std::size_t>(row)] = true;
    }
  }

  void mark_ties() {
    for (const auto& [row, terms] : ties_)
      for (const Dependence::RowTerm& term : terms)
        is_independent_[static_cast<std::size_t>(term.row)] = true;
    system_.tied.assign(row_count(), false);
    for (const auto& [row, terms] : ties_)
      system_.tied[static_cast<std::size_t>(row)] = true;
  }

  void find_rotations_without_stiffness() {
    std::vector<bool> candidate(row_count(), false);
    for (std::size_t r = 0; r < candidate.size(); ++r)
      candidate[r] = !is_removed_[r] && !system_.tied[r] && !is_independent_[r] && !in_M_[r];
    rotations_ = rotations_without_stiffness(model_, candidate);
    for (const NodeRotations& node : rotations_) {
      const bool is_inclined = !node.directions.isIdentity(0.0);
      for (std::size_t a = 0; a < 3; ++a) {
        if (is_inclined) inclined_[node.rows[a]] = &node;
        if (!node.has_no_stiffness[a]) continue;
        empty_.push_back(node.rows[a]);
        if (!is_inclined) is_removed_[static_cast<std::size_t>(node.rows[a])] = true;
      }
    }
  }

  void number_unknowns() {
    system_.unknown_of.assign(row_count(), -1);
    for (std::size_t r = 0; r < row_count(); ++r) {
      const auto row = static_cast<std::int64_t>(r);
      if (is_removed_[r] || system_.tied[r]) continue;
      if (const auto at = inclined_.find(row); at != inclined_.end()) {
        if (at->second->has_no_stiffness[static_cast<std::size_t>(direction_of(row))]) continue;
      } else if (!in_K_[r] && !in_M_[r] && !is_independent_[r]) {
        empty_.push_back(row);
        continue;
      }
      if (!in_M_[r] && !is_independent_[r]) massless_.push_back(row);
      system_.unknown_of[r] = static_cast<std::int64_t>(system_.row_of.size());
      system_.row_of.push_back(row);
    }
    system_.massless = static_cast<std::int64_t>(massless_.size());
  }

  /// Direction index of a rotation row. Row a of an inclined node becomes the unknown of its
  /// direction a.
  int direction_of(std::int64_t row) const { return model_.dofs[row].component - 4; }

  void warn() const {
    if (!empty_.empty())
      diagnostics_.warn(
          "empty-dofs",
          fmt::format("{} DOFs or directions without stiffness and mass are left out, at {}",
                      empty_.size(),
                      name_dofs(model_, empty_)));
    if (!massless_.empty())
      diagnostics_.warn("massless-dofs",
                        fmt::format("{} DOFs carry no mass and are condensed statically: {}",
                                    massless_.size(),
                                    name_dofs(model_, massless_)));
  }

  /// Builds T, and S, which is its inverse for motions that obey T.
  void make_transformation() {
    const auto unknowns = static_cast<std::int64_t>(system_.row_of.size());
    std::vector<femflex::Entry> entries;
    std::vector<femflex::Entry> inverse;
    system_.is_selection = ties_.empty() && inclined_.empty();
    for (std::int64_t unknown = 0; unknown < unknowns; ++unknown) {
      const std::int64_t row = system_.row_of[static_cast<std::size_t>(unknown)];
      const auto at = inclined_.find(row);
      if (at == inclined_.end()) {
        entries.push_back({row, unknown, 1.0});
        inverse.push_back({unknown, row, 1.0});
        continue;
      }
      const NodeRotations& node = *at->second;
      for (int c = 0; c < 3; ++c) {
        const double part = node.directions(c, direction_of(row));
        entries.push_back({node.rows[static_cast<std::size_t>(c)], unknown, part});
        inverse.push_back({unknown, node.rows[static_cast<std::size_t>(c)], part});
      }
    }
    system_.S = assemble(unknowns, model_.dofs.size(), inverse);
    for (const auto& [row, terms] : ties_)
      for (const Dependence::RowTerm& term : terms) {
        const std::int64_t unknown = system_.unknown_of[static_cast<std::size_t>(term.row)];
        if (unknown >= 0) entries.push_back({row, unknown, term.factor});
      }
    system_.T = assemble(model_.dofs.size(), unknowns, entries);
  }

  void group_by_node() {
    std::map<std::int64_t, std::int32_t> numbers;
    system_.group.reserve(system_.row_of.size());
    for (const std::int64_t row : system_.row_of) {
      const Dof& dof = model_.dofs[row];
      // a scalar point need not belong to the node of the same number
      const std::int64_t key = dof.component == 0 ? -dof.node - 1 : dof.node;
      system_.group.push_back(
          numbers.emplace(key, static_cast<std::int32_t>(numbers.size())).first->second);
    }
  }

  const FeModel& model_;
  const SparseMatrix& mass_;
  Diagnostics& diagnostics_;
  Ties ties_;
  std::vector<bool> is_removed_;      // true if the row is fixed, or is the normal of a shell
  std::vector<bool> is_independent_;  // true if a tied row depends on this row
  std::vector<bool> in_K_, in_M_;
  std::vector<NodeRotations> rotations_;
  // by the rotation rows of each node with an inclined direction
  std::map<std::int64_t, const NodeRotations*> inclined_;
  std::vector<std::int64_t> empty_, massless_;
  System system_;
};

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
  return SystemBuilder(model, mass, diagnostics).build();
}

}  // namespace femflex::modal

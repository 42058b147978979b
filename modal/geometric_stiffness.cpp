// Computes the geometric stiffness of a body: the stiffness matrix of the preloaded model minus
// that of the unloaded model, projected on the shapes, divided by the amount of the preload. The
// stiffness that a centrifugal load has itself is recognised and taken out.
#include "femflex/modal/geometric_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/stiffening_causes.h"

#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Cause = GeometricStiffness::Cause;
using Translations = Eigen::Matrix<double, Eigen::Dynamic, 3>;

std::string name_of(const PreloadedStiffness& state) {
  for (const auto& [cause, text] : kStiffeningCauses)
    if (cause == state.cause && cause != Cause::force) return std::string(text);
  return fmt::format("a force on {}", to_string(Dof{state.node, state.component}));
}

/// S in K_load = amount M S, the stiffness of the centrifugal load -M w~ w~ (x + u), on x, y, z of
/// each node: S = w w' - w^2. Nothing for other causes. docs/theory/modal.md eq. (19b)
std::optional<Eigen::Matrix3d> stiffness_of_load(Cause cause) {
  constexpr std::array<std::pair<int, int>, 6> kPairs{
      {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};
  if (cause < Cause::spin_xx || cause > Cause::spin_xz) return std::nullopt;
  const auto [p, q] =
      kPairs[static_cast<std::size_t>(cause) - static_cast<std::size_t>(Cause::spin_xx)];
  Eigen::Matrix3d S = Eigen::Matrix3d::Zero();
  if (p == q) {
    S.diagonal().setConstant(-1.0);
    S(p, p) = 0.0;
  } else {
    S(p, q) = S(q, p) = 1.0;
  }
  return S;
}

bool is_translation(const Dof& dof) {
  return dof.component >= 1 && dof.component <= 3;
}

/// One entry of S, placed on x, y, z of each node.
struct NodalEntry {
  std::int64_t row = 0, col = 0;
  double value = 0.0;
};

std::vector<NodalEntry> on_each_node(const Eigen::Matrix3d& S, const DofMap& dofs) {
  std::vector<NodalEntry> out;
  for (std::int64_t row = 0; row < dofs.size(); ++row) {
    if (!is_translation(dofs[row])) continue;
    for (std::int8_t c = 1; c <= 3; ++c) {
      const double value = S(dofs[row].component - 1, c - 1);
      if (value == 0.0) continue;
      if (const std::int64_t col = dofs.find({dofs[row].node, c}); col >= 0)
        out.push_back({row, col, value});
    }
  }
  return out;
}

/// S X; 0 in the rows without an entry.
Eigen::MatrixXd product(const std::vector<NodalEntry>& S,
                        const Eigen::Ref<const Eigen::MatrixXd>& X) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(X.rows(), X.cols());
  for (Eigen::Index j = 0; j < X.cols(); ++j)
    for (const NodalEntry& entry : S)
      out(entry.row, j) += entry.value * X(entry.col, j);
  return out;
}

/// Translations of the model along x, y, z.
Translations translations(const DofMap& dofs) {
  Translations T = Translations::Zero(dofs.size(), 3);
  for (std::int64_t row = 0; row < dofs.size(); ++row)
    if (is_translation(dofs[row])) T(row, dofs[row].component - 1) = 1.0;
  return T;
}

/// The sums of |K_ij| over the translations j, for each row i.
Eigen::VectorXd magnitude_of_rows(const SparseMatrix& lower, const DofMap& dofs) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(lower.rows());
  for (Eigen::Index col = 0; col < lower.outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(lower, col); it; ++it) {
      if (is_translation(dofs[col])) out(it.row()) += std::abs(it.value());
      if (it.row() != col && is_translation(dofs[it.row()])) out(col) += std::abs(it.value());
    }
  return out;
}

/// T without the rows on which K puts a force when the model moves by T: those next to supports.
Translations unsupported_rows(const SparseMatrix& stiffness,
                              const DofMap& dofs,
                              const Translations& T) {
  constexpr double kRoundOff = 1e-4;  // of K and the positions in files
  const Translations force = symmetric_product(stiffness, T);
  const Eigen::VectorXd scale = magnitude_of_rows(stiffness, dofs);
  Translations out = T;
  for (Eigen::Index row = 0; row < T.rows(); ++row)
    if (force.row(row).cwiseAbs().maxCoeff() > kRoundOff * scale(row)) out.row(row).setZero();
  return out;
}

/// What a preloaded K holds of the load's own stiffness amount M S.
struct LoadStiffness {
  double share = 0.0;
  double unexplained = 0.0;  ///< size of the force, in the units of K, if the share is not 0 to 1
  bool is_told = true;       ///< false: each row with such a stiffness is next to a support
};

/// Measures the share on translations: stress leaves a translated part without force, so that the
/// forces on rows away from supports are those of the load.
LoadStiffness load_stiffness(const FeModel& model,
                             const SparseMatrix& change,
                             const std::vector<NodalEntry>& S,
                             double amount) {
  const Translations T = translations(model.dofs);
  const Translations of_load = amount * symmetric_product(*model.mass, product(S, T));
  const double of_all = (T.transpose() * of_load).norm();
  const Translations rows = unsupported_rows(*model.stiffness, model.dofs, T);
  const Eigen::Matrix3d found = rows.transpose() * symmetric_product(change, T);
  const Eigen::Matrix3d whole = rows.transpose() * of_load;
  LoadStiffness out;
  if (!(whole.squaredNorm() > 0.0)) {
    out.is_told = !(of_all > 0.0);
    return out;
  }
  out.share = found.cwiseProduct(whole).sum() / whole.squaredNorm();
  out.unexplained = (found - std::clamp(out.share, 0.0, 1.0) * whole).cwiseAbs().maxCoeff();
  return out;
}

/// @throws ModelError  always: K holds only a part of the stiffness of the load, or another change
[[noreturn]] void refuse_share(const FeModel& model,
                               const PreloadedStiffness& state,
                               const LoadStiffness& load) {
  const std::string name = name_of(state);
  if (load.share > 0.0 && load.share < 1.0)
    throw ModelError("load-stiffness",
                     fmt::format("K under {} holds {:.2g} of the stiffness that the centrifugal "
                                 "load itself has by M; the simulation has all of it already",
                                 name,
                                 load.share),
                     {},
                     "export K from a step in which the load has ended (CalculiX: *DLOAD, OP=NEW "
                     "below *FREQUENCY), or with all masses under the load");
  const Units units = model.units.value_or(Units{});
  throw ModelError("load-stiffness",
                   fmt::format("a translation needs {:.3g} N/m more under {}, which neither stress "
                               "nor the load explains: too few digits for so small a preload, or "
                               "another model",
                               units.stiffness() * load.unexplained,
                               name),
                   {},
                   "export both K from one model with all digits, or under a larger preload");
}

/// Phi' M S Phi, in blocks of columns that need little memory beside Phi.
Eigen::MatrixXd project_load(const SparseMatrix& mass,
                             const std::vector<NodalEntry>& S,
                             const Eigen::MatrixXd& shapes) {
  constexpr Eigen::Index kBlock = 64;
  Eigen::MatrixXd out(shapes.cols(), shapes.cols());
  for (Eigen::Index at = 0; at < shapes.cols(); at += kBlock) {
    const Eigen::Index count = std::min(kBlock, shapes.cols() - at);
    out.middleCols(at, count) =
        shapes.transpose() * symmetric_product(mass, product(S, shapes.middleCols(at, count)));
  }
  return 0.5 * (out + out.transpose());
}

/// Phi' M S Phi in SI if the change of K holds the stiffness of the centrifugal load, else nothing.
/// @throws ModelError  it holds a part of it
std::optional<Eigen::MatrixXd> load_term(const FeModel& model,
                                         const PreloadedStiffness& state,
                                         const SparseMatrix& change,
                                         const Eigen::MatrixXd& shapes,
                                         Diagnostics& diagnostics) {
  const std::optional<Eigen::Matrix3d> nodal = stiffness_of_load(state.cause);
  if (!nodal || !model.mass) return std::nullopt;
  const Units units = model.units.value_or(Units{});
  constexpr double kMaxDeviation = 0.01;  // of the share from 0 or 1, by the digits of K
  const std::vector<NodalEntry> S = on_each_node(*nodal, model.dofs);
  const LoadStiffness load = load_stiffness(model, change, S, state.amount / units.eigenvalue());
  const std::string name = name_of(state);
  if (!load.is_told)
    diagnostics.warn("spin-softening-unknown",
                     fmt::format("every mass of the model is next to a support, so that K under {} "
                                 "does not tell whether it holds the stiffness of the centrifugal "
                                 "load itself, which the simulation adds: export K from a step in "
                                 "which the load has ended (CalculiX: *DLOAD, OP=NEW below "
                                 "*FREQUENCY)",
                                 name));
  if (std::abs(load.share) <= kMaxDeviation) return std::nullopt;
  if (std::abs(load.share - 1.0) > kMaxDeviation) refuse_share(model, state, load);
  diagnostics.warn("spin-softening",
                   fmt::format("K under {} holds the stiffness that the centrifugal load itself "
                               "has, which the simulation adds: it is taken out by M",
                               name));
  return units.inertia() * project_load(*model.mass, S, shapes);
}

void check(const FeModel& model, const PreloadedStiffness& state) {
  if (state.stiffness.rows() != model.stiffness->rows() ||
      state.stiffness.cols() != model.stiffness->cols())
    throw ModelError("wrong-size",
                     fmt::format("the preloaded K is {} x {}, that of the model {} x {}",
                                 state.stiffness.rows(),
                                 state.stiffness.cols(),
                                 model.stiffness->rows(),
                                 model.stiffness->cols()),
                     {},
                     "export both from the same model with the same constraints");
  if (!std::isfinite(state.amount) || state.amount == 0.0)
    throw ModelError(
        "amount",
        fmt::format("a preloaded K needs a non-zero amount of its cause, not {}", state.amount));
}

/// @throws UsageError  two states have the cause
void check_causes(const std::vector<PreloadedStiffness>& preloaded) {
  for (std::size_t k = 0; k < preloaded.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (preloaded[j].cause == preloaded[k].cause && preloaded[j].node == preloaded[k].node &&
          preloaded[j].component == preloaded[k].component)
        throw UsageError("cause-twice",
                         fmt::format("the stiffening by {} is given twice", name_of(preloaded[k])),
                         {},
                         "give one K for each cause");
}

}  // namespace

GeometricStiffness::Cause parse_cause(std::string_view name) {
  std::string all;
  for (const auto& [cause, text] : kStiffeningCauses) {
    if (cause == GeometricStiffness::Cause::force)
      continue;  // a force needs a node and is not a motion of the whole body
    if (text == name) return cause;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", text);
  }
  throw UsageError("unknown-cause",
                   fmt::format("'{}' is not a state that stiffens a body", name),
                   {},
                   fmt::format("use one of {}", all));
}

void check_preloaded(const FeModel& model, const std::vector<PreloadedStiffness>& preloaded) {
  if (preloaded.empty()) return;
  if (!model.stiffness)
    throw ModelError("no-matrices",
                     "geometric stiffness is a difference of two K, and the model holds none",
                     {},
                     "import K");
  check_causes(preloaded);
  for (const PreloadedStiffness& state : preloaded)
    check(model, state);
}

std::vector<GeometricStiffness> geometric_terms(const FeModel& model,
                                                const std::vector<PreloadedStiffness>& preloaded,
                                                const Eigen::MatrixXd& shapes,
                                                Diagnostics& diagnostics) {
  std::vector<GeometricStiffness> out;
  check_preloaded(model, preloaded);
  for (const PreloadedStiffness& state : preloaded) {
    const SparseMatrix change = state.stiffness - *model.stiffness;
    if (!(change.norm() > 0.0))
      throw ModelError("no-preload",
                       fmt::format("preloaded K number {} is the K of the model: without preload",
                                   out.size() + 1),
                       {},
                       "export K from a step that follows the static step of the preload "
                       "(CalculiX: *STEP, PERTURBATION); leave out a cause that does not load the "
                       "part");
    Eigen::MatrixXd k =
        model.units.value_or(Units{}).moment() / state.amount * project(change, shapes);
    if (const auto of_load = load_term(model, state, change, shapes, diagnostics)) k -= *of_load;
    out.push_back({state.cause, state.node, state.component, std::move(k)});
  }
  return out;
}

}  // namespace femflex::modal

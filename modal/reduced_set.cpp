// Prepares the shapes of a reduction. Removes dependent shapes by length and by mass, projects M
// and K on the others (a second time if m = U' M U has lost digits), and finds rigid shapes by
// their energy and by their distance from the rigid-body motions.
#include "reduced_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/modal/orthogonalise.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"
#include "solve/rigid_modes.h"
#include "solve/round_off.h"
#include "solve/static_solutions.h"

namespace femflex::modal {
namespace {

ReducedPencil pencil_of(const FeModel& model, const Basis& basis, const Eigen::MatrixXd& U) {
  const Units& units = *model.units;
  ReducedPencil out;
  if (model.mass && (model.stiffness || basis.k)) {
    out.m = units.inertia() * project(*model.mass, U);
    out.k = units.moment() * (basis.k ? *basis.k : project(*model.stiffness, U));
    return out;
  }
  const auto n = static_cast<Eigen::Index>(basis.modes.modes.size());
  out.m = Eigen::MatrixXd::Zero(n, n);
  out.k = Eigen::MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const ModeInfo& mode = basis.modes.modes[static_cast<std::size_t>(i)];
    if (mode.kind != ModeKind::dynamic || !std::isfinite(mode.eigenvalue) ||
        !std::isfinite(mode.generalised_mass) || !(mode.generalised_mass > 0.0))
      throw ModelError("no-matrices",
                       fmt::format("the model holds no {}, and mode {} does not bring eigenvalue "
                                   "and generalised mass of its own",
                                   model.mass ? "stiffness matrix" : "mass matrix",
                                   label_of(mode)),
                       {},
                       "import K and M, or choose normal modes alone");
    out.m(i, i) = units.inertia() * mode.generalised_mass;
    out.k(i, i) = units.moment() * mode.generalised_stiffness();
  }
  return out;
}

/// Mass and stiffness on the shapes U V. If columns of U are nearly dependent, m = U' M U lacks the
/// digits that V needs. Then M and K are projected on the shapes U V, which are nearly orthogonal,
/// and `orthogonal` is rotated once more. Craig-Bampton columns, whose stiffness is known exactly,
/// do not need this.
/// @return  the pencil on the columns of V, which stay of unit length
ReducedPencil column_pencil(const FeModel& model,
                            const Basis& basis,
                            const Eigen::MatrixXd& U,
                            const ReducedPencil& pencil,
                            OrthogonalBasis& orthogonal) {
  const Units& units = *model.units;
  // smallest eigenvalue of m, scaled to a unit diagonal, that is accurate enough
  constexpr double kMinGramEigenvalue = 1e-6;
  Eigen::MatrixXd& V = orthogonal.V;
  const Eigen::VectorXd scale = pencil.m.diagonal().cwiseSqrt().cwiseInverse();
  if (!model.mass || !model.stiffness || basis.k || V.cols() == 0 ||
      symmetric_eigen(scale.asDiagonal() * pencil.m * scale.asDiagonal()).values(0) >
          kMinGramEigenvalue)
    return {V.transpose() * pencil.m * V, V.transpose() * pencil.k * V};
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(U.rows(), V.cols());
  add_product(X, U, V);
  const Eigen::MatrixXd m = units.inertia() * project(*model.mass, X);
  const Eigen::MatrixXd k = units.moment() * project(*model.stiffness, X);
  OrthogonalBasis rotation = orthogonalise(m, k);
  const Eigen::VectorXd length = (V * rotation.V).colwise().norm();
  rotation.V = rotation.V * length.cwiseInverse().asDiagonal();
  V *= rotation.V;
  orthogonal.lambda = std::move(rotation.lambda);
  return {rotation.V.transpose() * m * rotation.V, rotation.V.transpose() * k * rotation.V};
}

/// Removes the dependent columns from U and the basis, and records the reason.
void leave_out(const IndependentColumns& split,
               const Units& units,
               ReducedSet& set,
               std::vector<RejectedMode>& rejected) {
  if (split.dependent.empty()) return;
  Basis& basis = set.basis;
  for (const DependentColumn& column : split.dependent) {
    const ModeInfo& mode = basis.modes.modes[static_cast<std::size_t>(column.column)];
    RejectedMode rejected_mode{
        label_of(mode), RejectionReason::dependent, mode.eigenvalue * units.eigenvalue(), {}};
    for (const Eigen::Index other : column.repeats)
      rejected_mode.repeats.push_back(label_of(basis.modes.modes[static_cast<std::size_t>(other)]));
    rejected.push_back(std::move(rejected_mode));
  }
  set.U = set.U(Eigen::all, split.kept).eval();
  basis.modes.shapes = basis.modes.shapes(Eigen::all, split.kept).eval();
  std::vector<ModeInfo> kept;
  for (const Eigen::Index col : split.kept)
    kept.push_back(std::move(basis.modes.modes[static_cast<std::size_t>(col)]));
  basis.modes.modes = std::move(kept);
  if (basis.k) basis.k = (*basis.k)(split.kept, split.kept).eval();
}

}  // namespace

ReducedSet independent_set(const FeModel& model,
                           Basis basis,
                           double dependence,
                           std::vector<RejectedMode>& rejected,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  const Units& units = *model.units;
  ReducedSet set;
  set.basis = std::move(basis);
  const ModeSet& modes = set.basis.modes;
  set.U = model.dofs.size() > 0 ? shapes_on(modes, model.dofs) : modes.shapes;
  leave_out(independent_columns(set.U, dependence), units, set, rejected);
  if (set.U.cols() == 0)
    throw ModelError("nothing-left", "no independent mode is left of those chosen");
  progress.step(0.0);

  set.pencil = pencil_of(model, set.basis, set.U);
  const IndependentColumns split = independent_in_mass(set.pencil.m);
  if (split.dependent.empty()) return set;
  std::string names;
  for (const DependentColumn& column : split.dependent)
    names += (names.empty() ? "" : ", ") +
             label_of(modes.modes[static_cast<std::size_t>(column.column)]);
  diagnostics.warn("no-mass-of-its-own",
                   fmt::format("given the other modes, {} has no mass of its own (massless "
                               "DOFs, or nearly dependent): left out",
                               names));
  leave_out(split, units, set, rejected);
  set.pencil.m = set.pencil.m(split.kept, split.kept).eval();
  set.pencil.k = set.pencil.k(split.kept, split.kept).eval();
  return set;
}

ColumnSet column_set(const FeModel& model, const ReducedSet& set, bool orthogonalised) {
  ColumnSet out;
  out.pencil = set.pencil;
  out.V = Eigen::MatrixXd::Identity(set.U.cols(), set.U.cols());
  out.lambda = set.pencil.k.diagonal().cwiseQuotient(set.pencil.m.diagonal());
  if (!orthogonalised) return out;
  OrthogonalBasis orthogonal = orthogonalise(set.pencil.m, set.pencil.k);
  out.pencil = column_pencil(model, set.basis, set.U, set.pencil, orthogonal);
  out.V = std::move(orthogonal.V);
  out.lambda = std::move(orthogonal.lambda);
  return out;
}

namespace {

/// The largest relative energy of the rigid motions of a free body, which is round-off of K; 0 for
/// a body that is held.
double energy_left_by_rigid_motions(const FeModel& model, const RoundOff& round_off) {
  constexpr double kHeld = 1e-8;  // K of nine digits leaves less, supports leave more
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  if (T.cols() == 0) return 0.0;
  const double left = round_off.resistance(T).energy.maxCoeff();
  return left < kHeld ? left : 0.0;
}

}  // namespace

void check_definite(const FeModel& model, const ReducedSet& set, const ColumnSet& columns) {
  const Eigen::VectorXd& lambda = columns.lambda;
  std::vector<Eigen::Index> below;
  for (Eigen::Index i = 0; i < lambda.size(); ++i)
    if (lambda(i) < 0.0) below.push_back(i);
  if (below.empty()) return;
  // negative energy, relative to the energy of single entries of K or, without K, of the stiffest
  // mode
  double share = 0.0;
  // Largest share that counts as round-off. Without K it is kHighestShare. With K it is
  // kDigitFactor times the precision of the entries of K, or kSumRoundOff (of sums in double
  // precision) if that is larger.
  constexpr double kHighestShare = 1e-9;
  constexpr double kDigitFactor = 100.0;
  constexpr double kSumRoundOff = 1e-12;
  // K of few digits, rotated at import, does not show them. Its rigid motions do: by what they
  // leave.
  constexpr double kRigidFactor = 10.0;
  double limit = kHighestShare;
  if (model.stiffness && model.dofs.size() > 0) {
    Eigen::MatrixXd Phi =
        Eigen::MatrixXd::Zero(set.U.rows(), static_cast<Eigen::Index>(below.size()));
    add_product(Phi, set.U, columns.V(Eigen::all, below));
    const RoundOff round_off(*model.stiffness);
    share = round_off.resistance(Phi).energy.maxCoeff();
    limit = std::max({kSumRoundOff,
                      kDigitFactor * round_off.precision(),
                      kRigidFactor * energy_left_by_rigid_motions(model, round_off)});
  } else {
    share = -lambda.minCoeff() / lambda.cwiseAbs().maxCoeff();
  }
  if (share <= limit) return;
  throw ModelError("indefinite-stiffness",
                   fmt::format("the stiffness of the chosen shapes is indefinite: {} of {} "
                               "eigenvalues lie below zero, the lowest is {:.4g} rad^2/s^2",
                               below.size(),
                               lambda.size(),
                               lambda.minCoeff()),
                   {},
                   "check the export of K: signs, and which triangle it holds");
}

std::vector<bool> which_are_rigid(const FeModel& model,
                                  const ReducedSet& set,
                                  const ColumnSet& columns) {
  // A column is elastic if its strain energy exceeds kSmallEnergy times that of single entries of
  // K. A rigid motion has a strain energy of at most kPrecisionFactor times the precision of K.
  constexpr double kSmallEnergy = 1e-9;
  constexpr double kPrecisionFactor = 10.0;
  constexpr double kNotRigid = 1e-6;  // share of the square of a column outside the rigid motions
  std::vector<bool> rigid(static_cast<std::size_t>(columns.V.cols()), false);
  if (!model.stiffness || model.dofs.size() == 0) return rigid;
  Eigen::MatrixXd Phi = Eigen::MatrixXd::Zero(set.U.rows(), columns.V.cols());
  add_product(Phi, set.U, columns.V);
  const Eigen::VectorXd energy = columns.pencil.k.diagonal() / model.units->moment();
  const Eigen::VectorXd diagonal = model.stiffness->diagonal();
  std::vector<Eigen::Index> soft;
  for (Eigen::Index i = 0; i < Phi.cols(); ++i)
    if (std::abs(energy(i)) < kSmallEnergy * Phi.col(i).cwiseAbs2().dot(diagonal))
      soft.push_back(i);
  if (soft.empty()) return rigid;
  Phi = Phi(Eigen::all, soft).eval();
  SparseMatrix measure(model.dofs.size(), model.dofs.size());
  measure.setIdentity();
  if (model.mass) measure = *model.mass;
  Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  if (const auto free = zero_energy_motions(*model.stiffness, measure, T)) {
    T = *free;
  } else {  // positions have few digits, so use the energy of the columns
    const RoundOff round_off(*model.stiffness);
    const Eigen::VectorXd left = round_off.resistance(Phi).energy;
    std::vector<Eigen::Index> strainless;
    for (Eigen::Index k = 0; k < Phi.cols(); ++k)
      if (left(k) <= kPrecisionFactor * round_off.precision()) strainless.push_back(k);
    Phi = Phi(Eigen::all, strainless).eval();
    for (Eigen::Index& k : strainless)
      k = soft[static_cast<std::size_t>(k)];
    soft = std::move(strainless);
  }
  if (soft.empty() || T.cols() == 0) return rigid;
  const Eigen::MatrixXd MT = symmetric_product(measure, T);
  const Eigen::VectorXd length =
      T.cwiseProduct(MT).colwise().sum().cwiseMax(0.0).cwiseSqrt().transpose();
  const Eigen::VectorXd unit =
      (length.array() > 0.0).select(length.array().inverse(), Eigen::ArrayXd::Zero(length.size()));
  const Eigen::MatrixXd span = T * unit.asDiagonal();
  const Eigen::MatrixXd M_span = MT * unit.asDiagonal();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed_product(span, M_span));
  const Eigen::MatrixXd outside = Phi - span * qr.solve(transposed_product(M_span, Phi));
  const auto squares = [&](const Eigen::MatrixXd& x) -> Eigen::VectorXd {
    return x.cwiseProduct(symmetric_product(measure, x)).colwise().sum().transpose();
  };
  const Eigen::VectorXd left = squares(outside);
  const Eigen::VectorXd squared_length = squares(Phi);
  for (std::size_t k = 0; k < soft.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    rigid[static_cast<std::size_t>(soft[k])] = left(i) < kNotRigid * squared_length(i);
  }
  return rigid;
}

}  // namespace femflex::modal

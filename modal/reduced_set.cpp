// Prepares the shapes of a reduction. Removes dependent shapes by length and by mass, projects M
// and K on the others (a second time if m = U' M U has lost digits), and finds rigid shapes by
// their energy and by their distance from the rigid-body motions. Shapes without energy that are
// not rigid are separated from the rigid ones.
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
#include "solve/rigid_columns.h"
#include "solve/rigid_modes.h"
#include "solve/round_off.h"
#include "static_followers.h"

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
                            const ReducedSet& set,
                            OrthogonalBasis& orthogonal) {
  const ReducedPencil& pencil = set.pencil;
  const Units& units = *model.units;
  // smallest eigenvalue of m, scaled to a unit diagonal, that is accurate enough
  constexpr double kMinGramEigenvalue = 1e-6;
  Eigen::MatrixXd& V = orthogonal.V;
  const Eigen::VectorXd scale = pencil.m.diagonal().cwiseSqrt().cwiseInverse();
  const bool is_known = !model.mass || !model.stiffness || set.basis.k || V.cols() == 0;
  if (is_known || (set.follow.size() == 0 &&
                   symmetric_eigen(scale.asDiagonal() * pencil.m * scale.asDiagonal()).values(0) >
                       kMinGramEigenvalue))
    return {V.transpose() * pencil.m * V, V.transpose() * pencil.k * V};
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(set.U.rows(), V.cols());
  add_product(X, set.U, V);
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

/// Names the columns without mass of their own: those that follow others, and those left out.
void tell_massless(const IndependentColumns& split,
                   const StaticFollowers& followers,
                   const ModeSet& modes,
                   Diagnostics& diagnostics) {
  std::string following;
  std::string left_out;
  for (const DependentColumn& column : split.dependent) {
    const bool follows =
        std::binary_search(followers.columns.begin(), followers.columns.end(), column.column);
    std::string& names = follows ? following : left_out;
    names += (names.empty() ? "" : ", ") +
             label_of(modes.modes[static_cast<std::size_t>(column.column)]);
  }
  if (!following.empty())
    diagnostics.warn("no-mass-of-its-own",
                     fmt::format("given the other modes, {} has no mass of its own (massless "
                                 "DOFs): its motion follows that of the others statically",
                                 following));
  if (!left_out.empty())
    diagnostics.warn("no-mass-of-its-own",
                     fmt::format("given the other modes, {} has no mass of its own (massless "
                                 "DOFs, or nearly dependent): left out, which may raise the "
                                 "frequencies of the body: 'femflex validate' tells how much; give "
                                 "massless DOFs of the interface mass, such as rotary inertia, or "
                                 "take craig-chang",
                                 left_out));
}

/// Whether K lets the part move rigidly.
bool floats(const FeModel& model) {
  if (!model.stiffness || !model.mass || model.dofs.size() == 0) return false;
  const Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  const auto free = zero_energy_motions(*model.stiffness, *model.mass, T);
  return free && free->cols() > 0;
}

/// Moves the columns that follow others from the dependent ones to those that are kept.
void keep_followers(const StaticFollowers& followers, IndependentColumns& split) {
  const std::vector<Eigen::Index>& columns = followers.columns;
  std::erase_if(split.dependent, [&](const DependentColumn& column) {
    return std::binary_search(columns.begin(), columns.end(), column.column);
  });
  split.kept.insert(split.kept.end(), columns.begin(), columns.end());
  std::sort(split.kept.begin(), split.kept.end());
}

}  // namespace

ReducedSet independent_set(const FeModel& model,
                           Basis basis,
                           const ReduceOptions& options,
                           std::vector<RejectedMode>& rejected,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  const Units& units = *model.units;
  ReducedSet set;
  set.basis = std::move(basis);
  const ModeSet& modes = set.basis.modes;
  set.U = model.dofs.size() > 0 ? shapes_on(modes, model.dofs) : modes.shapes;
  leave_out(independent_columns(set.U, options.dependence), units, set, rejected);
  if (set.U.cols() == 0)
    throw ModelError("nothing-left", "no independent mode is left of those chosen");
  progress.step(0.0);

  set.pencil = pencil_of(model, set.basis, set.U);
  IndependentColumns split = independent_in_mass(set.pencil.m);
  if (split.dependent.empty()) return set;
  StaticFollowers followers;
  if (options.orthogonalise && floats(model))
    followers = static_followers(set.pencil.m, set.pencil.k, split);
  tell_massless(split, followers, modes, diagnostics);
  keep_followers(followers, split);
  leave_out(split, units, set, rejected);
  set.pencil.m = set.pencil.m(split.kept, split.kept).eval();
  set.pencil.k = set.pencil.k(split.kept, split.kept).eval();
  if (!followers.columns.empty()) set.follow = followers.shapes(split.kept, Eigen::all);
  return set;
}

namespace {

/// V of eq. (4); of massless motions that follow the others statically, by eq. (46).
OrthogonalBasis orthogonal_combinations(const ReducedSet& set) {
  if (set.follow.size() == 0) return orthogonalise(set.pencil.m, set.pencil.k);
  const Eigen::MatrixXd m = set.follow.transpose() * set.pencil.m * set.follow;
  const Eigen::MatrixXd k = set.follow.transpose() * set.pencil.k * set.follow;
  OrthogonalBasis out = orthogonalise(0.5 * (m + m.transpose()), 0.5 * (k + k.transpose()));
  out.V = set.follow * Eigen::MatrixXd(out.V);
  for (Eigen::Index i = 0; i < out.V.cols(); ++i) {  // as orthogonalise() leaves them
    Eigen::Index largest = 0;
    out.V.col(i).cwiseAbs().maxCoeff(&largest);
    out.V.col(i) /= std::copysign(out.V.col(i).norm(), out.V(largest, i));
  }
  return out;
}

}  // namespace

ColumnSet column_set(const FeModel& model, const ReducedSet& set, bool orthogonalised) {
  ColumnSet out;
  out.pencil = set.pencil;
  out.V = Eigen::MatrixXd::Identity(set.U.cols(), set.U.cols());
  out.lambda = set.pencil.k.diagonal().cwiseQuotient(set.pencil.m.diagonal());
  if (!orthogonalised) return out;
  OrthogonalBasis orthogonal = orthogonal_combinations(set);
  out.pencil = column_pencil(model, set, orthogonal);
  out.V = std::move(orthogonal.V);
  out.lambda = std::move(orthogonal.lambda);
  return out;
}

namespace {

// A column is elastic if its strain energy exceeds kSmallEnergy times that of single entries of K.
constexpr double kSmallEnergy = 1e-9;
constexpr double kNotRigid = 1e-6;  // share of the square of a column outside the rigid motions

/// The columns of a set that are not elastic, and the measure of motions.
struct SoftColumns {
  std::vector<Eigen::Index> index;
  Eigen::MatrixXd Phi;   ///< on model.dofs
  SparseMatrix measure;  ///< M; the identity without M

  void keep(const std::vector<Eigen::Index>& some) {
    Phi = Phi(Eigen::all, some).eval();
    std::vector<Eigen::Index> kept;
    for (const Eigen::Index k : some)
      kept.push_back(index[static_cast<std::size_t>(k)]);
    index = std::move(kept);
  }
};

SoftColumns soft_columns(const FeModel& model, const ReducedSet& set, const ColumnSet& columns) {
  SoftColumns out;
  out.Phi = Eigen::MatrixXd::Zero(set.U.rows(), columns.V.cols());
  add_product(out.Phi, set.U, columns.V);
  const Eigen::VectorXd energy = columns.pencil.k.diagonal() / model.units->moment();
  const Eigen::VectorXd diagonal = model.stiffness->diagonal();
  for (Eigen::Index i = 0; i < out.Phi.cols(); ++i)
    if (std::abs(energy(i)) < kSmallEnergy * out.Phi.col(i).cwiseAbs2().dot(diagonal))
      out.index.push_back(i);
  out.Phi = out.Phi(Eigen::all, out.index).eval();
  if (out.index.empty()) return out;
  out.measure.resize(model.dofs.size(), model.dofs.size());
  out.measure.setIdentity();
  if (model.mass) out.measure = *model.mass;
  return out;
}

/// Columns of unit length in a measure; columns without length become zero.
struct UnitColumns {
  Eigen::MatrixXd X, MX;
};

UnitColumns of_unit_length(const SparseMatrix& measure, const Eigen::MatrixXd& X) {
  const Eigen::MatrixXd MX = symmetric_product(measure, X);
  const Eigen::VectorXd length =
      X.cwiseProduct(MX).colwise().sum().cwiseMax(0.0).cwiseSqrt().transpose();
  const Eigen::VectorXd unit =
      (length.array() > 0.0).select(length.array().inverse(), Eigen::ArrayXd::Zero(length.size()));
  return {X * unit.asDiagonal(), MX * unit.asDiagonal()};
}

/// Orthonormal columns, `count` of them, made from the columns of A in their order: of those that
/// keep most of their length next to the former ones, the first.
Eigen::MatrixXd ordered_basis(Eigen::MatrixXd A, Eigen::Index count) {
  constexpr double kMost = 0.1;  // of the square of the largest length
  Eigen::MatrixXd Q(A.rows(), count);
  for (Eigen::Index q = 0; q < count; ++q) {
    const Eigen::VectorXd squares = A.colwise().squaredNorm();
    const double enough = kMost * squares.maxCoeff();
    Eigen::Index first = 0;
    while (squares(first) < enough)
      ++first;
    Q.col(q) = A.col(first).normalized();
    for (int pass = 0; pass < 2; ++pass)
      A -= Q.col(q) * (Q.col(q).transpose() * A);
  }
  return Q;
}

}  // namespace

std::vector<bool> which_are_rigid(const FeModel& model,
                                  const ReducedSet& set,
                                  const ColumnSet& columns) {
  // A rigid motion has a strain energy of at most kPrecisionFactor times the precision of K.
  constexpr double kPrecisionFactor = 10.0;
  std::vector<bool> rigid(static_cast<std::size_t>(columns.V.cols()), false);
  if (!model.stiffness || model.dofs.size() == 0) return rigid;
  SoftColumns soft = soft_columns(model, set, columns);
  if (soft.index.empty()) return rigid;
  Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  if (const auto free = zero_energy_motions(*model.stiffness, soft.measure, T)) {
    T = *free;
  } else {  // positions have few digits, so use the energy of the columns
    const RoundOff round_off(*model.stiffness);
    const Eigen::VectorXd left = round_off.resistance(soft.Phi).energy;
    std::vector<Eigen::Index> strainless;
    for (Eigen::Index k = 0; k < left.size(); ++k)
      if (left(k) <= kPrecisionFactor * round_off.precision()) strainless.push_back(k);
    soft.keep(strainless);
  }
  if (soft.index.empty() || T.cols() == 0) return rigid;
  const UnitColumns span = of_unit_length(soft.measure, T);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed_product(span.X, span.MX));
  const Eigen::MatrixXd outside =
      soft.Phi - span.X * qr.solve(transposed_product(span.MX, soft.Phi));
  const auto squares = [&](const Eigen::MatrixXd& x) -> Eigen::VectorXd {
    return x.cwiseProduct(symmetric_product(soft.measure, x)).colwise().sum().transpose();
  };
  const Eigen::VectorXd left = squares(outside);
  const Eigen::VectorXd squared_length = squares(soft.Phi);
  for (std::size_t k = 0; k < soft.index.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    rigid[static_cast<std::size_t>(soft.index[k])] = left(i) < kNotRigid * squared_length(i);
  }
  return rigid;
}

std::vector<bool> separate_zero_energy(const FeModel& model,
                                       const ReducedSet& set,
                                       ColumnSet& columns) {
  std::vector<bool> others(static_cast<std::size_t>(columns.V.cols()), false);
  if (!model.stiffness || !model.mass || model.dofs.size() == 0) return others;
  SoftColumns soft = soft_columns(model, set, columns);
  if (soft.index.empty()) return others;
  const Eigen::MatrixXd geometry = rigid_body_shapes(model, model.dofs, middle(model));
  const auto free = zero_energy_motions(*model.stiffness, soft.measure, geometry);
  // with positions of few digits, which_are_rigid() judges each column as it is
  if (!free || std::ssize(soft.index) <= free->cols()) return others;

  // columns without energy: those with a rigid share, and those that K does not resist
  const UnitColumns rigid = of_unit_length(soft.measure, *free);
  const RoundOff round_off(*model.stiffness);
  std::vector<Eigen::Index> zero = round_off.zero_energy_columns(round_off.resistance(soft.Phi));
  UnitColumns unit = of_unit_length(soft.measure, soft.Phi);
  const Eigen::VectorXd rigid_share = transposed_product(unit.MX, rigid.X).rowwise().squaredNorm();
  for (Eigen::Index k = 0; k < rigid_share.size(); ++k)
    if (rigid_share(k) > kNotRigid) zero.push_back(k);
  std::sort(zero.begin(), zero.end());
  zero.erase(std::unique(zero.begin(), zero.end()), zero.end());
  if (zero.empty()) return others;
  soft.keep(zero);
  unit = {unit.X(Eigen::all, zero), unit.MX(Eigen::all, zero)};

  // C: the rigid motions in the coordinates of these columns
  const Eigen::MatrixXd C = transposed_product(unit.MX, rigid.X);
  const Eigen::VectorXd cosines = Eigen::JacobiSVD<Eigen::MatrixXd>(C).singularValues();
  const Eigen::Index spanned = (cosines.array().square() > 1.0 - kNotRigid).count();
  const Eigen::Index count = C.rows();
  if (spanned == count) return others;
  Eigen::MatrixXd W(count, count);
  if (spanned > 0) {
    const UnitColumns ordered = of_unit_length(soft.measure, geometry);
    W.leftCols(spanned) = ordered_basis(C * transposed_product(rigid.MX, ordered.X), spanned);
  }
  // the others, from the shapes of the set in their order
  const auto& own = soft.index;
  const Eigen::VectorXd mass = columns.pencil.m.diagonal()(own).cwiseSqrt();
  Eigen::MatrixXd shapes =
      mass.cwiseInverse().asDiagonal() * columns.V(Eigen::all, own).transpose() * set.pencil.m;
  const Eigen::ArrayXd masses = set.pencil.m.diagonal();  // of a massless shape 0
  const Eigen::VectorXd unit_mass = (masses > 0.0).select(masses.rsqrt(), 0.0);
  shapes *= unit_mass.asDiagonal();
  for (int pass = 0; pass < 2; ++pass)
    shapes -= W.leftCols(spanned) * (W.leftCols(spanned).transpose() * shapes);
  W.rightCols(count - spanned) = ordered_basis(std::move(shapes), count - spanned);

  // columns of V keep the unit length that orthogonalise() gives them
  Eigen::MatrixXd turn = mass.cwiseInverse().asDiagonal() * W;
  const Eigen::VectorXd length = (columns.V(Eigen::all, own) * turn).colwise().norm();
  turn *= length.cwiseInverse().asDiagonal();
  Eigen::MatrixXd all = Eigen::MatrixXd::Identity(columns.V.cols(), columns.V.cols());
  all(own, own) = turn;
  columns.V *= all;
  columns.pencil.m = all.transpose() * columns.pencil.m * all;
  columns.pencil.k = all.transpose() * columns.pencil.k * all;
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::Index i = own[static_cast<std::size_t>(k)];
    columns.lambda(i) = k < spanned ? columns.pencil.k(i, i) / columns.pencil.m(i, i) : 0.0;
    others[static_cast<std::size_t>(i)] = k >= spanned;
  }
  return others;
}

}  // namespace femflex::modal

#include "reduce.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include <Eigen/QR>
#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"

#include "build_invariants.h"
#include "dense/symmetric_eigen.h"
#include "methods/basis.h"
#include "orthogonalise.h"
#include "scale.h"
#include "solve/projection.h"
#include "solve/static_answers.h"

namespace femflex::modal {
namespace {

constexpr std::array<std::pair<Method, std::string_view>, 7> kMethods{{
    {Method::given, "given"},
    {Method::craig_bampton, "craig-bampton"},
    {Method::craig_chang, "craig-chang"},
    {Method::guyan, "guyan"},
    {Method::dynamic, "dynamic"},
    {Method::krylov, "krylov"},
    {Method::automatic, "auto"},
}};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// U on all six freedoms of every node, SI: (6 nodes x modes). Freedoms that rigid elements took
/// out of the matrices move with what leads them.
Eigen::MatrixXd nodal_shapes(const FeModel& model, const ModeSet& modes, const Units& units) {
  Eigen::MatrixXd out =
      Eigen::MatrixXd::Zero(6 * static_cast<Eigen::Index>(model.nodes.size()), modes.count());
  for (std::int64_t row = 0; row < modes.rows.size(); ++row) {
    const Dof& dof = modes.rows[row];
    const Node* node = dof.component == 0 ? nullptr : find_node(model, dof.node);
    if (node == nullptr) continue;
    const double factor = dof.component <= 3 ? units.length : 1.0;
    out.row(6 * (node - model.nodes.data()) + dof.component - 1) = factor * modes.shapes.row(row);
  }
  const Dependence dependence(model);
  for (const auto& [dof, follower] : dependence.followers()) {
    const Node* node = dof.component == 0 ? nullptr : find_node(model, dof.node);
    if (node == nullptr || !follower.complete || modes.rows.find(dof) >= 0) continue;
    const double factor = dof.component <= 3 ? units.length : 1.0;
    auto to = out.row(6 * (node - model.nodes.data()) + dof.component - 1);
    for (const Dependence::RowTerm& term : follower.rows)
      if (const std::int64_t row = modes.rows.find(model.dofs[term.row]); row >= 0)
        to += factor * term.factor * modes.shapes.row(row);
  }
  return out;
}

/// Mass and stiffness of the chosen shapes, SI.
struct ReducedPencil {
  Eigen::MatrixXd m;
  Eigen::MatrixXd k;
};

ReducedPencil pencil_of(const FeModel& model,
                        const Basis& basis,
                        const Eigen::MatrixXd& U,
                        const Units& units) {
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

/// m = U' M U of nearly dependent columns lacks the digits that V asks of it. Projected on U V
/// instead, which is orthogonal but for what those digits leave, the pencil has them all: a second
/// turn on the first. Craig-Bampton columns, whose stiffness is known otherwise, do not need it.
/// @return  the pencil on the columns of V, which stay of unit length
ReducedPencil turned(const FeModel& model,
                     const Basis& basis,
                     const Eigen::MatrixXd& U,
                     const Units& units,
                     const ReducedPencil& pencil,
                     OrthogonalBasis& orthogonal) {
  constexpr double poor = 1e-6;  // eigenvalues of m with a unit diagonal
  Eigen::MatrixXd& V = orthogonal.V;
  const Eigen::VectorXd scale = pencil.m.diagonal().cwiseSqrt().cwiseInverse();
  if (!model.mass || !model.stiffness || basis.k || V.cols() == 0 ||
      symmetric_eigen(scale.asDiagonal() * pencil.m * scale.asDiagonal()).values(0) > poor)
    return {V.transpose() * pencil.m * V, V.transpose() * pencil.k * V};
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(U.rows(), V.cols());
  add_product(X, U, V);
  const Eigen::MatrixXd m = units.inertia() * project(*model.mass, X);
  const Eigen::MatrixXd k = units.moment() * project(*model.stiffness, X);
  OrthogonalBasis turn = orthogonalise(m, k);
  const Eigen::VectorXd length = (V * turn.V).colwise().norm();
  turn.V = turn.V * length.cwiseInverse().asDiagonal();
  V *= turn.V;
  orthogonal.lambda = std::move(turn.lambda);
  return {turn.V.transpose() * m * turn.V, turn.V.transpose() * k * turn.V};
}

/// Takes the dependent columns out of U and the basis, and says so in the body.
void leave_out(const IndependentColumns& split,
               const Units& units,
               Eigen::MatrixXd& U,
               Basis& basis,
               FlexBody& body) {
  if (split.dependent.empty()) return;
  for (const DependentColumn& column : split.dependent) {
    const ModeInfo& mode = basis.modes.modes[static_cast<std::size_t>(column.column)];
    RejectedMode rejected{
        label_of(mode), RejectionReason::dependent, mode.eigenvalue * units.eigenvalue(), {}};
    for (const Eigen::Index other : column.repeats)
      rejected.repeats.push_back(label_of(basis.modes.modes[static_cast<std::size_t>(other)]));
    body.rejected.push_back(std::move(rejected));
  }
  U = U(Eigen::all, split.kept).eval();
  basis.modes.shapes = basis.modes.shapes(Eigen::all, split.kept).eval();
  std::vector<ModeInfo> kept;
  for (const Eigen::Index col : split.kept)
    kept.push_back(std::move(basis.modes.modes[static_cast<std::size_t>(col)]));
  basis.modes.modes = std::move(kept);
  if (basis.k) basis.k = (*basis.k)(split.kept, split.kept).eval();
}

/// Which columns of U V (U on model.dofs) are rigid-body motions: they store no strain energy worth
/// the name and stand in the span of the six rigid motions. The span is judged in the M norm where
/// there is an M: freedoms left out for want of stiffness and mass stay still in a rigid mode.
/// @param energy  strain energy of each column, twice
std::vector<bool> which_are_rigid(const FeModel& model,
                                  const Eigen::MatrixXd& U,
                                  const Eigen::MatrixXd& V,
                                  const Eigen::VectorXd& energy) {
  std::vector<bool> rigid(static_cast<std::size_t>(V.cols()), false);
  if (!model.stiffness) return rigid;
  Eigen::MatrixXd Phi = Eigen::MatrixXd::Zero(U.rows(), V.cols());
  add_product(Phi, U, V);
  const Eigen::VectorXd diagonal = model.stiffness->diagonal();
  std::vector<Eigen::Index> soft;
  for (Eigen::Index i = 0; i < Phi.cols(); ++i)
    if (std::abs(energy(i)) < 1e-9 * Phi.col(i).cwiseAbs2().dot(diagonal)) soft.push_back(i);
  if (soft.empty()) return rigid;
  Phi = Phi(Eigen::all, soft).eval();
  const auto measured = [&](const Eigen::MatrixXd& x) {
    return model.mass ? symmetric_product(*model.mass, x) : x;
  };
  Eigen::MatrixXd T = rigid_body_shapes(model, model.dofs, middle(model));
  const Eigen::VectorXd length =
      T.cwiseProduct(measured(T)).colwise().sum().cwiseMax(0.0).cwiseSqrt().transpose();
  for (Eigen::Index j = 0; j < T.cols(); ++j)
    T.col(j) *= length(j) > 0.0 ? 1.0 / length(j) : 0.0;
  const Eigen::MatrixXd MT = measured(T);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed_product(T, MT));
  const Eigen::MatrixXd rest = Phi - T * qr.solve(transposed_product(MT, Phi));
  const auto squares = [&](const Eigen::MatrixXd& x) -> Eigen::VectorXd {
    return x.cwiseProduct(measured(x)).colwise().sum().transpose();
  };
  const Eigen::VectorXd left = squares(rest);
  const Eigen::VectorXd whole = squares(Phi);
  for (std::size_t k = 0; k < soft.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    rigid[static_cast<std::size_t>(soft[k])] = left(i) < 1e-6 * whole(i);
  }
  return rigid;
}

/// Chosen modes that make up column `v`, and the kind of the one with the largest part.
BodyMode describe(const Eigen::VectorXd& v,
                  const Eigen::VectorXd& mass,
                  const std::vector<ModeInfo>& chosen) {
  const Eigen::VectorXd part = v.cwiseAbs().cwiseProduct(mass.cwiseMax(0.0).cwiseSqrt());
  Eigen::Index first = 0;
  const double largest = part.maxCoeff(&first);
  BodyMode mode;
  mode.kind = chosen[static_cast<std::size_t>(first)].kind;
  for (Eigen::Index i = 0; i < part.size(); ++i)
    if (part(i) > 1e-3 * largest || i == first)
      mode.sources.push_back(label_of(chosen[static_cast<std::size_t>(i)]));
  return mode;
}

}  // namespace

Method parse_method(std::string_view name) {
  std::string all;
  for (const auto& [method, n] : kMethods) {
    if (n == name) return method;
    all += fmt::format("{}{}", all.empty() ? "" : ", ", n);
  }
  throw UsageError("unknown-method",
                   fmt::format("no reduction method called '{}'", name),
                   {},
                   fmt::format("use one of {}", all));
}

std::string_view name_of(Method method) {
  for (const auto& [m, name] : kMethods)
    if (m == method) return name;
  return "given";
}

FrequencyBand parse_band(std::string_view text) {
  const auto fail = [&] {
    return UsageError(
        "band", fmt::format("'{}' is not a frequency band", text), {}, "write one like 0-100Hz");
  };
  std::string_view rest = text;
  const auto number = [&] {
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    double value = 0.0;
    const auto [end, fault] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (fault != std::errc{} || !std::isfinite(value) || value < 0.0) throw fail();
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    if (rest.size() >= 2 && rest.substr(0, 2) == "Hz") rest.remove_prefix(2);
    while (!rest.empty() && rest.front() == ' ')
      rest.remove_prefix(1);
    return value;
  };
  FrequencyBand band;
  band.from_hz = number();
  if (rest.empty() || rest.front() != '-') throw fail();
  rest.remove_prefix(1);
  band.to_hz = number();
  if (!rest.empty() || !(band.to_hz > band.from_hz)) throw fail();
  return band;
}

FlexBody reduce(const FeModel& model,
                const ReduceOptions& options,
                Diagnostics& diagnostics,
                Progress& progress,
                ReduceReport* report) {
  ReduceReport own_report;
  ReduceReport& told = report == nullptr ? own_report : *report;
  if (!model.units)
    throw ModelError("no-units",
                     "the units of the model are not known",
                     {},
                     "say them, for example --units mm-t-s");
  if (!(options.reject_below < options.reject_above))
    throw UsageError("limits",
                     fmt::format("no eigenvalue lies above {:.3g} and below {:.3g} rad^2/s^2",
                                 options.reject_below,
                                 options.reject_above),
                     {},
                     "give --reject-below the smaller number");
  const Units units = *model.units;
  auto start = std::chrono::steady_clock::now();
  Basis basis = choose_basis(model, options, diagnostics, progress, told);
  told.seconds_modes = seconds_since(start);

  // Dependent vectors leave first: they would make m singular on every path.
  start = std::chrono::steady_clock::now();
  FlexBody body;
  const bool on_matrix = model.dofs.size() > 0;
  Eigen::MatrixXd U = on_matrix ? shapes_on(basis.modes, model.dofs) : basis.modes.shapes;
  leave_out(independent_columns(U, options.dependence), units, U, basis, body);
  if (U.cols() == 0)
    throw ModelError("nothing-left", "no independent mode is left of those chosen");
  progress.step(0.0);

  ReducedPencil pencil = pencil_of(model, basis, U, units);
  const IndependentColumns split = independent_in_mass(pencil.m);
  if (!split.dependent.empty()) {
    std::string names;
    for (const DependentColumn& column : split.dependent)
      names += (names.empty() ? "" : ", ") +
               label_of(basis.modes.modes[static_cast<std::size_t>(column.column)]);
    diagnostics.warn(
        "no-mass-of-its-own",
        fmt::format("beside the other modes, {} would have no mass of its own (massless "
                    "freedoms, or nearly a repetition): left out",
                    names));
    leave_out(split, units, U, basis, body);
    pencil.m = pencil.m(split.kept, split.kept).eval();
    pencil.k = pencil.k(split.kept, split.kept).eval();
  }
  const Eigen::Index n_eta = U.cols();
  Eigen::MatrixXd V = Eigen::MatrixXd::Identity(n_eta, n_eta);
  const Eigen::VectorXd chosen_mass = pencil.m.diagonal();
  Eigen::VectorXd lambda = pencil.k.diagonal().cwiseQuotient(chosen_mass);
  if (options.orthogonalise) {
    OrthogonalBasis orthogonal = orthogonalise(pencil.m, pencil.k);
    pencil = turned(model, basis, U, units, pencil, orthogonal);
    V = std::move(orthogonal.V);
    lambda = std::move(orthogonal.lambda);
  }
  const std::vector<bool> rigid =
      on_matrix && (options.drop_rigid || options.orthogonalise)
          ? which_are_rigid(model, U, V, pencil.k.diagonal() / units.moment())
          : std::vector<bool>(static_cast<std::size_t>(n_eta), false);
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < n_eta; ++i) {
    const std::string source = options.orthogonalise
                                   ? fmt::format("orthogonal:{}", i + 1)
                                   : label_of(basis.modes.modes[static_cast<std::size_t>(i)]);
    if (options.drop_rigid && rigid[static_cast<std::size_t>(i)]) {
      ++body.path.rigid_modes;
      body.rejected.push_back({source, RejectionReason::rigid, lambda(i), {}});
    } else if (options.orthogonalise && lambda(i) < options.reject_below) {
      body.rejected.push_back({source, RejectionReason::below_limit, lambda(i), {}});
    } else if (options.orthogonalise && lambda(i) > options.reject_above) {
      body.rejected.push_back({source, RejectionReason::above_limit, lambda(i), {}});
    } else {
      kept.push_back(i);
    }
  }
  if (kept.empty())
    throw ModelError("nothing-left",
                     fmt::format("all {} orthogonalised modes were rejected: their eigenvalues are "
                                 "outside {:.3e} to {:.3e} rad^2/s^2, or rigid",
                                 n_eta,
                                 options.reject_below,
                                 options.reject_above),
                     {},
                     "widen --reject-below and --reject-above, or choose other modes");
  V = V(Eigen::all, kept).eval();

  const auto n = static_cast<Eigen::Index>(kept.size());
  Eigen::MatrixXd m = pencil.m(kept, kept);
  Eigen::MatrixXd k = pencil.k(kept, kept);
  if (options.orthogonalise) {
    m = Eigen::MatrixXd(m.diagonal().asDiagonal());
    k = Eigen::MatrixXd(k.diagonal().asDiagonal());
  }
  const Eigen::VectorXd alpha = options.scale ? mass_scale(m) : Eigen::VectorXd::Ones(n);
  body.mass = alpha.asDiagonal() * m * alpha.asDiagonal();
  body.stiffness = alpha.asDiagonal() * k * alpha.asDiagonal();
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index column = kept[static_cast<std::size_t>(i)];
    BodyMode mode = describe(V.col(i), chosen_mass, basis.modes.modes);
    if (options.orthogonalise && rigid[static_cast<std::size_t>(column)])
      mode.kind = ModeKind::rigid;
    mode.eigenvalue = body.stiffness(i, i) / body.mass(i, i);
    body.modes.push_back(std::move(mode));
  }
  const Eigen::MatrixXd to_zeta = V * alpha.asDiagonal();

  body.name = model.name;
  for (const Node& node : model.nodes)
    body.nodes.push_back({node.id, units.length * node.position});
  BackTransformation back;
  back.chosen_shapes = nodal_shapes(model, basis.modes, units);
  back.chosen_modes = basis.modes.modes;
  for (ModeInfo& mode : back.chosen_modes) {
    mode.eigenvalue *= units.eigenvalue();
    mode.generalised_mass *= units.inertia();
  }
  back.V = V;
  back.alpha = alpha;
  body.shapes = Eigen::MatrixXd::Zero(back.chosen_shapes.rows(), n);
  add_product(body.shapes, back.chosen_shapes, to_zeta);
  told.seconds_project = seconds_since(start);
  progress.step(0.0);

  start = std::chrono::steady_clock::now();
  body.lumped_mass = lumped_masses(model);
  const Eigen::Vector3d seen = directional_mass(model);
  const bool whole =
      seen.minCoeff() > 0.0 && seen.maxCoeff() - seen.minCoeff() <= 1e-6 * seen.maxCoeff();
  if (whole) {
    Eigen::MatrixXd Phi = Eigen::MatrixXd::Zero(U.rows(), n);
    add_product(Phi, U, to_zeta);
    for (std::int64_t row = 0; row < model.dofs.size(); ++row)
      if (const int c = model.dofs[row].component; c >= 1 && c <= 3) Phi.row(row) *= units.length;
    body.invariants = consistent_invariants(model, Phi);
    told.lumped =
        difference(lumped_invariants(body.nodes, body.lumped_mass, body.shapes), body.invariants);
  } else {
    body.invariants = lumped_invariants(body.nodes, body.lumped_mass, body.shapes);
    if (!(body.invariants.mass > 0.0))
      diagnostics.warn("no-mass",
                       "neither the mass matrix nor concentrated masses show the mass of the "
                       "body: its inertia invariants are zero");
  }
  told.seconds_invariants = seconds_since(start);

  body.interface_nodes = model.interface_nodes;
  body.elements = model.elements;
  body.path.orthogonalised = options.orthogonalise;
  body.path.scaled = options.scale;
  body.path.reject_below = options.reject_below;
  body.path.reject_above = options.reject_above;
  body.provenance = model.provenance;
  if (options.damping.kind == DampingRule::Kind::matrix) {
    if (!model.damping)
      throw ModelError("no-damping",
                       "the model holds no damping matrix",
                       {},
                       "import one, or give --damping a ratio");
    // D has [force time / length]
    body.damping =
        to_zeta.transpose() * project(*model.damping, U) * to_zeta * (units.moment() * units.time);
  }
  if (!options.preloaded.empty())
    body.geometric = geometric_terms(model, options.preloaded, U * to_zeta);
  body.back = std::move(back);
  apply_damping(body, options.damping);
  return make_flex_body(std::move(body));
}

}  // namespace femflex::modal

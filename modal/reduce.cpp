// Reduces an FE model to a flexible body: chooses shapes, removes dependent ones, orthogonalises,
// rejects, scales, projects. Notation: U are the chosen shapes, Phi = U V diag(alpha) the shapes of
// the body on its nodes, X the same shapes on the DOFs of the model.
#include "femflex/modal/reduce.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/build_invariants.h"
#include "femflex/modal/scale.h"
#include "femflex/model_units.h"
#include "femflex/nodal_shapes.h"
#include "femflex/parallel.h"
#include "femflex/seconds.h"

#include "check_definite.h"
#include "dense/symmetric_eigen.h"
#include "invariants_of_shapes.h"
#include "mass_limits.h"
#include "methods/left_out.h"
#include "reduced_set.h"
#include "request_checks.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Lists the chosen modes that form column `v`, and takes the kind of the one with the largest
/// weight.
BodyMode describe(const Eigen::VectorXd& v,
                  const Eigen::VectorXd& mass,
                  const std::vector<ModeInfo>& chosen) {
  // weight of a mode, relative to the largest, from which it is named as a source
  constexpr double kListedSource = 1e-3;
  const Eigen::VectorXd part = v.cwiseAbs().cwiseProduct(mass.cwiseMax(0.0).cwiseSqrt());
  Eigen::Index main_mode = 0;
  const double largest = part.maxCoeff(&main_mode);
  BodyMode mode;
  mode.kind = chosen[static_cast<std::size_t>(main_mode)].kind;
  for (Eigen::Index i = 0; i < part.size(); ++i)
    if (part(i) > kListedSource * largest || i == main_mode)
      mode.sources.push_back(label_of(chosen[static_cast<std::size_t>(i)]));
  return mode;
}

void check_interface_modes(const ReduceOptions& options) {
  if (options.method != Method::craig_bampton && options.method != Method::guyan)
    throw UsageError("interface-modes",
                     fmt::format("--interface-modes reduces the constraint modes of craig-bampton "
                                 "and guyan; {} has none",
                                 name_of(options.method)),
                     {},
                     "leave it out, or reduce with --method craig-bampton");
  if (*options.interface_modes < 1)
    throw UsageError("interface-modes",
                     fmt::format("{} interface modes were requested", *options.interface_modes),
                     {},
                     "give a positive number (--interface-modes 200)");
}

void check_request(const FeModel& model, const ReduceOptions& options) {
  units_of(model);  // without them there is no body
  check_count(options.normal.value_or(0), "--normal");
  check_count(options.left_out.value_or(0), "--left-out");
  check_highest_frequency(options.fmax_hz);
  check_preloaded(model, options.preloaded);
  if (options.interface_modes) check_interface_modes(options);
  if (!(options.reject_below < options.reject_above))
    throw UsageError(
        "limits",
        fmt::format("the limits of eigenvalues, {:.3g} to {:.3g} rad^2/s^2, are not in "
                    "ascending order",
                    options.reject_below,
                    options.reject_above),
        {},
        "give a --reject-below that is smaller than --reject-above");
}

/// Whether rigid columns are rejected, with the automatic choice resolved.
bool drops_rigid(const ReduceOptions& options) {
  if (options.rigid_modes != RigidModes::automatic) return options.rigid_modes == RigidModes::drop;
  return options.orthogonalise || options.method != Method::given;
}

/// Warns of motions without energy besides the rigid ones, and tells whether they are kept.
/// @param others  which columns these motions are
void warn_of_zero_energy(const FeModel& model,
                         const ReducedSet& set,
                         const ColumnSet& columns,
                         const std::vector<bool>& rigid,
                         const std::vector<bool>& others,
                         const ReduceOptions& options,
                         Diagnostics& diagnostics) {
  const auto first = std::find(others.begin(), others.end(), true);
  if (first == others.end()) return;
  const Eigen::VectorXd x = set.U * columns.V.col(first - others.begin());
  Eigen::Index largest = 0;
  x.cwiseAbs().maxCoeff(&largest);
  const bool is_kept = options.reject_below <= 0.0;
  diagnostics.warn(
      "zero-energy",
      fmt::format("besides {} rigid motions, {} motions of the body have no stiffness, the first "
                  "moves {} most: parts are loose, or there is a mechanism; they are {}",
                  std::count(rigid.begin(), rigid.end(), true),
                  std::count(others.begin(), others.end(), true),
                  to_string(model.dofs[largest]),
                  is_kept ? "kept as modes of 0 Hz"
                          : "left out: connect the parts, or keep them with --reject-below -1"));
}

/// Which of the columns are kept; the others go into the list of the body with their reasons.
/// @throws ModelError  none is left
std::vector<Eigen::Index> columns_to_keep(const ReducedSet& set,
                                          const ColumnSet& columns,
                                          const std::vector<bool>& rigid,
                                          const ReduceOptions& options,
                                          FlexBody& body) {
  std::vector<Eigen::Index> kept;
  for (Eigen::Index i = 0; i < columns.V.cols(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string source = options.orthogonalise ? fmt::format("orthogonal:{}", i + 1)
                                                     : label_of(set.basis.modes.modes[at]);
    const double lambda = columns.lambda(i);
    const bool has_limits = options.orthogonalise && !rigid[at];
    if (rigid[at] && drops_rigid(options)) {
      ++body.path.rigid_modes;
      body.rejected.push_back({source, RejectionReason::rigid, lambda, {}});
    } else if (has_limits && lambda < options.reject_below) {
      body.rejected.push_back({source, RejectionReason::below_limit, lambda, {}});
    } else if (has_limits && lambda > options.reject_above) {
      body.rejected.push_back({source, RejectionReason::above_limit, lambda, {}});
    } else {  // keep all rigid modes or none, whatever their computed eigenvalues
      kept.push_back(i);
    }
  }
  if (kept.empty() && body.path.rigid_modes == columns.V.cols())
    throw ModelError("nothing-left",
                     fmt::format("all {} modes are rigid-body motions, which the frame of the body "
                                 "performs itself",
                                 columns.V.cols()),
                     {},
                     "add elastic modes (--normal, more interface nodes), use the part as a rigid "
                     "body, or keep them (--keep-rigid)");
  if (kept.empty())
    throw ModelError("nothing-left",
                     fmt::format("all {} orthogonalised modes were rejected: their eigenvalues are "
                                 "outside {:.3e} to {:.3e} rad^2/s^2, or rigid",
                                 columns.V.cols(),
                                 options.reject_below,
                                 options.reject_above),
                     {},
                     "widen --reject-below and --reject-above, or choose other modes");
  return kept;
}

/// The kept columns of U V, which are the acting shapes of the body, and behind them those that it
/// carries without their acting.
struct BodyColumns {
  Eigen::MatrixXd V;
  ReducedPencil pencil;
  Eigen::Index acting = 0;
};

/// Appends left-out shapes to U, and their columns to V. They are K-orthogonal to the others.
void append_left_out(const FeModel& model,
                     const ReduceOptions& options,
                     ReducedSet& set,
                     BodyColumns& columns,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(set.U.rows(), columns.V.cols());
  add_product(X, set.U, columns.V);
  const ModeSet more = left_out_shapes(model, X, options, diagnostics, progress);
  const Eigen::Index n = columns.acting, left = more.count();
  const Units& units = *model.units;
  const auto extended = [&](const Eigen::MatrixXd& a) {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.rows() + left, a.cols() + left);
    out.topLeftCorner(a.rows(), a.cols()) = a;
    return out;
  };
  columns.pencil.m = extended(columns.pencil.m);
  columns.pencil.k = extended(columns.pencil.k);
  const Eigen::MatrixXd coupling =
      units.inertia() * transposed_product(X, symmetric_product(*model.mass, more.shapes));
  columns.pencil.m.topRightCorner(n, left) = coupling;
  columns.pencil.m.bottomLeftCorner(left, n) = coupling.transpose();
  for (Eigen::Index j = 0; j < left; ++j) {
    const ModeInfo& mode = more.modes[static_cast<std::size_t>(j)];
    columns.pencil.m(n + j, n + j) = units.inertia() * mode.generalised_mass;
    columns.pencil.k(n + j, n + j) = units.moment() * mode.generalised_stiffness();
  }
  set.pencil.m = extended(set.pencil.m);
  set.pencil.m.diagonal().tail(left) = columns.pencil.m.diagonal().tail(left);
  columns.V = extended(columns.V);
  columns.V.bottomRightCorner(left, left).setIdentity();
  set.basis.modes = merged(set.basis.modes, more);
  set.U.conservativeResize(Eigen::NoChange, set.U.cols() + left);
  set.U.rightCols(left) = more.shapes;
}

/// V, alpha and U in SI on the nodes. Takes the shapes of the set away.
BackTransformation back_transformation(const FeModel& model,
                                       ReducedSet set,
                                       const Eigen::MatrixXd& V,
                                       const Eigen::VectorXd& alpha) {
  const Units& units = *model.units;
  BackTransformation back;
  back.chosen_shapes = nodal_shapes(model, set.basis.modes, units);
  back.chosen_modes = std::move(set.basis.modes.modes);
  for (ModeInfo& mode : back.chosen_modes) {
    mode.eigenvalue *= units.eigenvalue();
    mode.generalised_mass *= units.inertia();
  }
  back.V = V;
  back.alpha = alpha;
  return back;
}

/// nodal_shapes() in SI of shapes on model.dofs that the caller no longer needs. They are taken
/// away piece by piece, from the last column on, so that both never stand in memory whole.
Eigen::MatrixXd moved_to_nodes(const FeModel& model, Eigen::MatrixXd X) {
  constexpr Eigen::Index kPieces = 16;
  const Eigen::Index width = (X.cols() + kPieces - 1) / kPieces;
  Eigen::MatrixXd out(6 * static_cast<Eigen::Index>(model.nodes.size()), X.cols());
  while (X.cols() > 0) {
    const Eigen::Index count = std::min(width, X.cols());
    const Eigen::Index first = X.cols() - count;
    const ModeSet piece{
        model.dofs, X.rightCols(count), std::vector<ModeInfo>(static_cast<std::size_t>(count))};
    out.middleCols(first, count) = nodal_shapes(model, piece, *model.units);
    X.conservativeResize(Eigen::NoChange, first);
  }
  return out;
}

/// Shapes on model.dofs with translations in metres instead of the unit of the model. Rotations
/// have no length in their unit; scalar points, such as inner modes of elements, count as
/// translations.
Eigen::MatrixXd in_metres(const FeModel& model, Eigen::MatrixXd X) {
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component <= 3) X.row(row) *= model.units->length;
  return X;
}

/// Fills the shapes of the body on its nodes and its back-transformation.
/// @param X  the shapes on model.dofs
/// @return   the invariants that X and the mass matrix give
std::optional<InertiaInvariants> fill_shapes(const FeModel& model,
                                             ReducedSet set,
                                             Eigen::MatrixXd X,
                                             const Eigen::MatrixXd& V,
                                             const Eigen::VectorXd& alpha,
                                             FlexBody& body) {
  // From this number of columns on, a second product of that size costs more than a copy of X.
  // Modes on further rows than those of the matrices are not whole in X.
  constexpr Eigen::Index kManyColumns = 500;
  set.U.resize(0, 0);
  Eigen::MatrixXd kept;
  const bool keeps = X.cols() >= kManyColumns && set.basis.modes.rows == model.dofs;
  if (keeps) kept = X;
  std::optional<InertiaInvariants> out =
      invariants_of_shapes(model, in_metres(model, std::move(X)));
  BackTransformation back = back_transformation(model, std::move(set), V, alpha);
  if (keeps) {
    body.shapes = moved_to_nodes(model, std::move(kept));
  } else {
    body.shapes = Eigen::MatrixXd::Zero(back.chosen_shapes.rows(), V.cols());
    add_product(body.shapes, back.chosen_shapes, V * alpha.asDiagonal());
  }
  body.back = std::move(back);
  return out;
}

/// Computes lumped masses and inertia invariants of the body, and warns if the mass matrix is not
/// complete.
/// @param consistent  invariants_of_shapes() of the body
void fill_invariants(const FeModel& model,
                     std::optional<InertiaInvariants> consistent,
                     FlexBody& body,
                     Diagnostics& diagnostics,
                     ReduceReport& figures) {
  body.lumped_mass = lumped_masses(model);
  const InertiaInvariants lumped = lumped_invariants(body.nodes, body.lumped_mass, body.shapes);
  body.invariants = chosen_invariants(model, std::move(consistent), lumped);
  const Eigen::Vector3d by_direction = directional_mass(model);
  const auto lacks_mass = [&](double m) {
    return m > 0.0 && by_direction.maxCoeff() - m > kEqualMass * by_direction.maxCoeff();
  };
  if (is_whole(by_direction))
    figures.lumped = difference(lumped, body.invariants);
  else if (has_every_row(model) && by_direction.minCoeff() > 0.0)
    diagnostics.warn(
        "mass-by-direction",
        fmt::format(
            "the mass matrix shows {:.6g}, {:.6g} and {:.6g} kg along x, y and z although "
            "it has every row, which is impossible for a rigid body: the body gets their mean, "
            "{:.6g} kg; check how the matrix was made",
            by_direction.x(),
            by_direction.y(),
            by_direction.z(),
            body.invariants.mass));
  else if (std::any_of(by_direction.begin(), by_direction.end(), lacks_mass))
    diagnostics.warn(
        "mass-of-held-dofs",
        fmt::format("the mass matrix shows {:.6g}, {:.6g} and {:.6g} kg along x, y and z: rows are "
                    "left out of it, so mass, centre and inertia of the body come from lumped "
                    "masses ({:.6g} kg)",
                    by_direction.x(),
                    by_direction.y(),
                    by_direction.z(),
                    lumped.mass));
  if (!(body.invariants.mass > 0.0))
    diagnostics.warn("no-mass",
                     "neither the mass matrix nor concentrated masses show the mass of the "
                     "body: its inertia invariants are zero");
}

/// Describes the shapes of a body by the chosen modes that form them. mass and stiffness of the
/// body must be set.
/// @param rigid  for each acting shape: whether it is rigid
void describe_modes(const ReducedSet& set,
                    const BodyColumns& columns,
                    const std::vector<bool>& rigid,
                    FlexBody& body) {
  const Eigen::VectorXd chosen_mass = set.pencil.m.diagonal();
  for (Eigen::Index i = 0; i < columns.V.cols(); ++i) {
    BodyMode mode = describe(columns.V.col(i), chosen_mass, set.basis.modes.modes);
    mode.enabled = i < columns.acting;
    if (mode.enabled && rigid[static_cast<std::size_t>(i)]) mode.kind = ModeKind::rigid;
    mode.eigenvalue = body.stiffness(i, i) / body.mass(i, i);
    body.modes.push_back(std::move(mode));
  }
}

/// The damping matrix D of the model, of unit [force time / length], projected on the shapes; SI.
/// @param X  shapes of the body on model.dofs, units of the model
Eigen::MatrixXd reduced_damping(const FeModel& model, const Eigen::MatrixXd& X) {
  if (!model.damping)
    throw ModelError("no-damping",
                     "the model holds no damping matrix",
                     {},
                     "import one, or give --damping a ratio");
  return project(*model.damping, X) * (model.units->moment() * model.units->time);
}

/// Warns of ratios on shapes that are not eigenmodes, where they resist rigid motions.
void warn_of_damped_rigid_motions(const FlexBody& body, Diagnostics& diagnostics) {
  constexpr double kResists = 1e-3;          // a tenth of a per cent
  constexpr Eigen::Index kMostModes = 1000;  // whose eigenmodes take a second or two
  if (body.path.orthogonalised || body.damping || body.mode_count() > kMostModes) return;
  const double ratio = damping_of_rigid_motions(body);
  if (!(ratio > kResists)) return;
  diagnostics.warn(
      "rigid-damping",
      fmt::format("the damping resists rigid motions of the body, as {:.3g} of critical "
                  "damping at its lowest elastic frequency, because its shapes are no "
                  "eigenmodes; --damping true:0.02 puts ratios on the eigenmodes and "
                  "leaves rigid motions free",
                  ratio));
}

}  // namespace

FlexBody reduce(const FeModel& model,
                const ReduceOptions& options,
                Diagnostics& diagnostics,
                Progress& progress,
                ReduceReport* report) {
  ReduceReport unused_report;
  ReduceReport& figures = report == nullptr ? unused_report : *report;
  check_request(model, options);
  const DenseThreads dense(options.solve.threads);
  auto start = std::chrono::steady_clock::now();
  Basis basis = choose_basis(model, options, diagnostics, progress, figures);
  figures.seconds_modes = seconds_since(start);

  start = std::chrono::steady_clock::now();
  FlexBody body;
  ReducedSet set =
      independent_set(model, std::move(basis), options, body.rejected, diagnostics, progress);
  check_told_apart(model, set);
  ColumnSet columns = column_set(model, set, options.orthogonalise);
  std::vector<bool> rigid(static_cast<std::size_t>(columns.V.cols()), false);
  std::vector<bool> others = rigid;
  if (options.orthogonalise) others = separate_zero_energy(model, set, columns);
  if (drops_rigid(options) || options.orthogonalise) rigid = which_are_rigid(model, set, columns);
  check_definite(model, set, options.orthogonalise ? columns : column_set(model, set, true));
  warn_of_zero_energy(model, set, columns, rigid, others, options, diagnostics);
  const std::vector<Eigen::Index> kept = columns_to_keep(set, columns, rigid, options, body);

  BodyColumns own{columns.V(Eigen::all, kept),
                  {columns.pencil.m(kept, kept), columns.pencil.k(kept, kept)},
                  static_cast<Eigen::Index>(kept.size())};
  if (options.orthogonalise) {
    own.pencil.m = Eigen::MatrixXd(own.pencil.m.diagonal().asDiagonal());
    own.pencil.k = Eigen::MatrixXd(own.pencil.k.diagonal().asDiagonal());
  }
  if (options.left_out) append_left_out(model, options, set, own, diagnostics, progress);
  const Eigen::MatrixXd& V = own.V;
  const Eigen::MatrixXd& m = own.pencil.m;
  const Eigen::MatrixXd& k = own.pencil.k;
  const Eigen::Index n = V.cols();
  const Eigen::VectorXd alpha = options.scale ? mass_scale(m) : Eigen::VectorXd::Ones(n);
  body.mass = alpha.asDiagonal() * m * alpha.asDiagonal();
  body.stiffness = alpha.asDiagonal() * k * alpha.asDiagonal();
  std::vector<bool> is_kept_rigid;
  for (const Eigen::Index i : kept)
    is_kept_rigid.push_back(options.orthogonalise && rigid[static_cast<std::size_t>(i)]);
  describe_modes(set, own, is_kept_rigid, body);

  body.name = model.name;
  for (const Node& node : model.nodes)
    body.nodes.push_back({node.id, model.units->length * node.position});
  const Eigen::MatrixXd to_zeta = V * alpha.asDiagonal();
  Eigen::MatrixXd X = Eigen::MatrixXd::Zero(set.U.rows(), n);  // the shapes on model.dofs
  add_product(X, set.U, to_zeta);
  figures.seconds_project = seconds_since(start);
  progress.step(0.0);

  // What is large is freed as soon as it is no longer needed: U and X before the shapes on nodes.
  start = std::chrono::steady_clock::now();
  if (options.damping.kind == DampingRule::Kind::matrix) body.damping = reduced_damping(model, X);
  if (!options.preloaded.empty())
    body.geometric = geometric_terms(model, options.preloaded, X, diagnostics);
  std::optional<InertiaInvariants> consistent =
      fill_shapes(model, std::move(set), std::move(X), V, alpha, body);
  fill_invariants(model, std::move(consistent), body, diagnostics, figures);
  figures.seconds_invariants = seconds_since(start);

  body.interface_nodes = model.interface_nodes;
  body.elements = model.elements;
  body.path.orthogonalised = options.orthogonalise;
  body.path.scaled = options.scale;
  body.path.reject_below = options.reject_below;
  body.path.reject_above = options.reject_above;
  body.provenance = model.provenance;
  apply_damping(body, options.damping);
  body = make_flex_body(std::move(body));
  warn_of_damped_rigid_motions(body, diagnostics);
  return body;
}

}  // namespace femflex::modal

// Computes the coordinates eta of the modes that the user chose (the columns of U) from the modal
// coordinates zeta of a simulation. Of the three routes in back_transform.h the first that is
// possible is recommended, with an estimate of its error from the condition of U with columns of
// unit length, U D^-1, or of D V diag(alpha).
// Rotation rows of U are multiplied by a mean radius, which makes them comparable with
// translations.
#include "femflex/modal/back_transform.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/model_units.h"
#include "femflex/name_table.h"
#include "femflex/nodal_shapes.h"

namespace femflex::modal {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// @throws ModelError  the body carries no back-transformation
const BackTransformation& back_of(const FlexBody& body) {
  if (!body.back)
    throw ModelError(
        "no-back-transformation",
        "the body does not carry U, V and alpha",
        {},
        "use the .fbm file, or the .flex file together with its sidecar, or take U from "
        "the model: --model M.fe.h5 --select ...");
  return *body.back;
}

/// Rows of U with a non-zero entry: DOFs that the modes move.
std::vector<Eigen::Index> moving_rows(const Eigen::MatrixXd& U) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index row = 0; row < U.rows(); ++row)
    if ((U.row(row).array() != 0.0).any()) rows.push_back(row);
  return rows;
}

/// 2-norm condition number; 1 for an empty matrix, infinite for a singular one.
double condition(const Eigen::MatrixXd& matrix) {
  if (matrix.size() == 0) return 1.0;
  const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  const double smallest = sigma(sigma.size() - 1);
  return smallest > 0.0 ? sigma(0) / smallest : std::numeric_limits<double>::infinity();
}

/// Column lengths, used to scale columns to unit length, because the user's scale of a chosen shape
/// must not matter.
Eigen::VectorXd column_lengths(const Eigen::MatrixXd& U) {
  Eigen::VectorXd lengths(U.cols());
  for (Eigen::Index j = 0; j < U.cols(); ++j) {
    const double length = U.col(j).norm();
    lengths(j) = length > 0.0 ? length : 1.0;
  }
  return lengths;
}

/// Weight of rotations: the root mean square of the distances of the nodes from their centroid [m],
/// docs/theory/modal.md eq. (9).
double rotation_arm(const FlexBody& body) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const BodyNode& node : body.nodes)
    mean += node.position;
  mean /= std::max<double>(1.0, static_cast<double>(body.nodes.size()));
  double sum = 0.0;
  for (const BodyNode& node : body.nodes)
    sum += (node.position - mean).squaredNorm();
  const double arm = std::sqrt(sum / std::max<double>(1.0, static_cast<double>(body.nodes.size())));
  return arm > 0.0 ? arm : 1.0;
}

/// The rows `rows` of A, with rotation rows multiplied by `arm`.
Eigen::MatrixXd weighted_rows(const Eigen::MatrixXd& A,
                              const std::vector<Eigen::Index>& rows,
                              double arm) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()), A.cols());
  for (std::size_t r = 0; r < rows.size(); ++r)
    out.row(static_cast<Eigen::Index>(r)) = (rows[r] % 6 >= 3 ? arm : 1.0) * A.row(rows[r]);
  return out;
}

/// U on the rows that move, rotations weighted, with columns of unit length.
struct ScaledModes {
  double arm = 1.0;  ///< weight of rotations
  std::vector<Eigen::Index> rows;
  Eigen::MatrixXd U;
  Eigen::VectorXd lengths;  ///< of the columns before
};

ScaledModes scaled_modes(const FlexBody& body, const BackTransformation& back) {
  ScaledModes out;
  out.arm = rotation_arm(body);
  out.rows = moving_rows(back.chosen_shapes);
  out.U = weighted_rows(back.chosen_shapes, out.rows, out.arm);
  out.lengths = column_lengths(out.U);
  out.U = out.U * out.lengths.cwiseInverse().asDiagonal();
  return out;
}

/// R of U = Q R, which has the rank and the condition of U.
/// @pre U has at least as many rows as columns
Eigen::MatrixXd triangle_of(const Eigen::MatrixXd& U) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(U);
  return qr.matrixQR().topRows(U.cols()).triangularView<Eigen::Upper>().toDenseMatrix();
}

/// Why no equation for eta can be solved; empty if it can be.
std::string unsolvable(const Eigen::MatrixXd& R) {
  const Eigen::Index rank = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(R).rank();
  return rank < R.cols() ? fmt::format("the chosen shapes have rank {} of {}", rank, R.cols())
                         : std::string();
}

/// Whether the body carries V and alpha, which the direct route multiplies by.
bool has_direct_route(const FlexBody& body, const BackTransformation& back) {
  return back.V.cols() == body.mode_count() && back.V.allFinite() &&
         back.alpha.size() == body.mode_count() && back.alpha.allFinite();
}

constexpr auto kRoutes = name_table<BackRoute>({{BackRoute::direct, "direct"},
                                                {BackRoute::inverse, "inverse"},
                                                {BackRoute::least_squares, "least-squares"}});

}  // namespace

std::string_view name_of(BackRoute route) {
  return kRoutes.name_of(route);
}

BackRoute parse_back_route(std::string_view name) {
  return kRoutes.parse(name, "unknown-route", "a route of back-transformation");
}

std::vector<std::string> back_route_names() {
  return kRoutes.names();
}

BackAdvice advise_back_transformation(const FlexBody& body) {
  const BackTransformation& back = back_of(body);
  BackAdvice advice;
  advice.direct_known = has_direct_route(body, back);
  const ScaledModes modes = scaled_modes(body, back);
  const Eigen::MatrixXd& U = modes.U;
  std::string fault;
  if (U.rows() < U.cols()) {
    advice.condition_U = std::numeric_limits<double>::infinity();
    fault = fmt::format("U has {} moving rows for {} modes", U.rows(), U.cols());
  } else {
    const Eigen::MatrixXd R = triangle_of(U);
    advice.condition_U = condition(R);
    fault = unsolvable(R);
  }
  constexpr double kTwoDigits = 100.0;  // at least two digits of the coordinates must be left
  advice.complete =
      U.rows() == U.cols() && fault.empty() && advice.condition_U < 1.0 / (kTwoDigits * kEpsilon);
  if (advice.direct_known)
    advice.condition_V = condition(modes.lengths.asDiagonal() * back.V * back.alpha.asDiagonal());
  const double infinity = std::numeric_limits<double>::infinity();
  advice.direct_error = advice.direct_known ? kEpsilon * advice.condition_V : infinity;
  advice.inverse_error = advice.complete ? kEpsilon * advice.condition_U : infinity;
  advice.least_squares_error = fault.empty() ? kEpsilon * advice.condition_U : infinity;
  if (advice.direct_known) {
    advice.recommended = BackRoute::direct;
    advice.why = "V and alpha are known, so no equation need be solved";
    if (std::isfinite(advice.condition_U))
      advice.why +=
          fmt::format("; solving with U (condition {:.1e}) instead would lose {:.0f} digits",
                      advice.condition_U,
                      std::max(0.0, std::log10(advice.condition_U)));
  } else if (advice.complete) {
    advice.recommended = BackRoute::inverse;
    advice.why = fmt::format("U is complete with condition {:.1e}", advice.condition_U);
  } else {
    advice.recommended = BackRoute::least_squares;
    advice.why = !fault.empty() ? fmt::format(
                                      "no route is possible: V and alpha are not "
                                      "known, and {}",
                                      fault)
                 : U.rows() == U.cols()
                     ? fmt::format("U is square, but of condition {:.1e}", advice.condition_U)
                     : fmt::format("U has {} rows for {} modes", U.rows(), U.cols());
  }
  return advice;
}

Eigen::MatrixXd chosen_coordinates(const FlexBody& body,
                                   const Eigen::MatrixXd& zeta,
                                   BackRoute route) {
  const BackTransformation& back = back_of(body);
  if (zeta.rows() != body.mode_count())
    throw ModelError(
        "size",
        fmt::format("zeta has {} rows, but the body has {} modes", zeta.rows(), body.mode_count()));
  if (route == BackRoute::direct && !has_direct_route(body, back))
    throw ModelError("no-direct-route",
                     "V and alpha of the body are not known",
                     {},
                     "take the route inverse or least-squares");
  if (route == BackRoute::direct) return back.V * (back.alpha.asDiagonal() * zeta);

  const ScaledModes modes = scaled_modes(body, back);
  const Eigen::MatrixXd& U = modes.U;
  const Eigen::MatrixXd q = weighted_rows(body.shapes, modes.rows, modes.arm) * zeta;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(U);
  if (route == BackRoute::inverse && U.rows() != U.cols())
    throw NumericalError(
        "not-complete",
        fmt::format("U has {} moving rows for {} modes, so it has no inverse", U.rows(), U.cols()),
        {},
        "choose the direct or the least-squares route");
  if (qr.rank() < U.cols())
    throw NumericalError(
        "dependent-modes",
        fmt::format("the chosen shapes have rank {} of {}", qr.rank(), U.cols()),
        {},
        has_direct_route(body, back) ? "choose the direct route" : "choose independent modes");
  const Eigen::MatrixXd eta = qr.solve(q);
  return modes.lengths.cwiseInverse().asDiagonal() * eta;
}

void take_chosen_modes(FlexBody& body,
                       const FeModel& model,
                       const std::vector<ModeSelection>& select) {
  // largest residual of the least-squares fit, relative to the length of the shape: files of seven
  // digits stay below it, a body made of other modes is far above
  constexpr double kMaxResidual = 1e-4;
  if (model.modes.count() == 0)
    throw ModelError("no-modes",
                     "the model holds no modes of which the body could be made",
                     {},
                     "give the model with the modes that the body was made of (femflex modes)");
  const Units& units = units_of(model);
  const std::vector<Eigen::Index> columns = columns_of(model.modes, select);
  const Eigen::MatrixXd all = nodal_shapes(model, model.modes, units);
  const auto modes = static_cast<Eigen::Index>(columns.size());
  std::optional<BackTransformation> kept(std::in_place);  // the new one, until it has passed
  BackTransformation& back = *kept;
  back.chosen_shapes.resize(6 * body.node_count(), modes);
  back.V.resize(modes, 0);
  for (Eigen::Index k = 0; k < body.node_count(); ++k) {
    const std::int64_t id = body.nodes[static_cast<std::size_t>(k)].id;
    const Node* node = find_node(model, id);
    if (node == nullptr)
      throw ModelError("unknown-node",
                       fmt::format("node {} of the body is not in the model", id),
                       {},
                       "give the model that the body was made from");
    const Eigen::Index row = 6 * (node - model.nodes.data());
    for (Eigen::Index j = 0; j < modes; ++j)
      back.chosen_shapes.block<6, 1>(6 * k, j) =
          all.block<6, 1>(row, columns[static_cast<std::size_t>(j)]);
  }
  for (const Eigen::Index column : columns) {
    ModeInfo mode = model.modes.modes[static_cast<std::size_t>(column)];
    mode.eigenvalue *= units.eigenvalue();
    mode.generalised_mass *= units.inertia();
    back.chosen_modes.push_back(std::move(mode));
  }
  const Eigen::Index count = body.mode_count();
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(count, count);
  std::swap(body.back, kept);
  try {
    const Eigen::MatrixXd eta = chosen_coordinates(body, identity, BackRoute::least_squares);
    const Eigen::MatrixXd residual = body.shapes - body.back->chosen_shapes * eta;
    for (Eigen::Index k = 0; k < count; ++k) {
      const double share = residual.col(k).norm() / std::max(body.shapes.col(k).norm(), 1e-300);
      if (share <= kMaxResidual) continue;
      throw ModelError(
          "other-modes",
          fmt::format("mode {} of the body is not a combination of the chosen modes: the best fit "
                      "is off by {:.2g} of its length",
                      k + 1,
                      share),
          {},
          "choose the modes that the body was made of: --select static:1,constraint:1");
    }
  } catch (const Error&) {
    std::swap(body.back, kept);  // the body stays as it was
    throw;
  }
}

Eigen::MatrixXd node_motion(const FlexBody& body, std::int64_t node, const Eigen::MatrixXd& zeta) {
  const Eigen::Index index = find_node(body, node);
  if (index < 0) throw ModelError("unknown-node", fmt::format("the body has no node {}", node));
  if (zeta.rows() != body.mode_count())
    throw ModelError(
        "size",
        fmt::format("zeta has {} rows, but the body has {} modes", zeta.rows(), body.mode_count()));
  return body.shapes.middleRows(6 * index, 6) * zeta;
}

}  // namespace femflex::modal

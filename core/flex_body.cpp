// Checks that the matrices and tables of a flexible body fit each other, and finds its nodes by id.
// n is the number of modes.
#include "femflex/flex_body.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

void check_size(std::string_view name,
                Eigen::Index rows,
                Eigen::Index cols,
                Eigen::Index expected_rows,
                Eigen::Index expected_cols) {
  if (rows != expected_rows || cols != expected_cols)
    throw ModelError(
        "body-size",
        fmt::format(
            "{} is {} x {}, expected {} x {}", name, rows, cols, expected_rows, expected_cols));
}

void check_finite(std::string_view name, const auto& a) {
  if (!a.allFinite())
    throw ModelError("not-finite", fmt::format("{} holds a number that is not finite", name));
}

void check_square(std::string_view name, const Eigen::MatrixXd& a, Eigen::Index n) {
  check_size(name, a.rows(), a.cols(), n, n);
  check_finite(name, a);
  if (n == 0) return;
  constexpr double kMaxAsymmetry =
      1e-6;  // of the largest entry; body files hold seven digits or more
  const double scale = a.cwiseAbs().maxCoeff();
  const double skew = (a - a.transpose()).cwiseAbs().maxCoeff();
  if (skew > kMaxAsymmetry * scale)
    throw ModelError(
        "not-symmetric",
        fmt::format("{} is not symmetric: {:.1e} of its largest entry", name, skew / scale));
}

void check_invariants(const InertiaInvariants& inv, Eigen::Index n) {
  check_size("invariant 3", inv.translation.rows(), inv.translation.cols(), 3, n);
  check_size("invariant 4", inv.rotation.rows(), inv.rotation.cols(), 3, n);
  check_size("invariant 5", inv.translation_rate.rows(), inv.translation_rate.cols(), 3, n * n);
  check_size("invariant 6", inv.modal.rows(), inv.modal.cols(), n, n);
  check_size("invariant 8", inv.inertia_rate.rows(), inv.inertia_rate.cols(), 3, 3 * n);
  check_size(
      "invariant 9", inv.inertia_curvature.rows(), inv.inertia_curvature.cols(), 3 * n, 3 * n);
  check_finite("invariant 1", Eigen::Matrix<double, 1, 1>(inv.mass));
  check_finite("invariant 2", inv.first_moment);
  check_finite("invariant 3", inv.translation);
  check_finite("invariant 4", inv.rotation);
  check_finite("invariant 5", inv.translation_rate);
  check_finite("invariant 6", inv.modal);
  check_finite("invariant 7", inv.inertia);
  check_finite("invariant 8", inv.inertia_rate);
  check_finite("invariant 9", inv.inertia_curvature);
}

}  // namespace

void check_flex_body(const FlexBody& body) {
  const Eigen::Index n = body.mode_count();
  const Eigen::Index nodes = body.node_count();
  check_size("shapes", body.shapes.rows(), n, 6 * nodes, n);
  check_size("mode table", static_cast<Eigen::Index>(body.modes.size()), 1, n, 1);
  check_square("modal mass", body.mass, n);
  check_square("modal stiffness", body.stiffness, n);
  if (body.damping) check_square("modal damping", *body.damping, n);
  for (const GeometricStiffness& g : body.geometric)
    check_square("geometric stiffness", g.stiffness, n);
  check_size("lumped mass", body.lumped_mass.rows(), 6, nodes, 6);
  check_size("initial modal positions", body.initial_zeta.size(), 1, n, 1);
  check_size("initial modal velocities", body.initial_zeta_dot.size(), 1, n, 1);
  if (!body.shapes.allFinite() || !body.lumped_mass.allFinite())
    throw ModelError("not-finite", "the body holds shapes or masses that are not finite");
  check_finite("the table of initial modal positions", body.initial_zeta);
  check_finite("the table of initial modal velocities", body.initial_zeta_dot);
  for (const BodyNode& node : body.nodes)
    if (!node.position.allFinite())
      throw ModelError("not-finite", fmt::format("the position of node {} is not finite", node.id));
  for (std::size_t k = 1; k < body.nodes.size(); ++k)
    if (body.nodes[k - 1].id >= body.nodes[k].id)
      throw ModelError(
          "node-order",
          fmt::format(
              "node {} follows node {}: ids must rise", body.nodes[k].id, body.nodes[k - 1].id));
  if (body.back) {
    const BackTransformation& back = *body.back;
    check_size("U", back.chosen_shapes.rows(), back.chosen_shapes.cols(), 6 * nodes, back.V.rows());
    check_size(
        "V", back.V.rows(), back.V.cols(), static_cast<Eigen::Index>(back.chosen_modes.size()), n);
    check_size("alpha", back.alpha.size(), 1, n, 1);
  }
  check_invariants(body.invariants, n);
  for (const std::int64_t id : body.interface_nodes)
    if (find_node(body, id) < 0)
      throw ModelError("unknown-node", fmt::format("interface node {} is not in the body", id));
}

FlexBody make_flex_body(FlexBody body) {
  const Eigen::Index n = body.mode_count();
  if (body.initial_zeta.size() == 0) body.initial_zeta = Eigen::VectorXd::Zero(n);
  if (body.initial_zeta_dot.size() == 0) body.initial_zeta_dot = Eigen::VectorXd::Zero(n);
  check_flex_body(body);
  return body;
}

Eigen::Index find_node(const FlexBody& body, std::int64_t id) {
  const auto it = std::lower_bound(
      body.nodes.begin(), body.nodes.end(), id, [](const BodyNode& node, std::int64_t i) {
        return node.id < i;
      });
  return it != body.nodes.end() && it->id == id ? it - body.nodes.begin() : -1;
}

}  // namespace femflex

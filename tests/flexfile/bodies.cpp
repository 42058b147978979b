// Makes bodies for the tests of file formats, from closed forms or random numbers. Invariants are
// sums over the lumped masses.
#include "bodies.h"

#include <cmath>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/inertia_invariants.h"

namespace femflex::testing {
namespace {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::MatrixXd;
using Eigen::Vector2d;

void add_invariants(FlexBody& body) {
  Eigen::Matrix3Xd c(3, body.node_count());
  for (Index k = 0; k < body.node_count(); ++k)
    c.col(k) = body.nodes[static_cast<std::size_t>(k)].position;
  body.invariants = invariants_from_lumped(c, body.shapes, body.lumped_mass);
}

bool same(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index k = 0; k < a.size(); ++k)
    if (a.data()[k] != b.data()[k] && !(std::isnan(a.data()[k]) && std::isnan(b.data()[k])))
      return false;
  return true;
}
bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

std::vector<std::string> double_mass_spring_paths() {
  return {"dynamic", "dynamic_scaled", "static", "static_ortho", "static_ortho_scaled"};
}

FlexBody double_mass_spring(const std::string& path) {
  const Matrix2d M = 5.0 * Matrix2d::Identity();
  const Matrix2d K = (Matrix2d() << 30.0, -10.0, -10.0, 10.0).finished();
  const bool dynamic = path.starts_with("dynamic");
  const double r = std::sqrt(2.0) - 1.0;
  // normal modes of (K, M), or a unit load on mass 2 and -1 N on mass 2 with mass 1 held
  const Matrix2d U = dynamic ? (Matrix2d() << r, 1.0, 1.0, -r).finished()
                             : (Matrix2d() << 0.05, 0.0, 0.15, -0.1).finished();
  const Matrix2d modes = (Matrix2d() << r, 1.0, 1.0, -r).finished();
  FlexBody body;
  body.path.orthogonalised = path.find("ortho") != std::string::npos;
  body.path.scaled = path.find("scaled") != std::string::npos;
  Matrix2d V = Matrix2d::Identity();
  Vector2d alpha = Vector2d::Ones();
  if (body.path.orthogonalised) {
    V = U.inverse() * modes;  // columns of unit length whose first non-zero entry is positive
    for (int k = 0; k < 2; ++k)
      V.col(k) *= (V(0, k) < 0 ? -1.0 : 1.0) / V.col(k).norm();
  }
  if (body.path.scaled)
    for (int k = 0; k < 2; ++k)
      alpha(k) = 1.0 / std::sqrt((U * V.col(k)).dot(M * U * V.col(k)));
  const Matrix2d Phi = U * V * alpha.asDiagonal();

  body.name = "DMSS";
  body.nodes = {{1, {0, 0, 0}}, {2, {0, 0, 1}}, {3, {0, 0, 2}}};
  body.shapes = MatrixXd::Zero(18, 2);
  body.shapes.row(8) = Phi.row(0);
  body.shapes.row(14) = Phi.row(1);
  body.mass = Phi.transpose() * M * Phi;
  body.stiffness = Phi.transpose() * K * Phi;
  body.lumped_mass = MatrixXd::Zero(3, 6);
  body.lumped_mass.block(1, 0, 2, 3).setConstant(5.0);
  body.initial_zeta = Vector2d::Zero();
  body.initial_zeta_dot = Vector2d::Zero();
  BackTransformation back;
  back.chosen_shapes = MatrixXd::Zero(18, 2);
  back.chosen_shapes.row(8) = U.row(0);
  back.chosen_shapes.row(14) = U.row(1);
  back.V = V;
  back.alpha = alpha;
  if (dynamic)
    back.chosen_modes = {{ModeKind::dynamic, 1}, {ModeKind::dynamic, 2}};
  else
    back.chosen_modes = {{ModeKind::static_, 1}, {ModeKind::constraint, 1}};
  for (Index k = 0; k < 2; ++k) {
    BodyMode mode;
    mode.kind = back.chosen_modes[static_cast<std::size_t>(k)].kind;
    mode.sources = {label_of(back.chosen_modes[static_cast<std::size_t>(k)])};
    if (body.path.orthogonalised)
      mode.sources = {label_of(back.chosen_modes[0]), label_of(back.chosen_modes[1])};
    mode.eigenvalue = body.stiffness(k, k) / body.mass(k, k);
    body.modes.push_back(mode);
  }
  body.back = back;
  add_invariants(body);
  return make_flex_body(body);
}

FlexBody random_body(unsigned seed, const RandomBodyOptions& options) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto draw = [&] { return number(engine); };
  const Index n = options.modes;
  FlexBody body;
  body.name = fmt::format("random {}", seed);
  for (Index k = 0; k < options.nodes; ++k)
    body.nodes.push_back({10 * k + 1 + static_cast<std::int64_t>(engine() % 9),
                          Eigen::Vector3d(draw(), draw(), draw())});
  body.shapes = MatrixXd::NullaryExpr(6 * options.nodes, n, draw);
  body.lumped_mass = MatrixXd::NullaryExpr(options.nodes, 6, [&] { return 1.5 + draw(); });
  body.lumped_mass.col(1) = body.lumped_mass.col(0);
  body.lumped_mass.col(2) = body.lumped_mass.col(0);
  if (!options.rotary_inertia) body.lumped_mass.rightCols(3).setZero();
  add_invariants(body);
  body.invariants.modal =
      (0.5 * (body.invariants.modal + body.invariants.modal.transpose())).eval();
  body.mass = body.invariants.modal;
  const MatrixXd root = MatrixXd::NullaryExpr(n, n, draw);
  body.stiffness = 1e4 * (root * root.transpose() + MatrixXd::Identity(n, n));
  for (Index k = 0; k < n; ++k) {
    BodyMode mode;
    mode.kind = k % 2 == 0 ? ModeKind::dynamic : ModeKind::constraint;
    mode.sources = {fmt::format("{}:{}", name_of(mode.kind), k + 1)};
    mode.eigenvalue = body.stiffness(k, k) / body.mass(k, k);
    mode.damping_ratio = 0.01 * static_cast<double>(k + 1);
    body.modes.push_back(mode);
  }
  body.initial_zeta = Eigen::VectorXd::NullaryExpr(n, draw);
  body.initial_zeta_dot = Eigen::VectorXd::NullaryExpr(n, draw);
  if (options.damping_matrix) {
    const MatrixXd d = MatrixXd::NullaryExpr(n, n, draw);
    body.damping = d * d.transpose();
  }
  if (!options.with_everything) return make_flex_body(body);

  body.modes[1 % body.modes.size()].enabled = false;
  for (const auto cause : {GeometricStiffness::Cause::acceleration_y,
                           GeometricStiffness::Cause::spin_xz,
                           GeometricStiffness::Cause::force}) {
    const MatrixXd g = MatrixXd::NullaryExpr(n, n, draw);
    GeometricStiffness term{cause, 0, 0, g + g.transpose()};
    if (cause == GeometricStiffness::Cause::force) {
      term.node = body.nodes[1].id;
      term.component = 2;
    }
    body.geometric.push_back(term);
  }
  body.interface_nodes = {body.nodes.back().id, body.nodes.front().id};
  body.elements = {{"CTRIA3", 3, {5, 9}, {}}, {"CBAR", 2, {12}, {}}};
  for (std::size_t k = 0; k < 6; ++k)
    body.elements[0].connectivity.push_back(body.nodes[k % body.nodes.size()].id);
  body.elements[1].connectivity = {body.nodes[0].id, body.nodes[1].id};
  body.rejected = {
      {"static:3", RejectionReason::dependent, std::nan(""), {"dynamic:1", "static:2"}},
      {"orthogonal:5", RejectionReason::below_limit, 1.25e-5, {}}};
  body.path = {true, true, 1e-2, 5e12, 3};
  BackTransformation back;
  back.chosen_shapes = MatrixXd::NullaryExpr(6 * options.nodes, n + 1, draw);
  back.V = MatrixXd::NullaryExpr(n + 1, n, draw);
  back.alpha = Eigen::VectorXd::NullaryExpr(n, draw);
  for (Index k = 0; k <= n; ++k)
    back.chosen_modes.push_back({k == 0 ? ModeKind::static_ : ModeKind::dynamic,
                                 k + 1,
                                 std::abs(draw()),
                                 2.0,
                                 "plate.op2"});
  body.back = back;
  body.provenance = {{{"plate.op2", std::string(64, 'a')}, {"plate.bdf", std::string(64, '0')}},
                     "MYSTRAN 15.2",
                     "reduce --scale"};
  return make_flex_body(body);
}

std::string difference(const FlexBody& a, const FlexBody& b) {
  if (a.name != b.name) return fmt::format("name: {} / {}", a.name, b.name);
  if (a.nodes.size() != b.nodes.size()) return "number of nodes";
  for (std::size_t k = 0; k < a.nodes.size(); ++k)
    if (a.nodes[k].id != b.nodes[k].id || a.nodes[k].position != b.nodes[k].position)
      return fmt::format("node {}", k);
  if (!same(a.shapes, b.shapes)) return "shapes";
  if (!same(a.mass, b.mass) || !same(a.stiffness, b.stiffness)) return "mass or stiffness";
  if (a.damping.has_value() != b.damping.has_value()) return "damping";
  if (a.damping && !same(*a.damping, *b.damping)) return "damping";
  for (std::size_t k = 0; k < a.modes.size(); ++k)
    if (k >= b.modes.size() || a.modes[k].kind != b.modes[k].kind ||
        a.modes[k].sources != b.modes[k].sources ||
        !same(a.modes[k].eigenvalue, b.modes[k].eigenvalue) ||
        !same(a.modes[k].damping_ratio, b.modes[k].damping_ratio) ||
        a.modes[k].enabled != b.modes[k].enabled)
      return fmt::format("mode {}", k);
  if (a.geometric.size() != b.geometric.size()) return "geometric stiffness";
  for (std::size_t k = 0; k < a.geometric.size(); ++k)
    if (a.geometric[k].cause != b.geometric[k].cause ||
        a.geometric[k].node != b.geometric[k].node ||
        a.geometric[k].component != b.geometric[k].component ||
        !same(a.geometric[k].stiffness, b.geometric[k].stiffness))
      return fmt::format("geometric stiffness {}", k);
  if (!same(a.lumped_mass, b.lumped_mass)) return "lumped mass";
  const InertiaInvariants& i = a.invariants;
  const InertiaInvariants& j = b.invariants;
  if (i.mass != j.mass || i.first_moment != j.first_moment || !same(i.translation, j.translation) ||
      !same(i.rotation, j.rotation) || !same(i.translation_rate, j.translation_rate) ||
      !same(i.modal, j.modal) || i.inertia != j.inertia || !same(i.inertia_rate, j.inertia_rate) ||
      !same(i.inertia_curvature, j.inertia_curvature))
    return "invariants";
  if (a.interface_nodes != b.interface_nodes) return "interface nodes";
  if (a.elements.size() != b.elements.size()) return "elements";
  for (std::size_t k = 0; k < a.elements.size(); ++k)
    if (a.elements[k].type != b.elements[k].type || a.elements[k].ids != b.elements[k].ids ||
        a.elements[k].nodes_per_element != b.elements[k].nodes_per_element ||
        a.elements[k].connectivity != b.elements[k].connectivity)
      return fmt::format("elements {}", k);
  if (a.rejected.size() != b.rejected.size()) return "rejected modes";
  for (std::size_t k = 0; k < a.rejected.size(); ++k)
    if (a.rejected[k].source != b.rejected[k].source ||
        a.rejected[k].reason != b.rejected[k].reason ||
        !same(a.rejected[k].eigenvalue, b.rejected[k].eigenvalue) ||
        a.rejected[k].repeats != b.rejected[k].repeats)
      return fmt::format("rejected mode {}", k);
  if (a.path.orthogonalised != b.path.orthogonalised || a.path.scaled != b.path.scaled ||
      a.path.reject_below != b.path.reject_below || a.path.reject_above != b.path.reject_above ||
      a.path.rigid_modes != b.path.rigid_modes)
    return "path";
  if (a.back.has_value() != b.back.has_value()) return "back-transformation";
  if (a.back) {
    if (!same(a.back->chosen_shapes, b.back->chosen_shapes)) return "U";
    if (!same(a.back->V, b.back->V) || !same(a.back->alpha, b.back->alpha)) return "V or alpha";
    for (std::size_t k = 0; k < a.back->chosen_modes.size(); ++k) {
      const ModeInfo& m = a.back->chosen_modes[k];
      const ModeInfo& o = b.back->chosen_modes.at(k);
      if (m.kind != o.kind || m.number != o.number || !same(m.eigenvalue, o.eigenvalue) ||
          !same(m.generalised_mass, o.generalised_mass) || m.source != o.source)
        return fmt::format("chosen mode {}", k);
    }
  }
  if (!same(a.initial_zeta, b.initial_zeta) || !same(a.initial_zeta_dot, b.initial_zeta_dot))
    return "initial state";
  if (a.provenance.program != b.provenance.program ||
      a.provenance.options != b.provenance.options ||
      a.provenance.sources.size() != b.provenance.sources.size())
    return "provenance";
  for (std::size_t k = 0; k < a.provenance.sources.size(); ++k)
    if (a.provenance.sources[k].file != b.provenance.sources[k].file ||
        a.provenance.sources[k].sha256 != b.provenance.sources[k].sha256)
      return "provenance";
  return {};
}

}  // namespace femflex::testing

// Makes a part from a reduced flexible body: six rigid motions from the inertia invariants and the
// modes of the body, transformed so that the displacements of the ports are the first coordinates.
#include "femflex/substructure/flex_part.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// How messages call the body: by its name, if it has one.
std::string called(const FlexBody& body) {
  return body.name.empty() ? std::string("the body") : fmt::format("body '{}'", body.name);
}

/// Modal mass, damping and stiffness matrices, preceded by six rows and columns of rigid motion.
struct Motion {
  MatrixXd M, C, K;
  Index rigid = 6;
};

Motion with_rigid(const FlexBody& body) {
  const Index n = body.mode_count();
  const InertiaInvariants& I = body.invariants;
  Motion out{
      MatrixXd::Zero(6 + n, 6 + n), MatrixXd::Zero(6 + n, 6 + n), MatrixXd::Zero(6 + n, 6 + n)};
  // velocity of a point: r' + w x c + phi zeta'
  out.M.block<3, 3>(0, 0).diagonal().setConstant(I.mass);
  out.M.block<3, 3>(0, 3) = -cross_matrix(I.first_moment);
  out.M.block<3, 3>(3, 0) = cross_matrix(I.first_moment);
  out.M.block<3, 3>(3, 3) = I.inertia;
  if (I.translation.cols() == n) out.M.block(0, 6, 3, n) = I.translation;
  if (I.rotation.cols() == n) out.M.block(3, 6, 3, n) = I.rotation;
  out.M.block(6, 0, n, 6) = out.M.block(0, 6, 6, n).transpose();
  out.M.block(6, 6, n, n) = body.mass;
  out.K.block(6, 6, n, n) = body.stiffness;
  out.C.block(6, 6, n, n) = damping_matrix(body);
  return out;
}

/// Rows of a Motion that act: the rigid motions and the enabled modes.
std::vector<Index> acting_motions(const FlexBody& body) {
  std::vector<Index> out(6);
  std::iota(out.begin(), out.end(), Index{0});
  for (std::size_t k = 0; k < body.modes.size(); ++k)
    if (body.modes[k].enabled) out.push_back(6 + static_cast<Index>(k));
  return out;
}

// Smallest eigenvalue of the mass matrix, scaled to unit diagonal, above which rigid motions and
// modes are independent. Dependent motions in files of six digits leave 1e-12; modes independent of
// rigid motion give 1e-3 or more.
constexpr double kIndependent = 1e-8;
// Port motions with a pivot below this share of the largest are dependent. The digits of the file
// determine this number, not the digits of the arithmetic.
constexpr double kDependentPorts = 1e-10;

/// Whether the rigid motions are independent of the modes, that is, whether M, scaled to unit
/// diagonal, is positive definite.
bool is_independent(const MatrixXd& M) {
  // a slender body may have no inertia about its axis, which alone does not make motions dependent
  const Eigen::VectorXd scale =
      M.diagonal().unaryExpr([](double v) { return v > 0.0 ? 1.0 / std::sqrt(v) : 1.0; });
  MatrixXd unit = scale.asDiagonal() * M * scale.asDiagonal();
  unit.diagonal().setOnes();
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(unit, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .minCoeff() > kIndependent;
}

}  // namespace

DynamicStiffness from_flex_body(const FlexBody& body,
                                std::vector<std::int64_t> nodes,
                                const std::string& components) {
  if (nodes.empty()) nodes = body.interface_nodes;
  if (nodes.empty()) {
    throw ModelError("no-ports",
                     fmt::format("{} has no interface nodes", called(body)),
                     {},
                     "list the nodes that are to be ports");
  }
  if (components.empty() || components.find_first_not_of("123456") != std::string::npos) {
    throw ModelError(
        "components",
        fmt::format("the components are '{}', expected digits from 1 to 6", components));
  }
  const Index n = body.mode_count();
  DynamicStiffness part;
  part.name = body.name;
  const auto p = static_cast<Index>(nodes.size() * components.size());
  MatrixXd port_shapes = MatrixXd::Zero(p, 6 + n);
  for (const std::int64_t id : nodes) {
    const Index node = find_node(body, id);
    if (node < 0) {
      throw ModelError("unknown-node",
                       fmt::format("{} has no node {}", called(body), id),
                       {},
                       "'femflex info' of the body file lists its interface nodes");
    }
    Eigen::Matrix<double, 6, 6> rigid = Eigen::Matrix<double, 6, 6>::Identity();
    rigid.topRightCorner<3, 3>() =
        -cross_matrix(body.nodes[static_cast<std::size_t>(node)].position);
    for (const char digit : components) {
      const Index c = digit - '1';
      port_shapes.row(part.port_count()) << rigid.row(c), body.shapes.row(6 * node + c);
      part.ports.push_back(fmt::format("{}/{}{}", id, c < 3 ? 'T' : 'R', c % 3 + 1));
    }
  }

  const std::vector<Index> acting = acting_motions(body);
  const auto n_acting = static_cast<Index>(acting.size()) - 6;
  port_shapes = MatrixXd(port_shapes(Eigen::all, acting));
  Motion motion = with_rigid(body);
  for (MatrixXd* a : {&motion.M, &motion.C, &motion.K})
    *a = MatrixXd((*a)(acting, acting));
  if (!is_independent(motion.M)) {
    motion.rigid = 0;
    const auto elastic = [&](const MatrixXd& a) {
      return MatrixXd(a.bottomRightCorner(n_acting, n_acting));
    };
    motion = {elastic(motion.M), elastic(motion.C), elastic(motion.K), 0};
    port_shapes = MatrixXd(port_shapes.rightCols(n_acting));
  }
  // u = B z, B' P = Q [R; 0]:  z = Q [R^-T P' u; q]
  Eigen::ColPivHouseholderQR<MatrixXd> qr(port_shapes.transpose());
  qr.setThreshold(kDependentPorts);
  if (port_shapes.cols() < p || qr.rank() < p) {
    throw ModelError("dependent-ports",
                     fmt::format("{} has {} port DOFs but only {} independent "
                                 "motions of them",
                                 called(body),
                                 p,
                                 qr.rank()),
                     {},
                     "take fewer nodes or components, or a body with constraint modes of its "
                     "interface");
  }
  const Index size = port_shapes.cols();
  MatrixXd to_ports = MatrixXd::Identity(size, size);
  const MatrixXd P = qr.colsPermutation();
  to_ports.topLeftCorner(p, p) =
      qr.matrixR().topLeftCorner(p, p).template triangularView<Eigen::Upper>().transpose().solve(
          P.transpose());
  const MatrixXd T = qr.householderQ() * to_ports;
  for (const MatrixXd* a : {&motion.K, &motion.C, &motion.M}) {
    const MatrixXd projected = T.transpose() * *a * T;
    part.coefficients.emplace_back(
        MatrixXd(0.5 * (projected + projected.transpose())).sparseView());
  }
  return make_part(std::move(part));
}

}  // namespace femflex::substructure

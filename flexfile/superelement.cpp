// The rigid motions and modes of a body are combined into one unit motion per interface DOF and
// into modes that leave the interface at rest. docs/theory/modal.md, superelements.
#include "femflex/flexfile/superelement.h"

#include <algorithm>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

#include "format_contents.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Motions whose mass is below this share of that of their parts are combinations of others: modes
// in single precision repeat rigid motions to about 1e-14 of the mass.
constexpr double kRoundOff = 1e-10;
// Interface DOFs count as dependent when a combination of them moves less than this share.
constexpr double kDependent = 1e-8;

/// True if the body has elements and none of them has the node: the middle of a spider, which
/// turns.
bool is_outside_elements(const FlexBody& body, std::int64_t id) {
  if (body.elements.empty()) return false;
  return std::none_of(body.elements.begin(), body.elements.end(), [&](const ElementBlock& block) {
    // a point mass may lie at the middle of a spider
    return block.nodes_per_element > 1 &&
           std::find(block.connectivity.begin(), block.connectivity.end(), id) !=
               block.connectivity.end();
  });
}

/// True if the node turns in a shape. Of a node that all shapes leave at rest, such as the only
/// interface node of a body, the elements and the other nodes tell whether it has rotations.
bool node_has_rotations(const FlexBody& body, Index node) {
  if (!body.shapes.middleRows(6 * node, 6).isZero(0.0))
    return !body.shapes.middleRows(6 * node + 3, 3).isZero(0.0);
  if (is_outside_elements(body, body.nodes[static_cast<std::size_t>(node)].id)) return true;
  for (Index other = 0; other < body.node_count(); ++other)
    if (!body.shapes.middleRows(6 * other + 3, 3).isZero(0.0)) return true;
  return false;
}

std::vector<SuperelementNode> interface_of(const FlexBody& body) {
  std::vector<SuperelementNode> out;
  for (const std::int64_t id : body.interface_nodes) {
    const Index at = find_node(body, id);
    if (at < 0)
      throw ModelError("no-interface",
                       fmt::format("interface node {} is not a node of the body", id),
                       {},
                       "keep the interface nodes among the nodes of the body");
    const auto node = static_cast<std::size_t>(at);
    out.push_back({body.nodes[node], node_has_rotations(body, at) ? 6 : 3});
  }
  if (out.empty())
    throw ModelError("no-interface",
                     "the body has no interface nodes, which a superelement is attached by",
                     {},
                     "reduce the part with 'reduce --interface NODES'");
  return out;
}

/// Motions of the interface DOFs by the six rigid motions and the modes (DOFs x (6 + n)).
MatrixXd interface_rows(const FlexBody& body, const std::vector<SuperelementNode>& nodes) {
  Index dofs = 0;
  for (const SuperelementNode& each : nodes)
    dofs += each.components;
  MatrixXd out(dofs, 6 + body.mode_count());
  Index row = 0;
  for (const SuperelementNode& each : nodes) {
    const Index count = each.components;
    out.block(row, 0, count, 6) = rigid_rows(each.node.position).topRows(count);
    out.block(row, 6, count, body.mode_count()) =
        body.shapes.middleRows(6 * find_node(body, each.node.id), count);
    row += count;
  }
  return out;
}

/// Combinations of motions with this mass that are independent, with unit mass each.
MatrixXd independent_motions(const MatrixXd& mass) {
  VectorXd scale(mass.rows());
  for (Index i = 0; i < scale.size(); ++i)
    scale(i) = mass(i, i) > 0.0 ? 1.0 / std::sqrt(mass(i, i)) : 0.0;
  const MatrixXd scaled = scale.asDiagonal() * mass * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scaled);
  const Index kept = (eigen.eigenvalues().array() > kRoundOff).count();
  return scale.asDiagonal() * eigen.eigenvectors().rightCols(kept) *
         eigen.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
}

/// Unit motions of the interface DOFs, and motions that leave them at rest.
struct Split {
  MatrixXd unit, resting;
};

/// @param rows  motion of the interface DOFs by motions of unit mass
Split split(const MatrixXd& rows) {
  const Index dofs = rows.rows();
  const VectorXd size = rows.rowwise().norm();
  MatrixXd columns = rows.transpose();
  for (Index i = 0; i < dofs; ++i)
    if (size(i) > 0.0) columns.col(i) /= size(i);
  Eigen::ColPivHouseholderQR<MatrixXd> qr(columns);
  qr.setThreshold(kDependent);
  if (qr.rank() < dofs)
    throw ModelError(
        "interface-not-free",
        fmt::format("the modes of the body move its {} interface DOFs in {} independent ways",
                    dofs,
                    qr.rank()),
        {},
        "reduce the part by 'reduce --method craig-bampton', which has one constraint mode per "
        "interface DOF, and keep all of these");
  // rows = diag(size) P R' Q1', so that the unit motions of least mass are Q1 R'^-1 P' / size
  const MatrixXd Q = qr.householderQ();
  const MatrixXd permuted =
      qr.colsPermutation().transpose() * MatrixXd(size.cwiseInverse().asDiagonal());
  Split out;
  out.unit = Q.leftCols(dofs) * qr.matrixR()
                                    .topLeftCorner(dofs, dofs)
                                    .triangularView<Eigen::Upper>()
                                    .transpose()
                                    .solve(permuted);
  out.resting = Q.rightCols(Q.cols() - dofs);
  return out;
}

/// Modes of the resting motions, of unit mass; takes their share out of the unit motions, which are
/// static responses then.
VectorXd make_modes(const MatrixXd& stiffness, Split& motions) {
  if (motions.resting.cols() == 0) return {};
  const MatrixXd k = motions.resting.transpose() * stiffness * motions.resting;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (k + k.transpose()));
  motions.resting = (motions.resting * eigen.eigenvectors()).eval();
  const VectorXd& omega_squared = eigen.eigenvalues();
  const double zero = kRoundOff * omega_squared.cwiseAbs().maxCoeff();
  const MatrixXd coupling = motions.resting.transpose() * stiffness * motions.unit;
  for (Index j = 0; j < omega_squared.size(); ++j)
    if (omega_squared(j) > zero)
      motions.unit -= motions.resting.col(j) * (coupling.row(j) / omega_squared(j));
  return omega_squared;
}

/// Nodes of elements outside the interface that no mode moves, in the order of the body.
std::vector<std::int64_t> resting_nodes(const FlexBody& body) {
  std::vector<std::int64_t> meshed;
  for (const ElementBlock& block : body.elements)
    if (block.nodes_per_element > 1)
      meshed.insert(meshed.end(), block.connectivity.begin(), block.connectivity.end());
  std::sort(meshed.begin(), meshed.end());
  std::vector<std::int64_t> out;
  for (Index at = 0; at < body.node_count(); ++at) {
    const std::int64_t id = body.nodes[static_cast<std::size_t>(at)].id;
    if (body.shapes.middleRows(6 * at, 6).isZero(0.0) &&
        std::binary_search(meshed.begin(), meshed.end(), id) &&
        std::find(body.interface_nodes.begin(), body.interface_nodes.end(), id) ==
            body.interface_nodes.end())
      out.push_back(id);
  }
  return out;
}

}  // namespace

void warn_of_supports(const FlexBody& body,
                      FrameMotion frame,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics) {
  if (frame == FrameMotion::held || body.mode_count() == 0) return;
  const std::vector<std::int64_t> resting = resting_nodes(body);
  if (resting.empty()) return;
  diagnostics.warn("supports",
                   fmt::format("{} nodes rest in every mode, the first is {}: supports of the FE "
                               "model hold the body there, and its superelement moves freely; "
                               "--hold-frame keeps the supports",
                               resting.size(),
                               resting.front()),
                   {path.string()});
}

void warn_of_matrices(const FlexBody& body,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics) {
  const std::string title =
      fmt::format("a superelement as matrices ({})", path.extension().string());
  warn_of_left_out(body, kMatricesHold, title, path.string(), diagnostics);
}

Superelement superelement_of(const FlexBody& body, FrameMotion frame) {
  Superelement out;
  out.nodes = interface_of(body);
  const Index n = body.mode_count();
  const MatrixXd mass = rigid_flexible_mass(body.invariants);
  const Index moving = frame == FrameMotion::free ? 6 + n : n;  // of the six rigid motions, n modes
  const MatrixXd independent = independent_motions(mass.bottomRightCorner(moving, moving));
  MatrixXd motions = MatrixXd::Zero(6 + n, independent.cols());
  motions.bottomRows(moving) = independent;
  Split parts = split(interface_rows(body, out.nodes) * motions);
  MatrixXd stiffness = MatrixXd::Zero(6 + n, 6 + n);
  stiffness.bottomRightCorner(n, n) = body.stiffness;
  MatrixXd damping = MatrixXd::Zero(6 + n, 6 + n);
  damping.bottomRightCorner(n, n) = damping_matrix(body);
  const MatrixXd unit_mass_stiffness = motions.transpose() * stiffness * motions;
  out.omega_squared = make_modes(unit_mass_stiffness, parts);
  MatrixXd basis(motions.cols(), parts.unit.cols() + parts.resting.cols());
  basis << parts.unit, parts.resting;
  const auto symmetric_part = [](const MatrixXd& a) { return MatrixXd(0.5 * (a + a.transpose())); };
  out.mass = symmetric_part(basis.transpose() * basis);
  out.stiffness = symmetric_part(basis.transpose() * unit_mass_stiffness * basis);
  const MatrixXd full = motions * basis;
  out.damping = symmetric_part(full.transpose() * damping * full);
  out.gravity = full.transpose() * mass.leftCols(3);
  // what is zero by construction
  const Index b = parts.unit.cols(), m = parts.resting.cols();
  out.stiffness.topRightCorner(b, m).setZero();
  out.stiffness.bottomLeftCorner(m, b).setZero();
  out.stiffness.bottomRightCorner(m, m) = out.omega_squared.asDiagonal();
  out.mass.bottomRightCorner(m, m).setIdentity();
  return out;
}

}  // namespace femflex::flexfile

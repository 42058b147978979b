// Transforms flexible bodies: to another frame, to other units, to a subset of modes or nodes.
// Notation: Q orthogonal matrix of the new frame; axial vectors (rotations, moments) transform with
// det(Q) Q.
#include "femflex/flexfile/transform.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/frames.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Cause = GeometricStiffness::Cause;

/// Stiffness matrices G_1, G_2, G_3 per unit of the components of a vector cause; empty: not given.
using Triple = std::array<MatrixXd, 3>;

/// Stiffness matrices G'_j per unit of v' = A v with orthogonal A: from sum_i v_i G_i = sum_j v'_j
/// G'_j follows G'_j = sum_i A_ji G_i.
Triple rotated_causes(const Triple& G, const Matrix3d& A) {
  Triple out;
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) {
      const MatrixXd& g = G[static_cast<std::size_t>(i)];
      MatrixXd& sum = out[static_cast<std::size_t>(j)];
      if (g.size() == 0 || A(j, i) == 0.0) continue;
      if (sum.size() == 0) sum = MatrixXd::Zero(g.rows(), g.cols());
      sum += A(j, i) * g;
    }
  return out;
}

/// sum += factor * term, where empty matrices are zero.
void add(MatrixXd& sum, double factor, const MatrixXd& term) {
  if (factor == 0.0 || term.size() == 0) return;
  if (sum.size() == 0) sum = MatrixXd::Zero(term.rows(), term.cols());
  sum += factor * term;
}

/// Geometric stiffness sorted by cause.
struct Stiffening {
  Triple acceleration, angular;
  std::array<Triple, 3> spin;  ///< symmetric tensor S: k = sum_ij w_i w_j S_ij
  std::map<std::int64_t, std::pair<Triple, Triple>> force;  ///< by node: for forces, for moments
};

constexpr std::array<std::pair<Index, Index>, 6> kSpin{
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

std::size_t offset_of(Cause cause, Cause first) {
  return static_cast<std::size_t>(cause) - static_cast<std::size_t>(first);
}

Stiffening sorted(const std::vector<GeometricStiffness>& terms) {
  Stiffening s;
  for (const GeometricStiffness& g : terms) {
    if (g.cause <= Cause::acceleration_z) {
      add(s.acceleration[offset_of(g.cause, Cause::acceleration_x)], 1.0, g.stiffness);
    } else if (g.cause <= Cause::angular_acceleration_z) {
      add(s.angular[offset_of(g.cause, Cause::angular_acceleration_x)], 1.0, g.stiffness);
    } else if (g.cause <= Cause::spin_xz) {
      const auto [i, j] = kSpin[offset_of(g.cause, Cause::spin_xx)];
      const double half = i == j ? 1.0 : 0.5;
      add(s.spin[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], half, g.stiffness);
      if (i != j)
        add(s.spin[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)], half, g.stiffness);
    } else if (g.component >= 1 && g.component <= 6) {
      auto& [forces, moments] = s.force[g.node];
      Triple& triple = g.component <= 3 ? forces : moments;
      add(triple[static_cast<std::size_t>((g.component - 1) % 3)], 1.0, g.stiffness);
    }
  }
  return s;
}

std::vector<GeometricStiffness> listed(const Stiffening& s) {
  std::vector<GeometricStiffness> terms;
  const auto put = [&](Cause cause, const MatrixXd& g, double factor = 1.0) {
    if (g.size() > 0) terms.push_back({cause, 0, 0, factor * g});
  };
  for (std::size_t k = 0; k < 3; ++k)
    put(static_cast<Cause>(static_cast<std::size_t>(Cause::acceleration_x) + k), s.acceleration[k]);
  for (std::size_t k = 0; k < 3; ++k)
    put(static_cast<Cause>(static_cast<std::size_t>(Cause::angular_acceleration_x) + k),
        s.angular[k]);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = kSpin[k];
    put(static_cast<Cause>(static_cast<std::size_t>(Cause::spin_xx) + k),
        s.spin[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)],
        i == j ? 1.0 : 2.0);
  }
  for (const auto& [node, triples] : s.force)
    for (std::size_t k = 0; k < 6; ++k) {
      const MatrixXd& g = k < 3 ? triples.first[k] : triples.second[k - 3];
      if (g.size() > 0) terms.push_back({Cause::force, node, static_cast<std::int8_t>(k + 1), g});
    }
  return terms;
}

Stiffening rotated_causes(const Stiffening& s, const Matrix3d& Q, const Matrix3d& axial) {
  Stiffening out;
  out.acceleration = rotated_causes(s.acceleration, Q);
  out.angular = rotated_causes(s.angular, axial);
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < 3; ++b)
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
          add(out.spin[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)],
              Q(a, i) * Q(b, j),
              s.spin[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  for (const auto& [node, triples] : s.force)
    out.force[node] = {rotated_causes(triples.first, Q), rotated_causes(triples.second, axial)};
  return out;
}

/// Converts causes that are motions of the old body origin to motions of the new one. The old
/// origin is at `o` in the new frame; its acceleration is a + dw/dt x o + w x (w x o) if the new
/// origin has the acceleration a and the frame the angular velocity w.
void shift_causes(Stiffening& s, const Vector3d& o) {
  for (Index j = 0; j < 3; ++j) {
    const Vector3d arm = Vector3d::Unit(j).cross(o);
    for (Index i = 0; i < 3; ++i)
      add(s.angular[static_cast<std::size_t>(j)],
          arm(i),
          s.acceleration[static_cast<std::size_t>(i)]);
    // w x (w x o) = w (w . o) - o (w . w)
    for (Index k = 0; k < 3; ++k)
      for (Index i = 0; i < 3; ++i) {
        const double factor =
            0.5 * ((i == j ? o(k) : 0.0) + (i == k ? o(j) : 0.0)) - (j == k ? o(i) : 0.0);
        add(s.spin[static_cast<std::size_t>(j)][static_cast<std::size_t>(k)],
            factor,
            s.acceleration[static_cast<std::size_t>(i)]);
      }
  }
}

void rotate_shapes(MatrixXd& shapes, const Matrix3d& Q, const Matrix3d& axial) {
  for (Index row = 0; row < shapes.rows(); row += 6) {
    shapes.middleRows<3>(row) = (Q * shapes.middleRows<3>(row)).eval();
    shapes.middleRows<3>(row + 3) = (axial * shapes.middleRows<3>(row + 3)).eval();
  }
}

/// Diagonal of Q diag(d) Q'; `lost` becomes at least the largest entry that is left out.
Vector3d rotated_diagonal(const Vector3d& d, const Matrix3d& Q, double& lost) {
  const Matrix3d full = Q * d.asDiagonal() * Q.transpose();
  Matrix3d rest = full;
  rest.diagonal().setZero();
  lost = std::max(lost, rest.cwiseAbs().maxCoeff());
  return full.diagonal();
}

}  // namespace

FlexBody transformed(const FlexBody& body,
                     const Matrix3d& Q,
                     const Vector3d& offset,
                     Diagnostics& diagnostics) {
  constexpr double kMaxOrthogonalityError = 1e-9;  // as far as angles given in degrees fix a matrix
  constexpr double kMinLost = 1e-12;               // smaller entries off the diagonal are round-off
  if (!((Q * Q.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff() <= kMaxOrthogonalityError))
    throw UsageError("not-orthogonal",
                     "the matrix of the rotation or reflection is not orthogonal");
  const Matrix3d axial = Q.determinant() < 0.0 ? Matrix3d(-Q) : Q;
  FlexBody out = body;
  for (BodyNode& node : out.nodes)
    node.position = Q * node.position + offset;
  rotate_shapes(out.shapes, Q, axial);
  if (out.back) rotate_shapes(out.back->chosen_shapes, Q, axial);
  double lost_mass = 0.0;
  double lost_inertia = 0.0;
  for (Index k = 0; k < out.lumped_mass.rows(); ++k) {
    const Vector3d m = body.lumped_mass.row(k).head<3>().transpose();
    const Vector3d J = body.lumped_mass.row(k).tail<3>().transpose();
    if (m.x() != m.y() || m.x() != m.z())
      out.lumped_mass.row(k).head<3>() = rotated_diagonal(m, Q, lost_mass).transpose();
    if (J.x() != J.y() || J.x() != J.z())
      out.lumped_mass.row(k).tail<3>() = rotated_diagonal(J, Q, lost_inertia).transpose();
  }
  if (body.lumped_mass.size() > 0 &&
      (lost_mass > kMinLost * body.lumped_mass.leftCols<3>().cwiseAbs().maxCoeff() ||
       lost_inertia > kMinLost * body.lumped_mass.rightCols<3>().cwiseAbs().maxCoeff()))
    diagnostics.warn("lumped-mass-turned",
                     "nodal masses that differ by direction, or rotary inertias, lose their "
                     "off-diagonal entries; the invariants keep them");
  out.invariants = translated(rotated(body.invariants, Q), offset);
  Stiffening stiffening = rotated_causes(sorted(body.geometric), Q, axial);
  shift_causes(stiffening, offset);
  out.geometric = listed(stiffening);
  return out;
}

Matrix3d mirror(const Vector3d& normal) {
  if (!(normal.norm() > 0.0))
    throw UsageError("no-normal", "the normal of the mirror plane is zero");
  const Vector3d n = normal.normalized();
  return Matrix3d::Identity() - 2.0 * n * n.transpose();
}

FlexBody from_units(const FlexBody& body, const Units& units) {
  const double L = units.length;
  const double M = units.mass;
  const double T = units.time;
  const double energy = M * L * L;
  FlexBody out = body;
  const auto scale_shapes = [&](MatrixXd& shapes) {
    for (Index row = 0; row < shapes.rows(); row += 6)
      shapes.middleRows<3>(row) *= L;
  };
  for (BodyNode& node : out.nodes)
    node.position *= L;
  scale_shapes(out.shapes);
  out.mass *= energy;
  out.stiffness *= energy / (T * T);
  if (out.damping) *out.damping *= energy / T;
  out.lumped_mass.leftCols<3>() *= M;
  out.lumped_mass.rightCols<3>() *= energy;
  out.invariants.mass *= M;
  out.invariants.first_moment *= M * L;
  out.invariants.translation *= M * L;
  out.invariants.rotation *= energy;
  out.invariants.translation_rate *= energy;
  out.invariants.modal *= energy;
  out.invariants.inertia *= energy;
  out.invariants.inertia_rate *= energy;
  out.invariants.inertia_curvature *= energy;
  for (BodyMode& mode : out.modes)
    mode.eigenvalue /= T * T;
  for (RejectedMode& mode : out.rejected)
    mode.eigenvalue /= T * T;
  out.path.reject_below /= T * T;
  out.path.reject_above /= T * T;
  for (GeometricStiffness& g : out.geometric) {
    if (g.cause <= Cause::acceleration_z)
      g.stiffness *= M * L;
    else if (g.cause <= Cause::spin_xz)
      g.stiffness *= energy;
    else if (g.component <= 3)
      g.stiffness *= L;  // per moment (components 4 to 6) it has no unit
  }
  if (out.back) {
    scale_shapes(out.back->chosen_shapes);
    for (ModeInfo& mode : out.back->chosen_modes) {
      mode.eigenvalue /= T * T;
      mode.generalised_mass *= energy;
    }
  }
  out.initial_zeta_dot /= T;
  return out;
}

FlexBody to_units(const FlexBody& body, const Units& units) {
  return from_units(body, {units.name, 1.0 / units.length, 1.0 / units.mass, 1.0 / units.time});
}

FlexBody with_modes(const FlexBody& body, const std::vector<Index>& modes) {
  const auto nt = static_cast<Index>(modes.size());
  std::vector<bool> taken(static_cast<std::size_t>(body.mode_count()), false);
  MatrixXd T = MatrixXd::Zero(body.mode_count(), nt);
  FlexBody out = body;
  out.modes.clear();
  for (Index k = 0; k < nt; ++k) {
    const Index mode = modes[static_cast<std::size_t>(k)];
    if (mode < 0 || mode >= body.mode_count() || taken[static_cast<std::size_t>(mode)])
      throw UsageError(
          "no-such-mode",
          fmt::format("mode {} is {}",
                      mode + 1,
                      mode >= 0 && mode < body.mode_count() ? "listed twice" : "not in the body"),
          {},
          fmt::format("the body has modes 1 to {}", body.mode_count()));
    taken[static_cast<std::size_t>(mode)] = true;
    T(mode, k) = 1.0;
    out.modes.push_back(body.modes[static_cast<std::size_t>(mode)]);
  }
  const auto submatrix = [&](const MatrixXd& a) { return MatrixXd(a(modes, modes)); };
  out.shapes = body.shapes(Eigen::all, modes);
  out.mass = submatrix(body.mass);
  out.stiffness = submatrix(body.stiffness);
  if (body.damping) out.damping = submatrix(*body.damping);
  for (GeometricStiffness& g : out.geometric)
    g.stiffness = submatrix(g.stiffness);
  out.invariants = in_basis(body.invariants, T);
  if (body.back) {
    out.back->V = body.back->V(Eigen::all, modes);
    out.back->alpha = body.back->alpha(modes);
  }
  out.initial_zeta = body.initial_zeta(modes);
  out.initial_zeta_dot = body.initial_zeta_dot(modes);
  return out;
}

FlexBody with_nodes(const FlexBody& body, const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> wanted = ids;
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  std::vector<Index> rows;
  std::vector<Index> nodes;
  FlexBody out = body;
  out.nodes.clear();
  for (const std::int64_t id : wanted) {
    const Index node = find_node(body, id);
    if (node < 0)
      throw UsageError("no-such-node",
                       fmt::format("node {} is not in the body", id),
                       {},
                       body.nodes.empty() ? std::string("the body has no nodes")
                                          : fmt::format("it has {} nodes from {} to {}",
                                                        body.nodes.size(),
                                                        body.nodes.front().id,
                                                        body.nodes.back().id));
    nodes.push_back(node);
    for (Index c = 0; c < 6; ++c)
      rows.push_back(6 * node + c);
    out.nodes.push_back(body.nodes[static_cast<std::size_t>(node)]);
  }
  out.shapes = body.shapes(rows, Eigen::all);
  out.lumped_mass = body.lumped_mass(nodes, Eigen::all);
  if (body.back) out.back->chosen_shapes = body.back->chosen_shapes(rows, Eigen::all);
  const auto is_removed = [&](std::int64_t id) {
    return !std::binary_search(wanted.begin(), wanted.end(), id);
  };
  std::erase_if(out.interface_nodes, is_removed);
  std::erase_if(out.geometric, [&](const GeometricStiffness& g) {
    return g.cause == Cause::force && is_removed(g.node);
  });
  for (ElementBlock& block : out.elements) {
    ElementBlock kept{block.type, block.nodes_per_element, {}, {}};
    const auto per = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e) {
      const auto first = block.connectivity.begin() + static_cast<std::ptrdiff_t>(e * per);
      const auto last = first + static_cast<std::ptrdiff_t>(per);
      if (std::any_of(first, last, is_removed)) continue;
      kept.ids.push_back(block.ids[e]);
      kept.connectivity.insert(kept.connectivity.end(), first, last);
    }
    block = std::move(kept);
  }
  std::erase_if(out.elements, [](const ElementBlock& block) { return block.ids.empty(); });
  return out;
}

}  // namespace femflex::flexfile

#include <algorithm>

#include "spatial/equations.h"
#include "spatial/hinge.h"
#include "spatial/rotation.h"
#include "spatial/spring.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Velocity and angular velocity of a marker in W per velocity coordinate of its body (6 x width,
/// by columns).
void marker_jacobian(const Model& model, const Workspace& ws, int marker, double* out) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = body_of(model, marker);
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  Matrix6d full = Matrix6d::Identity();
  full.topRightCorner<3, 3>() = -cross_matrix(kin.p - body.p) * body.R;
  full.bottomRightCorner<3, 3>() = body.R;
  for (int c = 0; c < b.nr; ++c)
    Eigen::Map<Vector6d>(out + 6 * c) = full.col(b.dof[static_cast<std::size_t>(c)]);
  if (!m.on_node) return;
  for (int c = 0; c < b.n; ++c) {
    Eigen::Map<Vector6d> column(out + 6 * (b.nr + c));
    column.head<3>() = body.R * kin.J_t.col(c);
    if (m.turns)
      column.tail<3>() = body.R * kin.J_r.col(c);
    else
      column.tail<3>().setZero();
  }
}

}  // namespace

// adds left' stiffness right to the blocks of the two markers' bodies
void KktMatrix::add_pair(const Model& model,
                         int a,
                         int b,
                         const Matrix6d& stiffness,
                         const double* left,
                         const double* right) {
  if (stiffness.isZero(0.0)) return;
  const BodyModel& A = body_of(model, a);
  const BodyModel& B = body_of(model, b);
  const bool modal_a = model.markers[static_cast<std::size_t>(a)].on_node;
  const bool modal_b = model.markers[static_cast<std::size_t>(b)].on_node;
  for (int j = 0; j < (modal_b ? 2 : 1); ++j) {
    const int cols = j == 0 ? B.nr : B.n;
    for (int i = 0; i < (modal_a ? 2 : 1); ++i) {
      const BlockFactor::Block block = factor_.block(A.node + i, B.node + j);
      const int rows = i == 0 ? A.nr : A.n;
      for (int c = 0; c < cols; ++c) {
        const Vector6d load =
            stiffness * Eigen::Map<const Vector6d>(right + 6 * (j == 0 ? c : B.nr + c));
        for (int r = 0; r < rows; ++r)
          block(r, c) += load.dot(Eigen::Map<const Vector6d>(left + 6 * (i == 0 ? r : A.nr + r)));
      }
    }
  }
}

// eq. (18c): each end feels its line, the near one with the opposite sign
void KktMatrix::add_hinge(
    const Model& model, Workspace& ws, const ForceModel& f, double velocity, double position) {
  Matrix6d by_position, by_velocity;
  hinge_slopes(
      f, lines_of(f, ws.markers), f.turn >= 0 ? ws.turns(f.turn) : 0.0, by_position, by_velocity);
  const Matrix6d slope = position * by_position + velocity * by_velocity;
  const auto moves = [&](int k) {
    return body_of(model, f.ends[static_cast<std::size_t>(k)]).nr > 0;
  };
  for (int k = 0; k < 4; ++k)
    if (moves(k))
      marker_jacobian(model, ws, f.ends[static_cast<std::size_t>(k)], jacobian_[k].data());
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      if (!moves(i) || !moves(j)) continue;
      Matrix6d pair = Matrix6d::Zero();
      pair.topLeftCorner<3, 3>() =
          ((i + j) % 2 == 0 ? 1.0 : -1.0) * slope.block<3, 3>(3 * (i / 2), 3 * (j / 2));
      add_pair(model,
               f.ends[static_cast<std::size_t>(i)],
               f.ends[static_cast<std::size_t>(j)],
               pair,
               jacobian_[i].data(),
               jacobian_[j].data());
    }
}

// eq. (27): the load's Jacobian by differences at its two markers, chained through theirs
void KktMatrix::add_force(
    const Model& model, Workspace& ws, const ForceModel& f, double velocity, double position) {
  const double largest = std::max(velocity, position);
  if (largest == 0.0) return;
  if (f.kind == ForceModel::Kind::hinge) return add_hinge(model, ws, f, velocity, position);
  const double step = 1e-7 * model.length_scale / largest;
  const MarkerKinematics& B0 = ws.markers[static_cast<std::size_t>(f.b)];
  const MarkerKinematics& A0 = f.a >= 0 ? ws.markers[static_cast<std::size_t>(f.a)] : B0;
  const int markers[2] = {f.a, f.b};
  Matrix6d slope[2][2];
  Matrix3d by_position, by_velocity;
  const bool exact = spring_slopes(ws, f, A0, B0, by_position, by_velocity);
  const PairLoad base = exact ? PairLoad{} : load_of(model, ws, f, A0, B0);
  for (int m = 0; m < 2; ++m) {
    if (markers[m] < 0 || body_of(model, markers[m]).nr == 0) continue;
    for (int i = 0; i < 2 && exact; ++i) {
      slope[i][m].setZero();
      slope[i][m].topLeftCorner<3, 3>() =
          (i == m ? 1.0 : -1.0) * (position * by_position + velocity * by_velocity);
    }
    for (int c = 0; c < 6 && !exact; ++c) {
      MarkerKinematics& moved = moved_;
      const MarkerKinematics& from = m == 0 ? A0 : B0;
      moved.p = from.p;
      moved.R = from.R;
      moved.v = from.v;
      moved.w = from.w;
      const Vector3d unit = Vector3d::Unit(c % 3);
      if (c < 3) {
        moved.p += position * step * unit;
        moved.v += velocity * step * unit;
      } else {
        moved.R = exp_rotation(position * step * unit) * moved.R;
        moved.w += velocity * step * unit;
      }
      const PairLoad load =
          m == 0 ? load_of(model, ws, f, moved, B0) : load_of(model, ws, f, A0, moved);
      const double scale = -1.0 / step;
      slope[0][m].col(c) << scale * (load.force_a - base.force_a),
          scale * (load.torque_a - base.torque_a);
      slope[1][m].col(c) << scale * (load.force_b - base.force_b),
          scale * (load.torque_b - base.torque_b);
    }
    marker_jacobian(model, ws, markers[m], jacobian_[m].data());
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (markers[i] >= 0 && markers[j] >= 0 && body_of(model, markers[i]).nr > 0 &&
          body_of(model, markers[j]).nr > 0)
        add_pair(
            model, markers[i], markers[j], slope[i][j], jacobian_[i].data(), jacobian_[j].data());
}

}  // namespace femflex::mbd_solver

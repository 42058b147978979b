// The part of KktMatrix that adds the Jacobians of forces. docs/theory/multibody.md eq. (27).
#include <algorithm>
#include <variant>

#include "femflex/frames.h"

#include "spatial/equations.h"
#include "spatial/forces/path.h"
#include "spatial/forces/states.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Step of differences of loads, relative to the system's size. It is slightly above the square
/// root of round-off, so that truncation and round-off errors are both near 1e-8 of a load.
constexpr double kLoadDifference = 1e-7;

/// Derivatives of a marker's velocity and angular velocity in W with respect to the velocity
/// coordinates of its body (6 x width, by columns).
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
    if (m.has_rotation)
      column.tail<3>() = body.R * kin.J_r.col(c);
    else
      column.tail<3>().setZero();
  }
}

}  // namespace

// Adds left' stiffness right to the blocks of the bodies of markers a and b.
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

// The load along a line acts on both ends of the line: with its sign on the far end, with the
// opposite sign on the near end.
void KktMatrix::add_lines(const Model& model,
                          const Workspace& ws,
                          std::span<const int> ends,
                          const Matrix6d& slope) {
  const auto moves = [&](std::size_t k) { return body_of(model, ends[k]).nr > 0; };
  for (std::size_t k = 0; k < 4; ++k)
    if (moves(k)) marker_jacobian(model, ws, ends[k], jacobian_[k].data());
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      if (!moves(i) || !moves(j)) continue;
      Matrix6d pair = Matrix6d::Zero();
      pair.topLeftCorner<3, 3>() =
          ((i + j) % 2 == 0 ? 1.0 : -1.0) * slope.block<3, 3>(3 * static_cast<Eigen::Index>(i / 2),
                                                              3 * static_cast<Eigen::Index>(j / 2));
      add_pair(model, ends[i], ends[j], pair, jacobian_[i].data(), jacobian_[j].data());
    }
}

// A leg changes the displacement between the points by weight times the displacement of its marker
// and by lever times its rotation.
void KktMatrix::add_spread(const Model& model,
                           const Workspace& ws,
                           const Spread& spread,
                           const Matrix3d& slope) {
  std::array<Eigen::Matrix<double, 3, 6>, Spread::kMaxLegs> by_leg;
  const auto moves = [&](std::size_t k) { return body_of(model, spread.legs[k].marker).nr > 0; };
  for (std::size_t k = 0; k < spread.count; ++k) {
    const Spread::Leg& leg = spread.legs[k];
    by_leg[k] << leg.weight * Matrix3d::Identity(), -cross_matrix(leg.lever);
    if (moves(k)) marker_jacobian(model, ws, leg.marker, jacobian_[k].data());
  }
  for (std::size_t i = 0; i < spread.count; ++i)
    for (std::size_t j = 0; j < spread.count; ++j)
      if (moves(i) && moves(j))
        add_pair(model,
                 spread.legs[i].marker,
                 spread.legs[j].marker,
                 by_leg[i].transpose() * slope * by_leg[j],
                 jacobian_[i].data(),
                 jacobian_[j].data());
}

// Computes the Jacobian of the load at its two markers: exactly if the law provides it, else by
// differences.
template <typename Law>
void KktMatrix::find_slopes(
    const Model& model, const Workspace& ws, const Law& law, double velocity, double position) {
  const MarkerKinematics& b = ws.markers[static_cast<std::size_t>(law.b)];
  const MarkerKinematics& a = law.a >= 0 ? ws.markers[static_cast<std::size_t>(law.a)] : b;
  if constexpr (requires(Matrix3d slope) { law.slopes(ws, a, b, slope, slope); }) {
    Matrix3d by_position, by_velocity;
    if (law.slopes(ws, a, b, by_position, by_velocity)) {
      for (int i = 0; i < 2; ++i)
        for (int m = 0; m < 2; ++m) {
          slope_[i][m].setZero();
          slope_[i][m].topLeftCorner<3, 3>() =
              (i == m ? 1.0 : -1.0) * (position * by_position + velocity * by_velocity);
        }
      return;
    }
  }
  const double step = kLoadDifference * model.local_length / std::max(velocity, position);
  const PairLoad base = load_between(model, ws, law, a, b);
  for (int m = 0; m < 2; ++m) {
    if (const int marker = m == 0 ? law.a : law.b; marker < 0 || body_of(model, marker).nr == 0)
      continue;
    for (int c = 0; c < 6; ++c) {
      const MarkerKinematics& from = m == 0 ? a : b;
      moved_.p = from.p;
      moved_.R = from.R;
      moved_.v = from.v;
      moved_.w = from.w;
      const Vector3d unit = Vector3d::Unit(c % 3);
      if (c < 3) {
        moved_.p += position * step * unit;
        moved_.v += velocity * step * unit;
      } else {
        moved_.R = exp_rotation(position * step * unit) * moved_.R;
        moved_.w += velocity * step * unit;
      }
      const PairLoad load = m == 0 ? load_between(model, ws, law, moved_, b)
                                   : load_between(model, ws, law, a, moved_);
      const double scale = -1.0 / step;
      slope_[0][m].col(c) << scale * (load.force_a - base.force_a),
          scale * (load.torque_a - base.torque_a);
      slope_[1][m].col(c) << scale * (load.force_b - base.force_b),
          scale * (load.torque_b - base.torque_b);
    }
  }
}

// eq. (27): the Jacobian of the load times those of its markers
void KktMatrix::add_force(const Model& model,
                          const Workspace& ws,
                          const ForceModel& f,
                          double velocity,
                          double position) {
  if (std::max(velocity, position) == 0.0) return;
  std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.spread(ws); }) {
          const Spread spread = law.spread(ws);
          add_spread(
              model, ws, spread, position * spread.by_position + velocity * spread.by_velocity);
        } else if constexpr (requires { law.line_slope(ws, velocity, position); }) {
          add_lines(model, ws, law.ends, law.line_slope(ws, velocity, position));
        } else if constexpr (!requires { law.load(model, ws); }) {
          find_slopes(model, ws, law, velocity, position);
          add_slopes(model, ws, {law.a, law.b});
        }
      },
      f.law);
}

void KktMatrix::add_slopes(const Model& model,
                           const Workspace& ws,
                           const std::array<int, 2>& markers) {
  const auto moves = [&](std::size_t m) {
    return markers[m] >= 0 && body_of(model, markers[m]).nr > 0;
  };
  for (std::size_t m = 0; m < 2; ++m)
    if (moves(m)) marker_jacobian(model, ws, markers[m], jacobian_[m].data());
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      if (moves(i) && moves(j))
        add_pair(
            model, markers[i], markers[j], slope_[i][j], jacobian_[i].data(), jacobian_[j].data());
}

}  // namespace femflex::mbd_solver

// Constraint rows of joints and motions: violation, Jacobian blocks, and the loads of the
// multipliers. docs/theory/multibody.md §4.
#include <cmath>

#include "spatial/blocks.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

namespace {

/// Adds derivatives of a constraint row to `row`, a row of the Jacobian block of the marker's body.
/// g_v and g_w are the derivatives with respect to velocity and angular velocity of the marker in
/// W. eq. (13)
void add_row(const Model& model,
             const Workspace& ws,
             int marker,
             const Vector3d& g_v,
             const Vector3d& g_w,
             double* row) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
  if (b.nr == 0) return;
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  const Vector3d arm = kin.p - body.p;
  const Vector3d turn = body.R.transpose() * (g_w + arm.cross(g_v));
  if (b.nr == 6) {
    for (int c = 0; c < 3; ++c) {
      row[c] += g_v(c);
      row[3 + c] += turn(c);
    }
  } else {
    const double full[6] = {g_v.x(), g_v.y(), g_v.z(), turn.x(), turn.y(), turn.z()};
    for (int c = 0; c < b.nr; ++c)
      row[c] += full[b.dof[static_cast<std::size_t>(c)]];
  }
  if (!m.on_node) return;
  const Vector3d local_v = body.R.transpose() * g_v;
  double* modal = row + b.nr;
  for (int j = 0; j < b.n; ++j)
    modal[j] += local_v.dot(kin.J_t.col(j));
  if (!m.has_rotation) return;
  const Vector3d local_w = body.R.transpose() * g_w;
  for (int j = 0; j < b.n; ++j)
    modal[j] += local_w.dot(kin.J_r.col(j));
}

const MarkerKinematics& kin_of(const Workspace& ws, const JointModel& joint, int leg) {
  return ws.markers[static_cast<std::size_t>(joint.legs[static_cast<std::size_t>(leg)])];
}

int width_of(const Model& model, int marker) {
  const BodyModel& b =
      model.bodies[static_cast<std::size_t>(model.markers[static_cast<std::size_t>(marker)].body)];
  return b.nr + b.n;
}

/// Value at which sticking friction holds coordinate r of its joint; 0 for other joints.
double held_at(const Workspace& ws, const JointModel& joint, int r) {
  return joint.grip >= 0 ? ws.events(joint.grip + 1 + r) : 0.0;
}

double length_of(const Workspace& ws, const JointModel& joint, const RowModel& row) {
  return joint.grip >= 0 ? ws.events(joint.grip + 1) : row.length;
}

}  // namespace

bool acts(const Workspace& ws, const JointModel& joint) {
  return joint.grip < 0 || (ws.grips && grip_of(ws.events, joint.grip) == Grip::sticking);
}

double angle_of(const MarkerKinematics& a, const MarkerKinematics& b) {
  const Vector3d x = b.R.col(0);
  return std::atan2(x.dot(a.R.col(1)), x.dot(a.R.col(0)));
}

void update_joint_angles(const Model& model, const Workspace& ws, Eigen::VectorXd& angles) {
  for (const JointModel& j : model.joints)
    if (j.turn >= 0)
      angles(j.turn) = nearest_turn(angle_of(kin_of(ws, j, 0), kin_of(ws, j, 1)), angles(j.turn));
  for (const ForceModel& f : model.forces)
    std::visit(
        [&](const auto& law) {
          if constexpr (requires { law.angle(ws); })
            if (law.turn >= 0) angles(law.turn) = nearest_turn(law.angle(ws), angles(law.turn));
        },
        f.law);
}

void constraints(const Model& model, Workspace& ws) {
  std::fill(ws.g.begin(), ws.g.end(), 0.0);
  if (model.network.drives_motions) evaluate_blocks(model, ws);
  for (const JointModel& joint : model.joints) {
    if (!acts(ws, joint)) {
      ws.phi.segment(joint.l0, joint.m).setZero();
      continue;
    }
    const MarkerKinematics& A = kin_of(ws, joint, 0);
    const MarkerKinematics& B = kin_of(ws, joint, 1);
    const Vector3d d = B.p - A.p;
    double* ga = ws.g.data() + joint.g[0];
    double* gb = ws.g.data() + joint.g[1];
    const int wa = width_of(model, joint.legs[0]);
    const int wb = width_of(model, joint.legs[1]);
    for (int r = 0; r < joint.m; ++r) {
      const RowModel& row = joint.rows[static_cast<std::size_t>(r)];
      double value = row.constant;
      switch (row.kind) {
        case RowModel::Kind::along: {
          const Vector3d e = A.R * row.ea;
          value += e.dot(d);
          add_row(model, ws, joint.legs[0], -e, e.cross(d), ga + r * wa);
          add_row(model, ws, joint.legs[1], e, Vector3d::Zero(), gb + r * wb);
          break;
        }
        case RowModel::Kind::dot: {
          Vector3d turn = Vector3d::Zero();
          for (int k = 0; k < row.dot_count; ++k) {
            const RowModel::Dot& dot = row.dots[static_cast<std::size_t>(k)];
            const Vector3d a = A.R * dot.a;
            const Vector3d b = B.R * dot.b;
            value += dot.factor * a.dot(b);
            turn += dot.factor * a.cross(b);
          }
          add_row(model, ws, joint.legs[0], Vector3d::Zero(), turn, ga + r * wa);
          add_row(model, ws, joint.legs[1], Vector3d::Zero(), -turn, gb + r * wb);
          break;
        }
        case RowModel::Kind::distance: {
          const double length = length_of(ws, joint, row);
          const Vector3d e = d / length;
          value += 0.5 * (d.squaredNorm() / length - length);
          add_row(model, ws, joint.legs[0], -e, Vector3d::Zero(), ga + r * wa);
          add_row(model, ws, joint.legs[1], e, Vector3d::Zero(), gb + r * wb);
          break;
        }
        case RowModel::Kind::coordinate:
          for (const CoordinateTerm& term : row.terms) {
            const MarkerKinematics& P = kin_of(ws, joint, term.a);
            const MarkerKinematics& Q = kin_of(ws, joint, term.b);
            const int p = joint.legs[static_cast<std::size_t>(term.a)];
            const int s = joint.legs[static_cast<std::size_t>(term.b)];
            double* gp =
                ws.g.data() + joint.g[static_cast<std::size_t>(term.a)] + r * width_of(model, p);
            double* gq =
                ws.g.data() + joint.g[static_cast<std::size_t>(term.b)] + r * width_of(model, s);
            const Vector3d z = term.factor * P.R.col(2);
            if (term.angle) {
              value += term.factor * nearest_turn(angle_of(P, Q), ws.joint_angles(term.turn));
              add_row(model, ws, p, Vector3d::Zero(), -z, gp);
              add_row(model, ws, s, Vector3d::Zero(), z, gq);
            } else {
              const Vector3d step = Q.p - P.p;
              value += z.dot(step);
              add_row(model, ws, p, -z, z.cross(step), gp);
              add_row(model, ws, s, z, Vector3d::Zero(), gq);
            }
          }
          break;
      }
      if (row.motion >= 0)
        value -= value_of(model, ws, model.motions[static_cast<std::size_t>(row.motion)].value);
      if (row.kind != RowModel::Kind::distance) value -= held_at(ws, joint, r);
      ws.phi(joint.l0 + r) = value;
    }
  }
}

// Computes eq. (14): Phi'' at zero accelerations of the bodies.
void constraint_rates(const Model& model, Workspace& ws, bool with_bias) {
  ws.phi_t.setZero();
  if (model.network.drives_motions) evaluate_blocks(model, ws);
  for (const JointModel& joint : model.joints) {
    if (!acts(ws, joint)) {
      ws.bias.segment(joint.l0, joint.m).setZero();
      continue;
    }
    const MarkerKinematics& A = kin_of(ws, joint, 0);
    const MarkerKinematics& B = kin_of(ws, joint, 1);
    const Vector3d d = B.p - A.p;
    for (int r = 0; r < joint.m; ++r) {
      const RowModel& row = joint.rows[static_cast<std::size_t>(r)];
      double bias = 0.0;
      const auto slide =
          [](const MarkerKinematics& P, const MarkerKinematics& Q, const Vector3d& e) {
            const Vector3d step = Q.p - P.p;
            const Vector3d we = P.w.cross(e);
            return e.dot(Q.bias_v - P.bias_v) + P.bias_w.dot(e.cross(step)) +
                   2.0 * we.dot(Q.v - P.v) + P.w.cross(we).dot(step);
          };
      if (with_bias) {
        switch (row.kind) {
          case RowModel::Kind::along:
            bias = slide(A, B, A.R * row.ea);
            break;
          case RowModel::Kind::dot:
            for (int k = 0; k < row.dot_count; ++k) {
              const RowModel::Dot& dot = row.dots[static_cast<std::size_t>(k)];
              const Vector3d a = A.R * dot.a;
              const Vector3d b = B.R * dot.b;
              const Vector3d wa = A.w.cross(a);
              const Vector3d wb = B.w.cross(b);
              bias += dot.factor * ((A.bias_w - B.bias_w).dot(a.cross(b)) + A.w.cross(wa).dot(b) +
                                    2.0 * wa.dot(wb) + a.dot(B.w.cross(wb)));
            }
            break;
          case RowModel::Kind::distance:
            bias = (d.dot(B.bias_v - A.bias_v) + (B.v - A.v).squaredNorm()) /
                   length_of(ws, joint, row);
            break;
          case RowModel::Kind::coordinate:
            for (const CoordinateTerm& term : row.terms) {
              const MarkerKinematics& P = kin_of(ws, joint, term.a);
              const MarkerKinematics& Q = kin_of(ws, joint, term.b);
              const Vector3d z = P.R.col(2);
              bias += term.factor * (term.angle
                                         ? z.dot(Q.bias_w - P.bias_w) + P.w.cross(z).dot(Q.w - P.w)
                                         : slide(P, Q, z));
            }
            break;
        }
      }
      if (row.motion >= 0) {
        const MotionModel& motion = model.motions[static_cast<std::size_t>(row.motion)];
        if (!motion.value.is_constant()) {
          const std::array<double, 3> jet = motion_jet(model, ws, motion);
          ws.phi_t(joint.l0 + r) = -jet[1];
          bias -= jet[2];
        }
      }
      ws.bias(joint.l0 + r) = bias;
    }
  }
}

namespace {

/// Calls visit(joint, body, block, width) for each block of G: the rows of a joint times the
/// `width` velocity coordinates of one of its bodies, row by row.
template <typename Visit>
void for_each_block(const Model& model, const Workspace& ws, const Visit& visit) {
  for (const JointModel& joint : model.joints)
    for (std::size_t leg = 0; leg < joint.legs.size(); ++leg) {
      const BodyModel& b = model.bodies[static_cast<std::size_t>(
          model.markers[static_cast<std::size_t>(joint.legs[leg])].body)];
      visit(joint, b, ws.g.data() + joint.g[leg], b.nr + b.n);
    }
}

}  // namespace

void add_jacobian_times(const Model& model,
                        const Workspace& ws,
                        const Eigen::VectorXd& x,
                        Eigen::VectorXd& y) {
  for_each_block(
      model, ws, [&](const JointModel& joint, const BodyModel& b, const double* block, int width) {
        const double* from = x.data() + b.v0;
        for (int r = 0; r < joint.m; ++r) {
          double sum = 0.0;
          for (int c = 0; c < width; ++c)
            sum += block[r * width + c] * from[c];
          y(joint.l0 + r) += sum;
        }
      });
}

void add_jacobian_transposed_times(const Model& model,
                                   const Workspace& ws,
                                   const Eigen::VectorXd& x,
                                   Eigen::VectorXd& y) {
  for_each_block(
      model, ws, [&](const JointModel& joint, const BodyModel& b, const double* block, int width) {
        double* to = y.data() + b.v0;
        for (int r = 0; r < joint.m; ++r) {
          const double factor = x(joint.l0 + r);
          for (int c = 0; c < width; ++c)
            to[c] += block[r * width + c] * factor;
        }
      });
}

// The load on a marker is -g' lambda, with g the derivatives of the rows by the marker's velocity
// and angular velocity.
Vector6d leg_load(const Model& model, const Workspace& ws, int joint_index, int leg) {
  const JointModel& joint = model.joints[static_cast<std::size_t>(joint_index)];
  const MarkerKinematics& A = kin_of(ws, joint, 0);
  const MarkerKinematics& B = kin_of(ws, joint, 1);
  const Vector3d d = B.p - A.p;
  Vector6d load = Vector6d::Zero();
  for (int r = 0; r < joint.m; ++r) {
    const RowModel& row = joint.rows[static_cast<std::size_t>(r)];
    const double lambda = ws.multipliers(joint.l0 + r);
    Vector3d force = Vector3d::Zero();  // force on b per unit multiplier
    Vector3d torque = Vector3d::Zero();
    Vector3d torque_a = Vector3d::Zero();
    switch (row.kind) {
      case RowModel::Kind::along:
        force = A.R * row.ea;
        torque_a = force.cross(d);
        break;
      case RowModel::Kind::dot:
        for (int k = 0; k < row.dot_count; ++k) {
          const RowModel::Dot& dot = row.dots[static_cast<std::size_t>(k)];
          torque -= dot.factor * (A.R * dot.a).cross(B.R * dot.b);
        }
        torque_a = -torque;
        break;
      case RowModel::Kind::distance:
        force = d / length_of(ws, joint, row);
        break;
      case RowModel::Kind::coordinate:
        for (const CoordinateTerm& term : row.terms) {
          const Vector3d z = term.factor * A.R.col(2);
          (term.angle ? torque : force) += z;
          torque_a += term.angle ? Vector3d(-z) : Vector3d(z.cross(d));
        }
        break;
    }
    load.head<3>() -= lambda * (leg == 1 ? force : Vector3d(-force));
    load.tail<3>() -= lambda * (leg == 1 ? torque : torque_a);
  }
  return load;
}

}  // namespace femflex::mbd_solver

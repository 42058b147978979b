// Positions, velocities and acceleration terms of bodies and markers. docs/theory/multibody.md §1,
// §2.
#include "spatial/equations.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// out := A(theta) Psi. For the rotation exp(theta~), A theta' is its angular velocity in the fixed
/// frame; `s` gives the coefficients of A. eq. (5)
void tangent_times(const Vector3d& theta,
                   const RotationSeries& s,
                   const Eigen::Matrix3Xd& Psi,
                   Eigen::Matrix3Xd& out) {
  for (Eigen::Index j = 0; j < Psi.cols(); ++j) {
    const Vector3d psi = Psi.col(j);
    const Vector3d first = theta.cross(psi);
    out.col(j) = psi + s.c1 * first + s.c2 * theta.cross(first);
  }
}

}  // namespace

Workspace::Workspace(const Model& model)
    : q(model.initial.position),
      v(model.initial.velocity),
      joint_angles(model.initial.joint_angles),
      events(model.initial.events),
      bodies(model.bodies.size()),
      markers(model.markers.size()),
      phi(Eigen::VectorXd::Zero(model.nl)),
      g(model.g_size, 0.0),
      phi_t(Eigen::VectorXd::Zero(model.nl)),
      bias(Eigen::VectorXd::Zero(model.nl)),
      force(Eigen::VectorXd::Zero(model.nv)),
      loads(model.forces.size()),
      states(model.initial.force_states),
      state_rates(Eigen::VectorXd::Zero(model.state_count)),
      block_inputs(Eigen::VectorXd::Zero(model.network.input_count)),
      block_outputs(Eigen::VectorXd::Zero(model.network.output_count)),
      block_push(Eigen::VectorXd::Zero(model.network.output_count)),
      state_constants(model.initial.force_states),
      inputs(model.inputs.size()),
      road_hints(static_cast<std::size_t>(model.hint_count)),
      a(Eigen::VectorXd::Zero(model.nv)),
      multipliers(Eigen::VectorXd::Zero(model.nl)) {
  marker_count = model.acting_markers;
  gravity.setZero();
  for (const FlexModel& flex : model.flexes) {
    flexes.emplace_back(flex);
    left_out.push_back({Eigen::VectorXd::Zero(flex.X.rows()), 0.0, 0.0});
  }
  for (const BlockModel& block :
       model.network.blocks)  // outputs may be evaluated before inputs are read
    for (std::size_t k = 0; k < block.inputs.size(); ++k)
      if (block.inputs[k].is_constant())
        block_inputs(block.input0 + static_cast<Eigen::Index>(k)) = block.inputs[k].number;
  const Eigen::Index of_blocks = model.network.state_count;
  block_scratch.rates.setZero(of_blocks);
  block_scratch.moved.setZero(of_blocks);
  block_scratch.J.setIdentity(of_blocks, of_blocks);
  if (of_blocks > 0) block_scratch.factor.compute(block_scratch.J);
  int widest = 1;
  for (std::size_t k = 0; k < markers.size(); ++k) {
    const MarkerModel& m = model.markers[k];
    MarkerKinematics& kin = markers[k];
    kin.theta.setZero();
    kin.offset.setZero();
    kin.r = m.r;
    if (m.on_node) {
      kin.J_t = m.Phi;
      kin.J_r = m.Psi;
    }
  }
  for (const BodyModel& b : model.bodies)
    widest = std::max(widest, b.nr + b.n);
  modal.setZero(widest);
  rows.assign(static_cast<std::size_t>(6 * widest), 0.0);
  BodyKinematics& ground = bodies.back();
  ground.R.setIdentity();
  ground.p.setZero();
  ground.v.setZero();
  ground.w.setZero();
  ground.w_W.setZero();
}

void position_kinematics(const Model& model, Workspace& ws) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    BodyKinematics& kin = ws.bodies[k];
    const double* q = ws.q.data() + b.q0;
    kin.p << q[0], q[1], q[2];
    kin.R = attitude(q).toRotationMatrix();
  }
  marker_positions(model, ws);
}

void marker_positions(const Model& model, Workspace& ws) {
  for (std::size_t k = 0; k < ws.marker_count; ++k) {
    const MarkerModel& m = model.markers[k];
    MarkerKinematics& kin = ws.markers[k];
    const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
    if (!m.on_node) {
      kin.p.noalias() = body.p + body.R * m.r;
      kin.R.noalias() = body.R * m.R;
      continue;
    }
    const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
    const Eigen::Map<const Eigen::VectorXd> xi(ws.q.data() + b.q0 + 7, b.n);
    kin.r = m.r;
    kin.r.noalias() += m.Phi * xi;
    if (!m.has_rotation) {
      kin.r += m.offset;
      kin.offset = m.offset;
      kin.R.noalias() = body.R * m.R;
    } else {
      kin.theta.noalias() = m.Psi * xi;
      const RotationSeries s(kin.theta.squaredNorm());
      const Matrix3d R_BN = exp_rotation(kin.theta);
      kin.offset = R_BN * m.offset;
      kin.r += kin.offset;
      tangent_times(kin.theta, s, m.Psi, kin.J_r);
      for (Eigen::Index j = 0; j < b.n; ++j)
        kin.J_t.col(j) = m.Phi.col(j) + Vector3d(kin.J_r.col(j)).cross(kin.offset);
      kin.R.noalias() = body.R * (R_BN * m.R);
    }
    kin.p.noalias() = body.p + body.R * kin.r;
  }
}

void velocity_kinematics(const Model& model, Workspace& ws) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    BodyKinematics& kin = ws.bodies[k];
    const Vector6d twist = rigid_components(b, ws.v.data() + b.v0);
    kin.v = twist.head<3>();
    kin.w = twist.tail<3>();
    kin.w_W.noalias() = kin.R * kin.w;
  }
  marker_velocities(model, ws);
}

void marker_velocities(const Model& model, Workspace& ws) {
  for (std::size_t k = 0; k < ws.marker_count; ++k) {
    const MarkerModel& m = model.markers[k];
    MarkerKinematics& kin = ws.markers[k];
    const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
    kin.w = body.w_W;
    kin.v = body.v + body.w_W.cross(kin.p - body.p);
    if (m.on_node) {
      const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
      const Eigen::Map<const Eigen::VectorXd> xi_dot(ws.v.data() + b.v0 + b.nr, b.n);
      const Vector3d u_dot = kin.J_t * xi_dot;
      kin.v += body.R * u_dot;
      if (m.has_rotation) {
        const Vector3d w_rel = kin.J_r * xi_dot;
        kin.w += body.R * w_rel;
      }
    }
  }
}

void marker_bias(const Model& model, Workspace& ws) {
  for (std::size_t k = 0; k < ws.marker_count; ++k) {
    const MarkerModel& m = model.markers[k];
    MarkerKinematics& kin = ws.markers[k];
    const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
    const Vector3d& w = body.w_W;
    kin.bias_v = w.cross(w.cross(kin.p - body.p));
    kin.bias_w.setZero();
    if (!m.on_node) continue;
    const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
    const Eigen::Map<const Eigen::VectorXd> xi_dot(ws.v.data() + b.v0 + b.nr, b.n);
    const Vector3d u_dot = kin.J_t * xi_dot;
    Vector3d local = 2.0 * body.w.cross(u_dot);
    if (m.has_rotation) {  // eq. (5): time derivative of the tangent
      const Vector3d rate = m.Psi * xi_dot;
      const RotationSeries s(kin.theta.squaredNorm());
      const Vector3d cross = kin.theta.cross(rate);
      const double along = kin.theta.dot(rate);
      const Vector3d dA =
          along * (s.dc1 * cross + s.dc2 * kin.theta.cross(cross)) + s.c2 * rate.cross(cross);
      const Vector3d w_n = kin.J_r * xi_dot;
      local += dA.cross(kin.offset) + w_n.cross(w_n.cross(kin.offset));
      kin.bias_w = body.R * (body.w.cross(w_n) + dA);
    }
    kin.bias_v += body.R * local;
  }
}

void move(const Model& model,
          const Eigen::VectorXd& q0,
          const Eigen::VectorXd& dq,
          Eigen::VectorXd& q) {
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const double* d = dq.data() + b.v0;
    const Vector6d step = rigid_components(b, d);
    const double* from = q0.data() + b.q0;
    double* to = q.data() + b.q0;
    for (int c = 0; c < 3; ++c)
      to[c] = from[c] + step(c);
    Eigen::Quaterniond turned = attitude(from) * exp_quaternion(step.tail<3>());
    turned.normalize();
    set_attitude(turned, to);
    for (int c = 0; c < b.n; ++c)
      to[7 + c] = from[7 + c] + d[b.nr + c];
  }
}

Vector6d marker_acceleration(const Model& model, const Workspace& ws, int marker) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const Vector6d twist = rigid_components(b, ws.a.data() + b.v0);
  const Vector3d alpha = body.R * Vector3d(twist.tail<3>());
  Vector6d result;
  result << twist.head<3>() + alpha.cross(kin.p - body.p) + kin.bias_v, alpha + kin.bias_w;
  if (m.on_node) {
    const auto xi_ddot = ws.a.segment(b.v0 + b.nr, b.n);
    result.head<3>() += body.R * (kin.J_t * xi_ddot);
    if (m.has_rotation) result.tail<3>() += body.R * (kin.J_r * xi_ddot);
  }
  return result;
}

}  // namespace femflex::mbd_solver

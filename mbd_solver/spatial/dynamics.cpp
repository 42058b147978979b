// Equations of motion: inertia of rigid and flexible bodies, and the sum of all forces.
// docs/theory/multibody.md §3.
#include <variant>

#include "spatial/blocks.h"
#include "spatial/equations.h"
#include "spatial/forces/states.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

/// Accelerations of a flexible body: a_W of its frame in W, alpha (angular) in B, and those of its
/// modes.
struct FlexibleAcceleration {
  Vector3d a_W, alpha;
  const double* modal;
};

// eq. (6-9): inertia of the floating frame, gravity, modal stiffness and damping.
// @param twist  load on the frame: force in W and torque in B
// @param modal  (n) forces on the modes
void flexible_residual(const Model& model,
                       Workspace& ws,
                       std::size_t body,
                       const FlexibleAcceleration& now,
                       double* twist,
                       double* modal) {
  const BodyModel& b = model.bodies[body];
  const BodyKinematics& kin = ws.bodies[body];
  const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
  FlexInertia& I = ws.flexes[static_cast<std::size_t>(b.flex)];
  const Vector3d& alpha = now.alpha;
  const double* xi = ws.q.data() + b.q0 + 7;
  const double* xi_dot = ws.v.data() + b.v0 + b.nr;
  if (ws.at_rest)
    first_moment(f, xi, xi_dot, I);
  else
    flex_inertia(f, xi, xi_dot, I);
  const Eigen::Map<const Eigen::VectorXd> z(xi, f.n), z_dot(xi_dot, f.n), z_ddot(now.modal, f.n);
  const Vector3d& w = kin.w;
  const Vector3d a_B = kin.R.transpose() * (now.a_W - ws.gravity);
  Vector3d s_ddot = Vector3d::Zero();
  Vector3d H_ddot = Vector3d::Zero();
  Vector3d H_xi_dot = Vector3d::Zero();
  if (f.n > 0) {
    s_ddot = I.N3_rate;
    s_ddot.noalias() += I.N3 * z_ddot;
    H_ddot = I.H_rate;
    H_ddot.noalias() += I.H * z_ddot;
    H_xi_dot.noalias() = I.H * z_dot;
  }
  const Vector3d force =
      f.mass * a_B + alpha.cross(I.s) + w.cross(w.cross(I.s)) + s_ddot + 2.0 * w.cross(I.s_dot);
  const Vector3d Jw = I.J * w;
  const Vector3d torque =
      I.s.cross(a_B) + I.J * alpha + w.cross(Jw) + I.J_dot * w + w.cross(H_xi_dot) + H_ddot;
  const Vector3d force_W = kin.R * force;
  for (int c = 0; c < 3; ++c) {
    twist[c] = force_W(c);
    twist[3 + c] = torque(c);
  }
  if (f.n == 0) return;
  Eigen::Map<Eigen::VectorXd> r(modal, f.n);
  r.noalias() = I.N3.transpose() * a_B;
  r.noalias() += I.H.transpose() * alpha;
  if (f.diagonal) {
    r.array() += f.m_diagonal.array() * z_ddot.array() + f.b_diagonal.array() * z_dot.array() +
                 f.k_diagonal.array() * z.array();
  } else {
    r.array() += f.m_diagonal.array() * z_ddot.array() + f.k_diagonal.array() * z.array();
    r.noalias() += f.b * z_dot;
  }
  // - 1/2 w' (dJ/dxi) w, pairs xx yy zz xy yz xz
  const double pairs[6] = {-0.5 * w.x() * w.x(),
                           -0.5 * w.y() * w.y(),
                           -0.5 * w.z() * w.z(),
                           -w.x() * w.y(),
                           -w.y() * w.z(),
                           -w.x() * w.z()};
  for (int c = 0; c < 6; ++c)
    if (pairs[c] != 0.0) r += pairs[c] * I.J_slope.col(c);
  if (f.A.size() > 0)  // Coriolis: sum_l xi_dot_l (N5_li - N5_il) . w
    for (int c = 0; c < 3; ++c)
      r += (2.0 * w(c)) * I.A_xi_dot.segment(c * f.n, f.n);
}

/// Computes the load of a law and subtracts it from ws.force.
template <typename Law>
void add_force(const Model& model, Workspace& ws, const Law& law, PairLoad& load) {
  const auto marker = [&](int index) -> const MarkerKinematics& {
    return ws.markers[static_cast<std::size_t>(index)];
  };
  if constexpr (requires { law.add(model, ws, load); }) {
    load = law.load(model, ws);
    law.add(model, ws, load);
  } else {
    const MarkerKinematics& b = marker(law.b);
    const MarkerKinematics& a = law.a >= 0 ? marker(law.a) : b;
    if constexpr (HasForceStates<Law>) {
      ForceStates states;
      load = load_with_states(model, ws, law, a, b, states);
      std::copy_n(states.z.begin(), law.state_count, ws.states.data() + law.state0);
      std::copy_n(states.rates.begin(), law.state_count, ws.state_rates.data() + law.state0);
    } else {
      load = law.load(model, ws, a, b);
    }
    add_marker_load(model, ws, law.b, load.force_b, load.torque_b, -1.0);
    if (law.a >= 0) add_marker_load(model, ws, law.a, load.force_a, load.torque_a, -1.0);
  }
}

}  // namespace

void subtract_force(const Model& model, Workspace& ws, std::size_t force) {
  std::visit([&](const auto& law) { add_force(model, ws, law, ws.loads[force]); },
             model.forces[force].law);
}

void residual(const Model& model,
              Workspace& ws,
              const Eigen::VectorXd& a,
              const Eigen::VectorXd* lambda) {
  evaluate_blocks(model, ws);
  for (int c = 0; c < 3; ++c)
    ws.gravity(c) = value_of(model, ws, model.gravity[static_cast<std::size_t>(c)]);
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = ws.bodies[k];
    const double* from = a.data() + b.v0;
    const Vector6d full = rigid_components(b, from);
    Vector6d twist = Vector6d::Zero();
    double* to = ws.force.data() + b.v0;
    if (b.kind == BodyModel::Kind::flexible) {
      std::copy(from + b.nr, from + b.nr + b.n, ws.modal.data());
      flexible_residual(
          model, ws, k, {full.head<3>(), full.tail<3>(), ws.modal.data()}, twist.data(), to + b.nr);
    } else {
      for (int c = 0; c < 3; ++c)
        twist(c) = b.mass * (full(c) - ws.gravity(c));
      if (b.kind == BodyModel::Kind::rigid) {
        const Vector3d Jw = b.inertia * kin.w;
        twist.tail<3>() = b.inertia * Vector3d(full.tail<3>()) + kin.w.cross(Jw);
      }
    }
    set_rigid_components(b, twist, to);
  }
  for (std::size_t k = 0; k < model.forces.size(); ++k)
    subtract_force(model, ws, k);
  if (ws.push.size() > 0) ws.force -= ws.push;
  if (lambda != nullptr) add_jacobian_transposed_times(model, ws, *lambda, ws.force);
}

Energy energy(const Model& model, const Workspace& ws) {
  Energy e;
  for (std::size_t k = 0; k + 1 < model.bodies.size(); ++k) {
    const BodyModel& b = model.bodies[k];
    const BodyKinematics& kin = ws.bodies[k];
    Vector3d first = Vector3d::Zero();
    if (b.kind == BodyModel::Kind::flexible) {
      const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
      const FlexInertia& I = ws.flexes[static_cast<std::size_t>(b.flex)];
      const Eigen::Map<const Eigen::VectorXd> z(ws.q.data() + b.q0 + 7, b.n),
          z_dot(ws.v.data() + b.v0 + b.nr, b.n);
      const Vector3d v_B = kin.R.transpose() * kin.v;
      first = kin.R * I.s;
      e.kinetic += v_B.dot(kin.w.cross(I.s) + I.s_dot) + 0.5 * kin.w.dot(I.J * kin.w);
      if (b.n > 0) {
        e.kinetic +=
            kin.w.dot(I.H * z_dot) + 0.5 * (f.m_diagonal.array() * z_dot.array().square()).sum();
        e.strain += 0.5 * (f.k_diagonal.array() * z.array().square()).sum();
      }
    } else if (b.kind == BodyModel::Kind::rigid) {
      e.kinetic += 0.5 * kin.w.dot(b.inertia * kin.w);
    }
    e.kinetic += 0.5 * b.mass * kin.v.squaredNorm();
    e.gravity -= ws.gravity.dot(b.mass * kin.p + first);
  }
  for (const PairLoad& load : ws.loads)
    e.stored += load.potential;
  return e;
}

double input_power(const Model& model, const Workspace& ws) {
  double power = 0.0;
  for (const PairLoad& load : ws.loads)
    power += load.power_input;
  // a moving constraint does work through its multiplier, because G v = -phi_t
  power += ws.multipliers.dot(ws.phi_t);
  for (const BodyModel& b : model.bodies) {
    if (b.kind != BodyModel::Kind::flexible || b.n == 0) continue;
    const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
    const Eigen::Map<const Eigen::VectorXd> z_dot(ws.v.data() + b.v0 + b.nr, b.n);
    power -= f.diagonal ? (f.b_diagonal.array() * z_dot.array().square()).sum()
                        : z_dot.dot(f.b.lazyProduct(z_dot));
  }
  return power;
}

}  // namespace femflex::mbd_solver

#include <algorithm>
#include <cmath>

#include "spatial/equations.h"
#include "spatial/hinge.h"
#include "spatial/rotation.h"
#include "spatial/spring.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Vector3d vector_of(const Model& model, const Workspace& ws, const ForceModel& f) {
  Vector3d value;
  for (int c = 0; c < 3; ++c)
    value(c) = value_of(model, ws, f.vector[static_cast<std::size_t>(c)]);
  return value;
}

void torsional(const Model& model,
               const Workspace& ws,
               const ForceModel& f,
               const MarkerKinematics& a,
               const MarkerKinematics& b,
               PairLoad& load) {
  const Vector3d z = a.R.col(2);
  const JointModel& joint = model.joints[static_cast<std::size_t>(f.joint)];
  const double angle = nearest_turn(angle_of(a, b), ws.turns(joint.turn));
  const double rate = z.dot(b.w - a.w);
  const double k = value_of(model, ws, f.stiffness);
  const double extra = value_of(model, ws, f.value) - value_of(model, ws, f.damping) * rate;
  const double torque = extra - k * (angle - f.length);
  load.length = angle;
  load.value = torque;
  load.torque_b = torque * z;
  load.torque_a = -load.torque_b;
  load.potential = 0.5 * k * (angle - f.length) * (angle - f.length);
  load.power_input = extra * rate;
}

// Displacement and rotation vector of b against a in the axes of a; the moment is that which works
// on the rotation vector, so that a symmetric stiffness stores energy. eq. (19)
void bushing(const ForceModel& f,
             const MarkerKinematics& a,
             const MarkerKinematics& b,
             PairLoad& load) {
  const Vector3d d = b.p - a.p;
  const Vector3d u = a.R.transpose() * d;
  const Matrix3d R_ab = a.R.transpose() * b.R;
  const Vector3d theta = log_rotation(R_ab);
  const Vector3d w = a.R.transpose() * (b.w - a.w);
  const Vector3d u_dot = a.R.transpose() * (b.v - a.v - a.w.cross(d));
  // theta' = T w for w in the axes of a: the transposed tangent of the body form
  const Vector3d theta_dot = inverse_tangent(-theta, w);
  Vector6d x, x_dot;
  x << u, theta;
  x_dot << u_dot, theta_dot;
  const Vector6d elastic = f.K * x;
  const Vector6d rest = f.C * x_dot - f.preload;
  const Vector6d y = elastic + rest;
  load.potential = 0.5 * x.dot(elastic);
  load.power_input = -rest.dot(x_dot);
  load.force_b = -(a.R * y.head<3>());
  // power of the moment: y_theta . T w = (T' y_theta) . w, and T(-theta)' = T(theta)
  load.torque_b = -(a.R * inverse_tangent(theta, y.tail<3>()));
  load.force_a = -load.force_b;
  load.torque_a = -load.torque_b - d.cross(load.force_b);
  load.value = y.head<3>().norm();
  load.length = u.norm();
}

void bump_stop(const ForceModel& f,
               const MarkerKinematics& a,
               const MarkerKinematics& b,
               PairLoad& load) {
  const Vector3d d = b.p - a.p;
  const double length = d.norm();
  load.length = length;
  if (!(length > 0.0)) return;
  const Vector3d e = d / length;
  const double rate = e.dot(b.v - a.v);
  const double over = length > f.max ? length - f.max : (length < f.min ? length - f.min : 0.0);
  if (over == 0.0) return;
  const double elastic = f.stiffness.number * over;
  const double force = elastic + f.damping.number * rate;
  const bool pushes = over > 0.0 ? force > 0.0 : force < 0.0;  // a stop never holds back
  load.potential = 0.5 * elastic * over;
  if (!pushes) {
    load.power_input = elastic * rate;
    return;
  }
  load.force_b = -force * e;
  load.force_a = force * e;
  load.value = force;
  load.power_input = -f.damping.number * rate * rate;
}

void contact(const ForceModel& f,
             const MarkerKinematics& a,
             const MarkerKinematics& b,
             PairLoad& load) {
  const Vector3d n = a.R.col(2);
  const Vector3d d = b.p - a.p;
  const double depth = -n.dot(d);
  load.length = -depth;
  if (depth <= 0.0) return;
  const double rate = -(n.dot(b.v - a.v - a.w.cross(d)));
  const double elastic = f.stiffness.number * std::pow(depth, f.exponent);
  const double ratio = f.stiffness.number > 0.0 ? f.damping.number / f.stiffness.number : 0.0;
  const double force = std::max(0.0, elastic * (1.0 + ratio * rate));
  load.value = force;
  load.force_b = force * n;
  load.force_a = -load.force_b;
  load.torque_a = -d.cross(load.force_b);
  load.potential = f.stiffness.number * std::pow(depth, f.exponent + 1.0) / (f.exponent + 1.0);
  load.power_input = -(force - elastic) * rate;
}

void tyre(const Model& model,
          const Workspace& ws,
          const ForceModel& f,
          const MarkerKinematics& b,
          PairLoad& load) {
  double height = 0.0, rate = 0.0;
  if (f.road) {
    const double x = b.p.x() + f.speed * ws.t;
    const laws::ValueAndDerivative profile = f.road->at(x);
    height = profile.value;
    rate = profile.derivative * (b.v.x() + f.speed);
  } else if (f.road_height.is_constant()) {
    height = f.road_height.number;
  } else if (f.road_height.only_time()) {
    const std::array<double, 1> at = {ws.t};
    const laws::ValueAndDerivative road = f.road_height.formula->derivative(at, 0);
    height = road.value;
    rate = road.derivative;
  } else {
    height = value_of(model, ws, f.road_height);
  }
  const double squeeze = f.radius - (b.p.z() - height);
  load.length = squeeze;
  const double squeeze_rate = rate - b.v.z();
  double force = f.stiffness.number * squeeze + f.damping.number * squeeze_rate;
  if (f.lifts_off && (squeeze <= 0.0 || force < 0.0)) force = 0.0;
  load.value = force;
  load.force_b = {0.0, 0.0, force};
  load.power_input = force * b.v.z();
}

}  // namespace

double value_of(const Model& model, const Workspace& ws, const Signal& signal) {
  if (signal.is_constant()) return signal.number;
  double few[16] = {};
  if (signal.probes.size() <= 16) {
    few[0] = ws.t;
    for (std::size_t k = 1; k < signal.probes.size(); ++k)
      few[k] = read(model, ws, signal.probes[k]);
    return (*signal.formula)(std::span<const double>(few, signal.probes.size()));
  }
  std::vector<double> values;
  values.reserve(signal.probes.size());
  for (const Probe& probe : signal.probes)
    values.push_back(read(model, ws, probe));
  return (*signal.formula)(values);
}

PairLoad load_of(const Model& model,
                 const Workspace& ws,
                 const ForceModel& f,
                 const MarkerKinematics& a,
                 const MarkerKinematics& b) {
  PairLoad load;
  switch (f.kind) {
    case ForceModel::Kind::point_force: {
      Vector3d force = vector_of(model, ws, f);
      if (f.in_body_frame) force = b.R * force;
      load.force_b = force;
      load.force_a = -force;
      if (f.a >= 0) load.torque_a = -(b.p - a.p).cross(force);
      load.value = force.norm();
      load.power_input = force.dot(b.v);
      if (f.a >= 0) load.power_input += load.force_a.dot(a.v) + load.torque_a.dot(a.w);
      break;
    }
    case ForceModel::Kind::point_torque: {
      Vector3d torque = vector_of(model, ws, f);
      if (f.in_body_frame) torque = b.R * torque;
      load.torque_b = torque;
      load.torque_a = -torque;
      load.value = torque.norm();
      load.power_input = torque.dot(b.w);
      if (f.a >= 0) load.power_input -= torque.dot(a.w);
      break;
    }
    case ForceModel::Kind::spring_damper:
      load = spring_load(model, ws, f, a, b);
      break;
    case ForceModel::Kind::torsional:
      torsional(model, ws, f, a, b, load);
      break;
    case ForceModel::Kind::hinge:
      load = hinge_load(f, lines_of(f, ws.markers), f.turn >= 0 ? ws.turns(f.turn) : 0.0);
      break;
    case ForceModel::Kind::bushing:
      bushing(f, a, b, load);
      break;
    case ForceModel::Kind::bump_stop:
      bump_stop(f, a, b, load);
      break;
    case ForceModel::Kind::contact:
      contact(f, a, b, load);
      break;
    case ForceModel::Kind::tyre:
      tyre(model, ws, f, b, load);
      break;
    case ForceModel::Kind::modal: {
      load.value = value_of(model, ws, f.value);
      const BodyModel& body = model.bodies[static_cast<std::size_t>(f.body)];
      load.power_input = load.value * f.load.dot(ws.v.segment(body.v0 + body.nr, body.n));
      break;
    }
  }
  return load;
}

void add_marker_load(const Model& model,
                     const Workspace& ws,
                     int marker,
                     const Vector3d& force,
                     const Vector3d& torque,
                     double sign,
                     Eigen::VectorXd& generalised) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
  if (b.nr == 0) return;
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  const Vector3d turn = body.R.transpose() * (torque + (kin.p - body.p).cross(force));
  const double full[6] = {force.x(), force.y(), force.z(), turn.x(), turn.y(), turn.z()};
  double* to = generalised.data() + b.v0;
  for (int c = 0; c < b.nr; ++c)
    to[c] += sign * full[b.dof[static_cast<std::size_t>(c)]];
  if (!m.on_node) return;
  const Vector3d local = sign * (body.R.transpose() * force);
  for (int j = 0; j < b.n; ++j)
    to[b.nr + j] += local.dot(kin.J_t.col(j));
  if (!m.turns) return;
  const Vector3d local_w = sign * (body.R.transpose() * torque);
  for (int j = 0; j < b.n; ++j)
    to[b.nr + j] += local_w.dot(kin.J_r.col(j));
}

double read(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const auto index = static_cast<std::size_t>(probe.index);
  const auto flex = [&]() -> const FlexModel& {
    return model.flexes[static_cast<std::size_t>(model.bodies[index].flex)];
  };
  const auto modal = [&](const Eigen::VectorXd& x, bool back) {
    const BodyModel& b = model.bodies[index];
    const FlexModel& f = flex();
    const auto xi = x.segment(&x == &ws.q ? b.q0 + 7 : b.v0 + b.nr, b.n);
    if (!back) return f.X.row(probe.component).dot(xi);
    const BackTransformation& way = *f.body->back;
    double sum = 0.0;
    for (Eigen::Index i = 0; i < f.X.rows(); ++i)
      sum += way.V(probe.component, i) * way.alpha(i) * f.X.row(i).dot(xi);
    return sum;
  };
  const auto joint_marker = [&](std::size_t leg) -> const MarkerKinematics& {
    return ws.markers[static_cast<std::size_t>(model.joints[index].legs[leg])];
  };
  switch (probe.what) {
    case What::time:
      return ws.t;
    case What::position:
      return ws.markers[index].p(probe.component);
    case What::orientation: {
      Eigen::Quaterniond q(ws.markers[index].R);
      const double sign = q.w() < 0.0 ? -1.0 : 1.0;
      return sign * (probe.component == 0 ? q.w() : q.vec()(probe.component - 1));
    }
    case What::velocity:
      return ws.markers[index].v(probe.component);
    case What::angular_velocity:
      return ws.markers[index].w(probe.component);
    case What::acceleration:
      return marker_acceleration(model, ws, probe.index)(probe.component);
    case What::angular_acceleration:
      return marker_acceleration(model, ws, probe.index)(3 + probe.component);
    case What::displacement: {
      const MarkerModel& m = model.markers[index];
      return ws.markers[index].r(probe.component) - m.r(probe.component) -
             m.offset(probe.component);
    }
    case What::rotation:
      return ws.markers[index].theta(probe.component);
    case What::xi:
      return ws.q(model.bodies[index].q0 + 7 + probe.component);
    case What::xi_dot:
      return ws.v(model.bodies[index].v0 + model.bodies[index].nr + probe.component);
    case What::xi_ddot:
      return ws.a(model.bodies[index].v0 + model.bodies[index].nr + probe.component);
    case What::zeta:
      return modal(ws.q, false);
    case What::zeta_dot:
      return modal(ws.v, false);
    case What::zeta_ddot:
      return modal(ws.a, false);
    case What::eta:
      return modal(ws.q, true);
    case What::eta_dot:
      return modal(ws.v, true);
    case What::joint_angle:
      return nearest_turn(angle_of(joint_marker(0), joint_marker(1)),
                          ws.turns(model.joints[index].turn));
    case What::joint_displacement:
      return joint_marker(0).R.col(2).dot(joint_marker(1).p - joint_marker(0).p);
    case What::joint_angle_rate:
      return joint_marker(0).R.col(2).dot(joint_marker(1).w - joint_marker(0).w);
    case What::joint_displacement_rate: {
      const MarkerKinematics& a = joint_marker(0);
      const MarkerKinematics& b = joint_marker(1);
      return a.R.col(2).dot(b.v - a.v - a.w.cross(b.p - a.p));
    }
    case What::reaction_force:
      return leg_load(model, ws, probe.index, 1)(probe.component);
    case What::reaction_torque:
      return leg_load(model, ws, probe.index, 1)(3 + probe.component);
    case What::motion_multiplier:
      return -ws.multipliers(model.joints[index].l0);
    case What::force_value:
    case What::force_length:
    case What::force_vector: {
      const PairLoad& load = ws.loads[index];
      return probe.what == What::force_value    ? load.value
             : probe.what == What::force_length ? load.length
                                                : load.force_b(probe.component);
    }
    case What::kinetic_energy:
      return energy(model, ws).kinetic;
    case What::potential_energy: {
      const Energy e = energy(model, ws);
      return e.gravity + e.stored;
    }
    case What::strain_energy:
      return energy(model, ws).strain;
    case What::input_work:
      return ws.work;
    case What::total_energy:
      return energy(model, ws).total();
    case What::constraint_violation:
      return model.nl > 0 ? ws.phi.cwiseAbs().maxCoeff() : 0.0;
  }
  return 0.0;
}

}  // namespace femflex::mbd_solver

// Values of probes and signals, the loads of forces on markers, energies and power.
#include <variant>

#include "spatial/blocks.h"
#include "spatial/equations.h"
#include "spatial/forces/coordinate.h"
#include "spatial/forces/states.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;

double value_of(const Model& model, const Workspace& ws, const Signal& signal) {
  if (signal.is_constant()) return signal.number;
  // number of variables up to which a formula is evaluated without allocation
  constexpr std::size_t kMaxOnStack = 16;
  double values_on_stack[kMaxOnStack] = {};
  if (signal.probes.size() <= kMaxOnStack) {
    values_on_stack[0] = ws.t;
    for (std::size_t k = 1; k < signal.probes.size(); ++k)
      values_on_stack[k] = read(model, ws, signal.probes[k]);
    return signal.function->at(std::span<const double>(values_on_stack, signal.probes.size()));
  }
  std::vector<double> values;
  values.reserve(signal.probes.size());
  for (const Probe& probe : signal.probes)
    values.push_back(read(model, ws, probe));
  return signal.function->at(values);
}

std::array<double, 3> input_jet(const Model& model, const Workspace& ws, int input) {
  const auto index = static_cast<std::size_t>(input);
  if (ws.inputs[index]) return ws.inputs[index]->at(ws.t);
  const Signal& value = model.inputs[index].value;
  if (value.is_constant()) return {value.number, 0.0, 0.0};
  return value.function->time_derivatives(ws.t);
}

std::array<double, 3> motion_jet(const Model& model,
                                 const Workspace& ws,
                                 const MotionModel& motion) {
  if (motion.value.is_constant()) return {motion.value.number, 0.0, 0.0};
  const Value& value = *motion.value.function;
  if (motion.block_output >= 0) {
    const BlockJet jet = block_jet(model, ws, motion.block_output);
    return {value.factor * jet.value + value.offset,
            value.factor * jet.rate,
            value.factor * jet.acceleration};
  }
  if (motion.input < 0) return value.time_derivatives(ws.t);
  std::array<double, 3> jet = input_jet(model, ws, motion.input);
  for (double& each : jet)
    each *= value.factor;
  jet[0] += value.offset;
  return jet;
}

PairLoad load_of(const Model& model,
                 const Workspace& ws,
                 const ForceModel& f,
                 const MarkerKinematics& a,
                 const MarkerKinematics& b) {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.load(model, ws); })
          return law.load(model, ws);
        else
          return load_between(model, ws, law, a, b);
      },
      f.law);
}

bool update_events(const Model& model, const Workspace& ws, Eigen::VectorXd& events) {
  bool any = false;
  for (const ForceModel& f : model.forces)
    std::visit(
        [&](const auto& law) {
          if constexpr (requires { law.occurs(model, ws); }) {
            if (law.event < 0 || events(law.event) != 0.0 || !law.occurs(model, ws)) return;
            events(law.event) = 1.0;
            any = true;
          }
          if constexpr (requires { law.remember(ws, events); })
            any = law.remember(ws, events) || any;
        },
        f.law);
  return any;
}

void add_marker_load(const Model& model,
                     Workspace& ws,
                     int marker,
                     const Vector3d& force,
                     const Vector3d& torque,
                     double sign) {
  const MarkerModel& m = model.markers[static_cast<std::size_t>(marker)];
  const BodyModel& b = model.bodies[static_cast<std::size_t>(m.body)];
  if (b.nr == 0) return;
  const BodyKinematics& body = ws.bodies[static_cast<std::size_t>(m.body)];
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(marker)];
  const Vector3d turn = body.R.transpose() * (torque + (kin.p - body.p).cross(force));
  const double full[6] = {force.x(), force.y(), force.z(), turn.x(), turn.y(), turn.z()};
  double* to = ws.force.data() + b.v0;
  for (int c = 0; c < b.nr; ++c)
    to[c] += sign * full[b.dof[static_cast<std::size_t>(c)]];
  if (!m.on_node) return;
  const Vector3d local = sign * (body.R.transpose() * force);
  for (int j = 0; j < b.n; ++j)
    to[b.nr + j] += local.dot(kin.J_t.col(j));
  if (!m.has_rotation) return;
  const Vector3d local_w = sign * (body.R.transpose() * torque);
  for (int j = 0; j < b.n; ++j)
    to[b.nr + j] += local_w.dot(kin.J_r.col(j));
}

namespace {

/// A position, velocity or acceleration quantity of a marker.
double read_marker(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const MarkerKinematics& kin = ws.markers[static_cast<std::size_t>(probe.index)];
  switch (probe.what) {
    case What::position:
      return kin.p(probe.component);
    case What::orientation: {
      const Eigen::Quaterniond q(kin.R);
      const double sign = q.w() < 0.0 ? -1.0 : 1.0;
      return sign * (probe.component == 0 ? q.w() : q.vec()(probe.component - 1));
    }
    case What::velocity:
      return kin.v(probe.component);
    case What::angular_velocity:
      return kin.w(probe.component);
    case What::acceleration:
      return marker_acceleration(model, ws, probe.index)(probe.component);
    case What::angular_acceleration:
      return marker_acceleration(model, ws, probe.index)(3 + probe.component);
    case What::displacement: {
      const MarkerModel& m = model.markers[static_cast<std::size_t>(probe.index)];
      return kin.r(probe.component) - m.r(probe.component) - m.offset(probe.component);
    }
    default:  // rotation
      return kin.theta(probe.component);
  }
}

/// One coordinate zeta or eta of a body (or its rate), computed from all its coordinates xi (or
/// rates).
double read_mode(const Model& model, const Probe& probe, const double* of_body, bool in_eta) {
  const BodyModel& b = model.bodies[static_cast<std::size_t>(probe.index)];
  const FlexModel& f = model.flexes[static_cast<std::size_t>(b.flex)];
  const Eigen::Map<const Eigen::VectorXd> xi(of_body, b.n);
  if (!in_eta) return f.X.row(probe.component).dot(xi);
  const BackTransformation& back = *f.body->back;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < f.X.rows(); ++i)
    sum += back.V(probe.component, i) * back.alpha(i) * f.X.row(i).dot(xi);
  return sum;
}

/// What disabled modes would add, from the last row.
double read_left_out(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const bool on_marker = probe.what == What::left_out;
  const MarkerModel* marker =
      on_marker ? &model.markers[static_cast<std::size_t>(probe.index)] : nullptr;
  const BodyModel& b =
      model.bodies[static_cast<std::size_t>(on_marker ? marker->body : probe.index)];
  if (b.flex < 0) return 0.0;
  const auto flex = static_cast<std::size_t>(b.flex);
  const LeftOutValues& values = ws.left_out[flex];
  if (probe.what == What::left_out_zeta) return values.zeta(probe.component);
  if (probe.what == What::left_out_energy) return values.energy;
  if (probe.what == What::left_out_share) return values.share;
  if (marker->node < 0) return 0.0;
  return model.flexes[flex].body->shapes.row(6 * marker->node + probe.component).dot(values.zeta);
}

/// A coordinate of a joint, its rate, or its reaction.
double read_joint(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const JointModel& joint = model.joints[static_cast<std::size_t>(probe.index)];
  const MarkerKinematics& a = ws.markers[static_cast<std::size_t>(joint.legs[0])];
  const MarkerKinematics& b = ws.markers[static_cast<std::size_t>(joint.legs[1])];
  switch (probe.what) {
    case What::joint_angle:
      return nearest_turn(coordinate_now(ForceCoordinate::angle, a, b).value,
                          ws.joint_angles(joint.turn));
    case What::joint_displacement:
      return coordinate_now(ForceCoordinate::displacement, a, b).value;
    case What::joint_angle_rate:
      return coordinate_now(ForceCoordinate::angle, a, b).rate;
    case What::joint_displacement_rate:
      return coordinate_now(ForceCoordinate::displacement, a, b).rate;
    case What::joint_angle_acceleration: {
      const Eigen::Vector3d z = a.R.col(2);
      const Eigen::Vector3d turn = marker_acceleration(model, ws, joint.legs[1]).tail<3>() -
                                   marker_acceleration(model, ws, joint.legs[0]).tail<3>();
      return z.dot(turn) + a.w.cross(z).dot(b.w - a.w);
    }
    case What::joint_displacement_acceleration: {
      const Eigen::Vector3d z = a.R.col(2), step = b.p - a.p, turn = a.w.cross(z);
      const Vector6d of_a = marker_acceleration(model, ws, joint.legs[0]);
      const Vector6d of_b = marker_acceleration(model, ws, joint.legs[1]);
      return z.dot(of_b.head<3>() - of_a.head<3>()) + of_a.tail<3>().dot(z.cross(step)) +
             2.0 * turn.dot(b.v - a.v) + a.w.cross(turn).dot(step);
    }
    case What::reaction_force:
      return leg_load(model, ws, probe.index, 1)(probe.component);
    case What::reaction_torque:
      return leg_load(model, ws, probe.index, 1)(3 + probe.component);
    default:  // motion_multiplier
      return -ws.multipliers(joint.l0);
  }
}

double read_force(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const auto index = static_cast<std::size_t>(probe.index);
  switch (probe.what) {
    case What::force_value:
      return ws.loads[index].value;
    case What::force_length:
      return ws.loads[index].length;
    case What::force_state:
      return ws.states(model.forces[index].base().state0 + probe.component);
    case What::wheel:
      return std::get<RollingTyreLaw>(model.forces[index].law)
          .shown(ws, static_cast<RollingTyreLaw::Shown>(probe.component));
    default: {  // force_vector; while friction sticks, multipliers carry it
      const double force = ws.loads[index].force_b(probe.component);
      const LawBase& law = model.forces[index].base();
      const bool sticks =
          law.grip >= 0 && ws.grips && grip_of(ws.events, law.grip) == Grip::sticking;
      return sticks ? force + leg_load(model, ws, law.grip_joint, 1)(probe.component) : force;
    }
  }
}

double read_energy(const Model& model, const Workspace& ws, Probe::What what) {
  using What = Probe::What;
  const Energy e = energy(model, ws);
  switch (what) {
    case What::kinetic_energy:
      return e.kinetic;
    case What::potential_energy:
      return e.gravity + e.stored;
    case What::strain_energy:
      return e.strain;
    default:  // total_energy
      return e.total();
  }
}

}  // namespace

double read(const Model& model, const Workspace& ws, const Probe& probe) {
  using What = Probe::What;
  const auto index = static_cast<std::size_t>(probe.index);
  const auto positions = [&] { return ws.q.data() + model.bodies[index].q0 + 7; };
  const auto rates = [&](const Eigen::VectorXd& x) {
    return x.data() + model.bodies[index].v0 + model.bodies[index].nr;
  };
  switch (probe.what) {
    case What::time:
      return ws.t;
    case What::position:
    case What::orientation:
    case What::velocity:
    case What::angular_velocity:
    case What::acceleration:
    case What::angular_acceleration:
    case What::displacement:
    case What::rotation:
      return read_marker(model, ws, probe);
    case What::xi:
      return positions()[probe.component];
    case What::xi_dot:
      return rates(ws.v)[probe.component];
    case What::xi_ddot:
      return rates(ws.a)[probe.component];
    case What::zeta:
      return read_mode(model, probe, positions(), false);
    case What::zeta_dot:
      return read_mode(model, probe, rates(ws.v), false);
    case What::zeta_ddot:
      return read_mode(model, probe, rates(ws.a), false);
    case What::eta:
      return read_mode(model, probe, positions(), true);
    case What::eta_dot:
      return read_mode(model, probe, rates(ws.v), true);
    case What::sensor: {
      const BodyModel& b = model.bodies[index];
      return b.sensors.row(probe.component)
          .dot(Eigen::Map<const Eigen::VectorXd>(positions(), b.n));
    }
    case What::left_out:
    case What::left_out_zeta:
    case What::left_out_energy:
    case What::left_out_share:
      return read_left_out(model, ws, probe);
    case What::joint_angle:
    case What::joint_displacement:
    case What::joint_angle_rate:
    case What::joint_displacement_rate:
    case What::joint_angle_acceleration:
    case What::joint_displacement_acceleration:
    case What::reaction_force:
    case What::reaction_torque:
    case What::motion_multiplier:
      return read_joint(model, ws, probe);
    case What::force_value:
    case What::force_length:
    case What::force_state:
    case What::wheel:
    case What::force_vector:
      return read_force(model, ws, probe);
    case What::block_output:
      return ws.block_outputs(probe.index);
    case What::block_state:
      return ws.states(model.network.blocks[index].state0 + probe.component);
    case What::kinetic_energy:
    case What::potential_energy:
    case What::strain_energy:
    case What::total_energy:
      return read_energy(model, ws, probe.what);
    case What::input_work:
      return ws.work;
    case What::input:
      return input_jet(model, ws, probe.index)[0];
    case What::constraint_violation:
      return model.nl > 0 ? ws.phi.cwiseAbs().maxCoeff() : 0.0;
  }
  return 0.0;
}

void read_row(const Model& model, const Workspace& ws, std::span<double> row) {
  for (std::size_t k = 0; k < row.size(); ++k)
    row[k] = read(model, ws, model.outputs.probes[k]);
}

Eigen::VectorXd read_row(const Model& model, const Workspace& ws) {
  Eigen::VectorXd row(static_cast<Eigen::Index>(model.outputs.probes.size()));
  read_row(model, ws, {row.data(), model.outputs.probes.size()});
  return row;
}

}  // namespace femflex::mbd_solver

// Writes and reads the resources of an FMU: the fields of systems, bodies, states and variables, in
// the order of the file. To add a field, add it to the list of its type.
#include "fmu/fmu_model.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/version.h"

#include "fmu/archive.h"
#include "fmu/curve_fields.h"
#include "fmu/wheel_fields.h"

namespace femflex::fmu {
namespace {

using namespace mbd_solver;  // the names below are types of the solver

constexpr std::uint64_t kModelMark = 0x554d46584c464d46;     // "FMFLXFMU"
constexpr std::uint64_t kSnapshotMark = 0x50414e5358464d46;  // "FMFXSNAP"

}  // namespace

// --- formulas, curves, values -------------------------------------------------------------------
template <class A>
void field(A& a, std::optional<laws::Formula>& x) {
  bool has = x.has_value();
  field(a, has);
  std::string text;
  std::vector<std::string> variables;
  std::map<std::string, double> constants;
  if (!A::kReads && has) {
    text = x->text();
    variables = x->variables();
    constants = {x->constants().begin(), x->constants().end()};
  }
  if (!has) {
    x.reset();
    return;
  }
  fields(a, text, variables, constants);
  if constexpr (A::kReads)
    x.emplace(text, variables, laws::Formula::Constants(constants.begin(), constants.end()));
}

template <class A>
void field(A& a, Value& x) {
  auto index = static_cast<std::uint8_t>(x.f.index());
  field(a, index);
  if (index == 0) {
    double number = A::kReads ? 0.0 : std::get<double>(x.f);
    field(a, number);
    x.f = number;
  } else if (index == 1) {
    std::optional<laws::Formula> formula;
    if constexpr (!A::kReads) formula = std::get<laws::Formula>(x.f);
    field(a, formula);
    if (!formula) Reader::fail();
    x.f = *formula;
  } else if (index == 2) {
    laws::Curve curve;
    if constexpr (!A::kReads) curve = std::get<laws::Curve>(x.f);
    field(a, curve);
    x.f = curve;
  } else {
    Reader::fail();
  }
  fields(a, x.factor, x.offset, x.source, x.from, x.until);
}

template <class A>
void field(A& a, Table& x) {
  fields(a, x.x, x.y, x.interpolation);
}
template <class A>
void field(A& a, InputPath& x) {
  fields(a, x.start, x.c);
}

// --- bodies -------------------------------------------------------------------------------------
template <class A>
void field(A& a, Marker& x) {
  fields(a, x.position, x.orientation, x.node, x.has_axes);
}
template <class A>
void field(A& a, RigidInertia& x) {
  fields(a, x.mass, x.com, x.inertia);
}
template <class A>
void field(A& a, PointMass& x) {
  fields(a, x.mass);
}
template <class A>
void field(A& a, Damping& x) {
  fields(a, x.kind, x.ratios, x.rayleigh_mass, x.rayleigh_stiffness, x.matrix);
}
template <class A>
void field(A& a, BodyNode& x) {
  fields(a, x.id, x.position);
}
template <class A>
void field(A& a, BodyMode& x) {
  fields(a, x.kind, x.eigenvalue, x.damping_ratio, x.enabled);
}
template <class A>
void field(A& a, GeometricStiffness& x) {
  fields(a, x.cause, x.node, x.component, x.stiffness);
}
template <class A>
void field(A& a, BackTransformation& x) {
  fields(a, x.V, x.alpha);  // the chosen shapes serve only for pictures
}
template <class A>
void field(A& a, InertiaInvariants& x) {
  fields(a, x.mass, x.first_moment, x.translation, x.rotation, x.translation_rate);
  fields(a, x.modal, x.inertia, x.inertia_rate, x.inertia_curvature);
}
template <class A>
void field(A& a, FlexBody& x) {
  fields(a, x.name, x.nodes, x.shapes, x.modes, x.mass, x.stiffness, x.damping, x.geometric);
  fields(a, x.invariants, x.interface_nodes, x.back, x.initial_zeta, x.initial_zeta_dot);
}
template <class A>
void field(A& a, Flexible& x) {
  FlexBody body;
  if constexpr (!A::kReads) body = *x.body;
  field(a, body);
  if constexpr (A::kReads) x.body = std::make_shared<const FlexBody>(std::move(body));
  fields(a, x.enabled, x.invariants.on, x.damping, x.geometric_stiffness, x.zeta, x.zeta_dot);
}
template <class A>
void field(A& a, BodySensor& x) {
  fields(a, x.name, x.quantity, x.unit, x.rows);
}
template <class A>
void field(A& a, Body& x) {
  fields(a, x.name, x.kind, x.position, x.orientation, x.velocity, x.angular_velocity);
  fields(a, x.initial_fixed, x.markers, x.sensors);
}

// --- joints, motions, inputs --------------------------------------------------------------------
template <class A>
void field(A& a, JointStart& x) {
  fields(a, x.angle, x.angle_rate, x.displacement, x.displacement_rate);
}
template <class A>
void field(A& a, Joint& x) {
  fields(a, x.name, x.type, x.a, x.b, x.at, x.axis, x.axis_b, x.length, x.pitch);
  fields(a, x.joint_a, x.joint_b, x.ratio, x.joint_c, x.ratio_c, x.initial);
}
template <class A>
void field(A& a, Motion& x) {
  fields(a, x.name, x.coordinate, x.joint, x.on, x.value);
}
template <class A>
void field(A& a, Input& x) {
  fields(a, x.name, x.unit, x.description, x.value, x.is_parameter, x.min, x.max);
}

// --- blocks of control --------------------------------------------------------------------------
template <class A>
void field(A& a, LinearBlock& x) {
  fields(a, x.A, x.B, x.C, x.D, x.initial);
}
template <class A>
void field(A& a, PidBlock& x) {
  fields(a, x.proportional, x.integral, x.derivative, x.filter, x.min, x.max, x.tracking_time);
  fields(a, x.initial);
}
template <class A>
void field(A& a, TableBlock& x) {
  fields(a, x.curve);
}
template <class A>
void field(A& a, SurfaceBlock& x) {
  fields(a, x.x, x.y, x.z);
}
template <class A>
void field(A& a, RelayBlock& x) {
  fields(a, x.on, x.off, x.low, x.high, x.is_high);
}
template <class A>
void field(A& a, PathBlock& x) {
  fields(a, x.x, x.y, x.is_closed);
}
template <class A>
void field(A& a, PlayBlock& x) {
  fields(a, x.width, x.initial);
}
template <class A>
void field(A& a, SampleBlock& x) {
  fields(a, x.period, x.offset, x.delay, x.initial);
}
template <class A>
void field(A& /*a*/, GuestBlock& x) {
  throw UsageError(
      "fmu-in-fmu",
      fmt::format("the system holds the FMU {}, and an FMU for co-simulation cannot hold another",
                  x.file),
      {},
      "couple the two in the program that runs them, or export --kind model-exchange, which takes "
      "its linear model");
}
template <class A>
void field(A& a, Block& x) {
  fields(a, x.name, x.unit, x.inputs, x.law, x.output_names, x.output_units);
}

// --- forces -------------------------------------------------------------------------------------
template <class A>
void field(A& a, DampingGrowth& x) {
  fields(a, x.by_speed, x.by_square);
}
template <class A>
void field(A& a, laws::RubberFriction& x) {
  fields(a, x.level, x.half_way);
}
template <class A>
void field(A& a, laws::FrictionLevel& x) {
  fields(a, x.sliding, x.sticking, x.stribeck_velocity, x.viscous);
}
template <class A>
void field(A& a, laws::Bristles& x) {
  fields(a, x.stiffness, x.damping, x.exponent);
}
template <class A>
void field(A& a, Road& x) {
  fields(a, x.kind, x.height, x.profile, x.iso_class, x.seed, x.length);
}
template <class A>
void field(A& a, Force& x) {
  fields(a, x.name, x.law);
}

// --- the whole ----------------------------------------------------------------------------------
template <class A>
void field(A& a, System& x) {
  fields(a, x.name, x.planar, x.gravity, x.bodies, x.ground_markers, x.joints, x.motions, x.forces);
  fields(a, x.blocks, x.inputs, x.outputs);
}
template <class A>
void field(A& a, DynamicOptions& x) {
  fields(a, x.start, x.end, x.output_step, x.integrator, x.rho, x.step, x.adaptive, x.max_step);
  fields(a, x.min_step, x.relative_tolerance, x.absolute_tolerance, x.max_newton, x.max_order);
  fields(a, x.newton_tolerance, x.baumgarte, x.assemble);
}
template <class A>
void field(A& a, StaticOptions& x) {
  fields(a, x.time, x.max_iterations, x.tolerance, x.assemble);
}
template <class A>
void field(A& a, StepMemory& x) {
  fields(a, x.step, x.acceleration_before, x.multipliers_before, x.correction, x.power, x.rate);
  fields(a, x.matrix_step, x.matrix_time, x.matrix_position, x.matrix_velocity, x.matrix_turns);
  fields(a, x.matrix_states);
}
template <class A>
void field(A& a, State& x) {
  fields(a, x.time, x.position, x.velocity, x.acceleration, x.algorithmic_acceleration);
  fields(a, x.multipliers, x.joint_angles, x.events, x.force_states, x.force_state_rates);
  fields(a, x.algorithmic_rates, x.guests, x.work, x.memory);
}
template <class A>
void field(A& a, Variable& x) {
  fields(a, x.name, x.unit, x.description, x.role, x.index, x.start, x.nominal, x.min, x.max);
}
template <class A>
void field(A& a, LinearModel& x) {
  fields(a, x.A, x.B, x.C, x.D, x.u0, x.y0, x.rates0);
}
template <class A>
void field(A& a, FmuModel& x) {
  fields(a, x.token, x.is_linear, x.variables, x.start, x.stop);
  if (x.is_linear)
    field(a, x.linear);
  else
    fields(a, x.system, x.options, x.statics);
}
template <class A>
void field(A& a, Snapshot& x) {
  fields(a, x.time, x.start, x.stop, x.inputs, x.rates, x.states, x.paths, x.state, x.phase);
  field(a, x.is_in_events);
}

namespace {

template <class T>
std::string written(const T& value, std::uint64_t mark, std::string token) {
  Writer writer;
  std::string version(kVersion);
  fields(writer, mark, version, token);
  T copy = value;  // the same list of fields writes and reads, so it takes its argument by
                   // reference
  field(writer, copy);
  field(writer, mark);
  return writer.take();
}

template <class T>
T read_back(std::string_view bytes, std::uint64_t mark, const std::string* token) {
  Reader reader(bytes);
  std::uint64_t first = 0, last = 0;
  std::string version, owner;
  fields(reader, first, version);
  if (first != mark || version != kVersion)
    throw ParseError("fmu-resource", "the bytes are not those of this version of femflex");
  field(reader, owner);
  if (token != nullptr && owner != *token)
    throw ParseError("fmu-state", "the state belongs to another model");
  T out;
  field(reader, out);
  field(reader, last);
  if (last != mark || !reader.is_empty()) Reader::fail();
  return out;
}

}  // namespace

std::string to_bytes(const FmuModel& model) {
  return written(model, kModelMark, model.token);
}
FmuModel from_bytes(std::string_view bytes) {
  return read_back<FmuModel>(bytes, kModelMark, nullptr);
}
std::string to_bytes(const Snapshot& snapshot, const std::string& token) {
  return written(snapshot, kSnapshotMark, token);
}
Snapshot snapshot_from(std::string_view bytes, const std::string& token) {
  return read_back<Snapshot>(bytes, kSnapshotMark, &token);
}

}  // namespace femflex::fmu

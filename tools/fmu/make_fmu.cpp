// Makes the variables and resources of an FMU from a system or from a flexible body with a fixed
// frame.
#include "fmu/make_fmu.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include <dlfcn.h>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/mbd_solver/results.h"
#include "femflex/mbd_solver/time_driven.h"

#include "document/nearest_name.h"

namespace femflex::fmu {
namespace {

using namespace mbd_solver;  // the names below are types of the solver
using Role = Variable::Role;

constexpr double kDefaultStop = 1.0;  // [s] stop time for a system without a dynamic analysis

/// The first dynamic analysis, and a static analysis before it.
struct Plan {
  const tools::Analysis* dynamic = nullptr;
  const tools::Analysis* statics = nullptr;
};

Plan plan_of(const tools::SystemDocument& document) {
  Plan plan;
  for (const tools::Analysis& each : document.analyses) {
    if (each.type == tools::Analysis::Type::static_) plan.statics = &each;
    if (each.type != tools::Analysis::Type::dynamic) continue;
    plan.dynamic = &each;
    break;
  }
  return plan;
}

void check_name(const std::string& name) {
  for (const char each : name)
    if (static_cast<unsigned char>(each) < ' ')
      throw UsageError("fmu-name",
                       fmt::format("'{}' holds a character that no name may have", name));
}

/// The independent variable and the inputs.
std::vector<Variable> inputs_of(const System& system, double start) {
  std::vector<Variable> out;
  out.push_back({.name = "time", .unit = "s", .role = Role::time});
  for (std::size_t k = 0; k < system.inputs.size(); ++k) {
    const Input& input = system.inputs[k];
    check_name(input.name);
    Variable each{.name = input.name, .unit = input.unit, .description = input.description};
    each.role = input.is_parameter ? Role::parameter : Role::input;
    each.index = static_cast<std::uint32_t>(k);
    each.start = input.value.at({&start, 1});
    each.min = input.min;
    each.max = input.max;
    out.push_back(std::move(each));
  }
  return out;
}

/// Adds the channels as outputs, except channels with the name of an input.
void add_outputs(const std::vector<Channel>& channels, std::vector<Variable>& variables) {
  std::set<std::string> names;
  for (const Variable& each : variables)
    names.insert(each.name);
  for (std::size_t k = 0; k < channels.size(); ++k) {
    check_name(channels[k].name);
    if (!names.insert(channels[k].name).second) continue;
    Variable each{.name = channels[k].name, .unit = channels[k].unit};
    each.role = Role::output;
    each.index = static_cast<std::uint32_t>(k);
    variables.push_back(std::move(each));
  }
}

/// Names of the states that no input or output has: a channel may show the state of a block.
std::vector<std::string> names_of_states(std::vector<std::string> states,
                                         const std::vector<Variable>& variables) {
  for (std::string& name : states)
    if (std::any_of(variables.begin(), variables.end(), [&](const Variable& each) {
          return each.name == name;
        }))
      name = fmt::format("state({})", name);
  return states;
}

/// A token that differs between different models.
std::string token_of(FmuModel model) {
  model.token.clear();
  const std::string hash = io::sha256_of(to_bytes(model));
  return fmt::format("{}-{}-{}-{}-{}",
                     hash.substr(0, 8),
                     hash.substr(8, 4),
                     hash.substr(12, 4),
                     hash.substr(16, 4),
                     hash.substr(20, 12));
}

void set_times(const Plan& plan, FmuModel& model) {
  if (plan.dynamic != nullptr) model.options = plan.dynamic->dynamic;
  model.start = plan.dynamic == nullptr ? 0.0 : model.options.start;
  model.stop = plan.dynamic == nullptr ? kDefaultStop : model.options.end;
}

/// The state about which a model is linearised.
State working_point(const System& system,
                    const Plan& plan,
                    Diagnostics& diagnostics,
                    Progress& progress) {
  if (plan.statics == nullptr) {
    AssemblyReport report;
    return assemble(system, report, diagnostics);
  }
  Results rows;
  const StaticSummary found =
      solve_statics(system, plan.statics->statics, rows, diagnostics, progress);
  if (!found.converged)
    throw NumericalError("no-equilibrium", fmt::format("statics: {}", found.reason));
  return found.state;
}

/// @throws ModelError  something changes with time by itself
void refuse_time(const System& system) {
  const std::vector<TimeDriven> driven = time_driven(system);
  if (driven.empty()) return;
  throw ModelError("time-driven",
                   fmt::format("{} {} with time, which the linear model of model exchange cannot "
                               "contain",
                               text_of(driven),
                               driven.size() == 1 ? "changes" : "change"),
                   {},
                   "let the formula read one of the system's \"inputs\", which the importer then "
                   "drives, or export --kind co-simulation");
}

/// Parameters that a linear model cannot follow become constants, with a warning.
void fix_parameters(const LinearSystem& space,
                    std::vector<Variable>& variables,
                    Diagnostics& diagnostics) {
  for (Variable& each : variables) {
    if (each.role != Role::parameter || space.effects[each.index] == InputEffect::load) continue;
    each.role = Role::constant;
    diagnostics.warn("fixed-parameter",
                     fmt::format("parameter {} changes more than loads, which a linear model "
                                 "cannot follow: the FMU keeps it at {:.6g}{}; export again with "
                                 "another value, or for co-simulation",
                                 each.name,
                                 each.start,
                                 each.unit.empty() ? "" : " " + each.unit));
  }
}

}  // namespace

void add_loads(const std::vector<std::string>& loads, System& system) {
  constexpr std::string_view kAxes = "xyz";
  for (const std::string& load : loads) {
    const std::size_t last = load.rfind('/');
    const std::size_t before =
        last == std::string::npos || last == 0 ? std::string::npos : load.rfind('/', last - 1);
    const std::string tail = last == std::string::npos ? "" : load.substr(last + 1);
    std::string force = "load of " + load;  // names of forces have no '/'
    std::replace(force.begin(), force.end(), '/', '.');
    if (last != std::string::npos && tail == "torque") {
      TorsionalSpring spring{.joint = load.substr(0, last)};
      spring.torque = Value("[" + load + "]");
      system.forces.push_back({force, spring});
      system.inputs.push_back({.name = load, .unit = "N m", .value = 0.0});
      continue;
    }
    const std::string kind =
        before == std::string::npos ? "" : load.substr(before + 1, last - before - 1);
    const std::size_t axis = tail.size() == 1 ? kAxes.find(tail[0]) : std::string_view::npos;
    if (axis == std::string_view::npos || (kind != "force" && kind != "torque"))
      throw UsageError("usage",
                       fmt::format("--loads: '{}' is not of the form PLACE/force/x, "
                                   "PLACE/torque/x or JOINT/torque",
                                   load));
    const std::string place = load.substr(0, before);
    Value3 value = {Value(0.0), Value(0.0), Value(0.0)};
    value[axis] = Value("[" + load + "]");
    if (kind == "force")
      system.forces.push_back({force, PointForce{.on = place, .value = value}});
    else
      system.forces.push_back({force, PointTorque{.on = place, .value = value}});
    system.inputs.push_back({.name = load, .unit = kind == "force" ? "N" : "N m", .value = 0.0});
  }
}

System held_body(const FlexBody& body, const std::string& name) {
  System system;
  system.name = name;
  Body part;
  part.name = "body";
  part.kind = Flexible{.body = std::make_shared<const FlexBody>(body)};
  system.bodies.push_back(std::move(part));
  Joint held;
  held.name = "held";
  held.a = "ground";
  held.b = "body";
  system.joints.push_back(std::move(held));
  std::vector<std::string> loads;
  for (const std::int64_t node : body.interface_nodes) {
    const std::string place = fmt::format("body/{}", node);
    for (const char* kind : {"force", "torque"})
      for (const char* axis : {"x", "y", "z"})
        loads.push_back(fmt::format("{}/{}/{}", place, kind, axis));
    for (const char* quantity :
         {"displacement", "rotation", "velocity", "angular_velocity", "acceleration"})
      system.outputs.push_back(fmt::format("{}/{}", place, quantity));
  }
  add_loads(loads, system);
  return system;
}

FmuModel co_simulation_of(const tools::SystemDocument& document) {
  const Plan plan = plan_of(document);
  FmuModel model;
  set_times(plan, model);
  model.system = document.system;
  if (plan.statics != nullptr) model.statics = plan.statics->statics;
  model.variables = inputs_of(model.system, model.start);
  for (std::size_t k = 0; k < model.system.inputs.size(); ++k) {
    model.system.inputs[k].value = model.variables[k + 1].start;
  }
  add_outputs(channels_of(model.system), model.variables);
  model.token = token_of(model);
  return model;
}

LinearSystem state_space_of(const tools::SystemDocument& document,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  const State state = working_point(document.system, plan_of(document), diagnostics, progress);
  if (!state.velocity.isZero(0.0))
    throw ModelError("not-at-rest",
                     "the system moves, and A, B, C, D are those about a state at rest",
                     {},
                     "begin at rest, or about the equilibrium");
  std::vector<std::string> names;
  for (const Input& input : document.system.inputs)
    names.push_back(input.name);
  return linear_system(document.system, state, names, diagnostics);
}

FmuModel model_exchange_of(const tools::SystemDocument& document,
                           Diagnostics& diagnostics,
                           Progress& progress) {
  FmuModel model;
  model.is_linear = true;
  set_times(plan_of(document), model);
  refuse_time(document.system);
  const LinearSystem space = state_space_of(document, diagnostics, progress);
  warn_of_movers(space,
                 "the linear model moves so from its start, and holds near this state alone",
                 diagnostics);
  model.variables = inputs_of(document.system, model.start);
  for (Variable& each : model.variables)
    if (each.role != Role::time) each.start = space.u0(static_cast<Eigen::Index>(each.index));
  fix_parameters(space, model.variables, diagnostics);
  add_outputs(space.outputs, model.variables);
  const std::vector<std::string> states = names_of_states(space.states, model.variables);
  for (std::size_t k = 0; k < states.size(); ++k)
    model.variables.push_back(
        {.name = states[k], .role = Role::state, .index = static_cast<std::uint32_t>(k)});
  for (std::size_t k = 0; k < states.size(); ++k)
    model.variables.push_back({.name = fmt::format("der({})", states[k]),
                               .role = Role::derivative,
                               .index = static_cast<std::uint32_t>(k)});
  model.linear = {space.A, space.B, space.C, space.D, space.u0, space.y0, space.rates0};
  model.token = token_of(model);
  return model;
}

std::filesystem::path fmu_library() {
  constexpr const char* kPlace = "lib/femflex/femflex_fmu.so";
  std::vector<std::filesystem::path> folders;
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  folders.push_back(program.parent_path().parent_path());
  Dl_info info{};  // of the file that contains this function, possibly the Python module
  if (dladdr(reinterpret_cast<const void*>(&fmu_library), &info) != 0 &&
      info.dli_fname != nullptr) {
    std::filesystem::path folder = std::filesystem::absolute(info.dli_fname, ignored);
    while (folder.has_relative_path()) {
      folder = folder.parent_path();
      folders.push_back(folder);
    }
  }
  for (const std::filesystem::path& folder : folders)
    if (std::filesystem::exists(folder / kPlace, ignored)) return folder / kPlace;
  throw UsageError("no-fmu-library",
                   fmt::format("'{}' is not beside the program", kPlace),
                   {},
                   "build the target femflex_fmu, or install it with the program");
}

}  // namespace femflex::fmu

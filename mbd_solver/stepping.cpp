// Implements Stepping: an integrator is advanced on request. Switches of loads are searched in one
// time window after the other.
#include "femflex/mbd_solver/stepping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/engine.h"
#include "integrators/integrator.h"
#include "integrators/run_start.h"
#include "integrators/switches.h"

namespace femflex::mbd_solver {

namespace {

// step of fourth-order differences by an input, relative to the larger of 1 and its magnitude; the
// truncation error is about the fourth power, 1e-12
constexpr double kInputStep = 1e-3;

}  // namespace

struct Stepping::Impl {
  Impl(const System& system, const DynamicOptions& given, Diagnostics& diagnostics, double length)
      : model(compile(system, diagnostics)),
        engine(std::make_unique<Engine>(model)),
        row(model.outputs.probes.size()),
        origin(given.start),
        window(length) {
    check_options(given);
    has_variable_friction =
        std::any_of(model.forces.begin(), model.forces.end(), [](const ForceModel& force) {
          const auto* friction = std::get_if<FrictionLaw>(&force.law);
          return friction != nullptr && !friction->sliding.is_constant();
        });
    AssemblyReport report;
    now = first_state(*engine, system, given, report, diagnostics);
    options = bounded_options(*engine, given);
    // a state without step memory may come from a changed system, whose accelerations differ
    if (given.restart && given.restart->algorithmic_acceleration.size() == 0) find_rates();
    find_switches();
    begin();
  }

  /// Finds the switches in the window that contains `now`.
  void find_switches() {
    const double passed = std::max(0.0, std::floor((now.time - origin) / window));
    const double first = origin + passed * window;
    if (switches && first == window_start) return;
    window_start = first;
    switches.emplace(
        model, window_start, window_start + window, load_switches_of(options.integrator, model));
  }
  double window_end() const { return window_start + window; }

  /// Starts an integrator at `now`.
  void begin() {
    integrator = make_integrator(*engine, options);
    integrator->stop_at(switches->first_stop(now.time));
    integrator->set_work(now.work);
    integrator->start(now);
    is_looked_at = false;
  }

  void store() {
    integrator->store(now);
    now.work = integrator->work();
  }

  bool advance(double time) {
    is_looked_at = false;
    while (time > window_end()) {
      if (!switches->advance(*engine, *integrator, now, window_end())) return false;
      store();
      find_switches();
      begin();
    }
    if (!switches->advance(*engine, *integrator, now, time)) return false;
    if (!has_variable_friction) return true;
    look();
    wrong = negative_friction(model, engine->ws);
    if (wrong.empty()) return true;
    wrong += fmt::format("; {}", kFrictionRemedy);
    return false;
  }

  /// Computes the accelerations and multipliers at `now`.
  void find_rates() {
    engine->ws.set_memory(now);
    engine->set_position(now.time, now.position);
    engine->set_velocity(now.velocity);
    if (!engine->accelerations(now.acceleration, now.multipliers)) engine->throw_failure();
  }

  void look() {
    if (is_looked_at) return;
    engine->set_all(now);
    engine->ws.work = integrator->work();
    is_looked_at = true;
  }

  /// The channels at `now`, with accelerations for the inputs of `other`.
  Eigen::VectorXd row_of(Engine& other) const {
    State at = now;
    other.ws.set_memory(at);
    other.set_position(at.time, at.position);
    other.set_velocity(at.velocity);
    if (!other.accelerations(at.acceleration, at.multipliers)) other.throw_failure();
    other.set_all(at);
    return read_row(model, other.ws);
  }

  Model model;
  std::unique_ptr<Engine> engine;
  DynamicOptions options;
  State now;
  std::optional<Switches> switches;
  std::unique_ptr<TimeIntegrator> integrator;
  std::vector<double> row;
  double origin, window, window_start = 0.0;  // [s]
  std::string wrong;                          // why the state makes no sense; empty: it does
  bool has_variable_friction = false;         // a friction level is a formula
  bool is_looked_at = false;                  // true: the engine holds all quantities at `now`
};

Stepping::Stepping(const System& system,
                   const DynamicOptions& options,
                   Diagnostics& diagnostics,
                   double window)
    : impl_(std::make_unique<Impl>(system, options, diagnostics, window)) {}
Stepping::~Stepping() = default;

bool Stepping::advance(double time) {
  return impl_->advance(time);
}
const std::string& Stepping::failure() const {
  return impl_->wrong.empty() ? impl_->switches->reason() : impl_->wrong;
}
double Stepping::time() const {
  return impl_->now.time;
}
double Stepping::next_switch() const {
  const double next = impl_->switches->next_after(impl_->now.time);
  return next > impl_->window_end() ? std::numeric_limits<double>::infinity() : next;
}
State Stepping::state() const {
  State out = impl_->now;
  impl_->integrator->store(out);
  impl_->engine->guests.store(out);
  out.work = impl_->integrator->work();
  return out;
}
const std::vector<Channel>& Stepping::channels() const {
  return impl_->model.outputs.channels;
}
const std::vector<double>& Stepping::row() {
  impl_->look();
  read_row(impl_->model, impl_->engine->ws, impl_->row);
  return impl_->row;
}
EnergyAccount Stepping::energy() {
  impl_->look();
  const Energy now = mbd_solver::energy(impl_->model, impl_->engine->ws);
  return {now.kinetic, now.gravity + now.strain + now.stored, impl_->integrator->work()};
}

void Stepping::set_inputs(const std::vector<InputPath>& paths) {
  std::vector<std::optional<InputPath>>& held = impl_->engine->ws.inputs;
  const std::vector<InputPath> before = inputs();
  const double t = impl_->now.time;
  bool changes = false, jumps = false, stiffens = false;
  for (std::size_t k = 0; k < held.size(); ++k) {
    jumps = jumps || before[k].at(t)[0] != paths[k].at(t)[0];
    if (held[k] && *held[k] == paths[k]) continue;
    changes = true;
    stiffens = stiffens || impl_->model.inputs[k].stiffens;
    held[k] = paths[k];
  }
  impl_->is_looked_at = false;
  if (!changes) return;
  const bool is_alpha = impl_->options.integrator == Integrator::generalised_alpha;
  if (!is_alpha || (jumps && !impl_->engine->is_quasi_static)) {
    // a jump of a load makes accelerations jump; stored ones would apply it too late by part of a
    // step
    forget_steps();
  } else if (stiffens) {  // the kept matrix was built with other input values
    impl_->store();
    impl_->now.memory.matrix_step = 0.0;
    impl_->begin();
  }
}

std::vector<InputPath> Stepping::inputs() const {
  const Workspace& ws = impl_->engine->ws;
  std::vector<InputPath> out;
  for (std::size_t k = 0; k < ws.inputs.size(); ++k) {
    if (ws.inputs[k]) {
      out.push_back(*ws.inputs[k]);
      continue;
    }
    const Signal& value = impl_->model.inputs[k].value;
    const double now =
        value.is_constant() ? value.number : value.function->at({&impl_->now.time, 1});
    out.push_back({impl_->now.time, {now, 0.0, 0.0, 0.0}});
  }
  return out;
}

bool Stepping::is_followed_by_motion(std::size_t input) const {
  return impl_->model.inputs[input].moves;
}

void Stepping::forget_steps() {
  impl_->store();
  impl_->now.algorithmic_acceleration.resize(0);
  impl_->now.memory = {};
  impl_->find_rates();
  impl_->begin();
}

void Stepping::restore(const State& state, const std::vector<InputPath>& paths) {
  Impl& impl = *impl_;
  auto engine = std::make_unique<Engine>(impl.model);
  engine->ws.inputs.assign(paths.begin(), paths.end());
  State now = resumed_state(*engine, state);
  impl.integrator.reset();  // the integrator refers to the old engine
  impl.engine = std::move(engine);
  impl.now = std::move(now);
  impl.find_switches();
  impl.begin();
}

Eigen::MatrixXd Stepping::input_derivatives(const std::vector<InputPath>& held) const {
  const Impl& impl = *impl_;
  Engine other(impl.model);
  other.is_quasi_static = impl.engine->is_quasi_static;
  const auto count = static_cast<Eigen::Index>(impl.model.inputs.size());
  Eigen::MatrixXd out(static_cast<Eigen::Index>(impl.model.outputs.probes.size()), count);
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto index = static_cast<std::size_t>(k);
    const double size = std::abs(held[index].at(impl.now.time)[0]);
    const double h = kInputStep * std::max(1.0, size);
    const auto moved = [&](double by) {
      other.ws.inputs.assign(held.begin(), held.end());
      other.ws.inputs[index]->c[0] += by;
      return impl.row_of(other);
    };
    out.col(k) = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
  }
  return out;
}

void Stepping::move_end_b(std::string_view force, const Eigen::Vector3d& p_WP) {
  for (const ForceModel& each : impl_->model.forces) {
    const auto* spring = std::get_if<SpringLaw>(&each.law);
    if (each.name != force || spring == nullptr) continue;
    const auto marker = static_cast<std::size_t>(spring->b);
    if (impl_->model.markers[marker].body != impl_->model.ground()) break;
    impl_->model.markers[marker].r = p_WP;
    impl_->engine->ws.markers[marker].r = p_WP;
    impl_->is_looked_at = false;
    if (impl_->options.integrator == Integrator::generalised_alpha) return;
    // these methods keep rates, which have jumped with the force
    forget_steps();
    return;
  }
  throw UsageError("no-such-end",
                   fmt::format("'{}' is no spring with its end b on the ground", force));
}

}  // namespace femflex::mbd_solver

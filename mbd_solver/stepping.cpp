// Simulations that their caller drives: docs/theory/multibody.md.
#include "femflex/mbd_solver/stepping.h"

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

struct Stepping::Impl {
  Impl(const System& system, const DynamicOptions& given, Diagnostics& diagnostics)
      : model(compile(system, diagnostics)), engine(model), row(model.outputs.probes.size()) {
    check_options(given);
    AssemblyReport report;
    now = first_state(engine, system, given, report, diagnostics);
    options = bounded_options(engine, given);
    // a state that keeps no steps may be that of a changed system, with other accelerations
    if (given.restart && given.restart->algorithmic_acceleration.size() == 0) find_rates();
    // any further than this, and times lose their last digits of a step
    constexpr double kForever = 1e9;  // [s]
    switches.emplace(model,
                     now.time,
                     kForever,
                     options.integrator != Integrator::generalised_alpha || model.grip_count > 0);
    integrator = make_integrator(engine, options);
    integrator->stop_at(switches->first_stop(now.time));
    integrator->set_work(now.work);
    integrator->start(now);
  }

  /// Computes what explicit and multistep methods keep at `now`.
  void find_rates() {
    engine.ws.set_memory(now);
    engine.set_position(now.time, now.position);
    engine.set_velocity(now.velocity);
    if (!engine.accelerations(now.acceleration, now.multipliers)) engine.throw_failure();
  }

  void look() {
    if (is_looked_at) return;
    engine.set_all(now);
    engine.ws.work = integrator->work();
    is_looked_at = true;
  }

  Model model;
  Engine engine;
  DynamicOptions options;
  State now;
  std::optional<Switches> switches;
  std::unique_ptr<TimeIntegrator> integrator;
  std::vector<double> row;
  bool is_looked_at = false;  // the engine holds all quantities at `now`
};

Stepping::Stepping(const System& system, const DynamicOptions& options, Diagnostics& diagnostics)
    : impl_(std::make_unique<Impl>(system, options, diagnostics)) {}
Stepping::~Stepping() = default;

bool Stepping::advance(double time) {
  impl_->is_looked_at = false;
  return impl_->switches->advance(impl_->engine, *impl_->integrator, impl_->now, time);
}
const std::string& Stepping::failure() const {
  return impl_->switches->reason();
}
double Stepping::time() const {
  return impl_->now.time;
}
State Stepping::state() const {
  State out = impl_->now;
  impl_->integrator->store(out);
  out.work = impl_->integrator->work();
  return out;
}
const std::vector<Channel>& Stepping::channels() const {
  return impl_->model.outputs.channels;
}
const std::vector<double>& Stepping::row() {
  impl_->look();
  for (std::size_t k = 0; k < impl_->row.size(); ++k)
    impl_->row[k] = read(impl_->model, impl_->engine.ws, impl_->model.outputs.probes[k]);
  return impl_->row;
}
EnergyAccount Stepping::energy() {
  impl_->look();
  const Energy now = mbd_solver::energy(impl_->model, impl_->engine.ws);
  return {now.kinetic, now.gravity + now.strain + now.stored, impl_->integrator->work()};
}

void Stepping::move_end_b(std::string_view force, const Eigen::Vector3d& p_WP) {
  for (const ForceModel& each : impl_->model.forces) {
    const auto* spring = std::get_if<SpringLaw>(&each.law);
    if (each.name != force || spring == nullptr) continue;
    const auto marker = static_cast<std::size_t>(spring->b);
    if (impl_->model.markers[marker].body != impl_->model.ground()) break;
    impl_->model.markers[marker].r = p_WP;
    impl_->engine.ws.markers[marker].r = p_WP;
    impl_->is_looked_at = false;
    if (impl_->options.integrator == Integrator::generalised_alpha) return;
    // explicit and multistep methods keep rates, which have jumped with the force
    State& now = impl_->now;
    now.work = impl_->integrator->work();
    impl_->find_rates();
    impl_->integrator->start(now);
    return;
  }
  throw UsageError("no-such-end",
                   fmt::format("'{}' is no spring with its end b on the ground", force));
}

}  // namespace femflex::mbd_solver

// Integrates or evaluates a lattice for a host program. Checks every call, makes inner steps
// between two times of the host, and computes rates and port outputs. Notation: u inputs, x states,
// y outputs.
#include "host_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/hamiltonian/integrate.h"
#include "femflex/progress.h"

#include "femflex_lattice.h"
#include "lattice/lattice_start.h"
#include "lattice/run_lattice.h"

namespace femflex::lattice_c {
namespace {

using namespace hamiltonian;

// Inner step relative to the largest stable one, used if the file gives no step; the default of
// `femflex lattice`.
constexpr double kShareOfStable = 0.2;
constexpr double kStepWithoutLimit = 1e-3;  // inner step if every step is stable [s]
constexpr double kMostInnerSteps = 1e8;     // limit for one call; more would take hours
constexpr double kWholeStep = 1e-9;         // round-off of a number of inner steps
constexpr int kEnergies = 3;                // number of values after the ports: received energy, H,
                                            // error

[[noreturn]] void refuse(const std::string& message, const std::string& fix = {}) {
  throw UsageError("interface", message, {}, fix);
}

void need_array(const void* array, int count, const char* name) {
  if (array == nullptr && count > 0)
    refuse(fmt::format("{} is null, {} numbers expected", name, count));
}

void need_count(int given, std::size_t expected, const char* what) {
  if (given != static_cast<int>(expected))
    refuse(fmt::format("{} is {}, expected {}", what, given, expected));
}

void need_finite(const double* numbers, std::size_t count, const char* name) {
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(numbers[i])) refuse(fmt::format("{}[{}] is not a finite number", name, i));
}

std::unique_ptr<PortedSystem> ported(const tools::AnyLattice& any) {
  if (any.polynomial) {
    if (any.start.empty())
      throw UsageError("no-start",
                       "the start of the polynomial is not given",
                       {},
                       "give it as JSON with \"start\": docs/formats/lattice.md");
    return std::make_unique<PortedPolynomial>(*any.polynomial, any.start, any.document.ports);
  }
  auto out = std::make_unique<PortedLattice>(any.document.lattice, any.document.ports);
  out->start_from(tools::start_of_run(out->system(), any.document, no_progress()));
  return out;
}

/// The longest inner step of the static interface [s].
/// @param advised  step given in the file [s]; 0: none
double inner_step_of(const PortedSystem& ported, double advised) {
  if (advised > 0.0) return advised;
  const std::vector<double> start = ported.start();
  const HamiltonianSystem& system = ported.system();
  const auto n = static_cast<std::ptrdiff_t>(system.dof_count());
  State state;
  state.q.assign(start.begin(), start.begin() + n);
  state.p.assign(start.begin() + n, start.begin() + 2 * n);
  const auto* lattice = dynamic_cast<const LatticeSystem*>(&system);
  if (lattice != nullptr) state.memory = lattice->start().memory;
  const double stable =
      stable_step(Integrator::runge_kutta_4, system, state, system.fastest_motion(state), 1.0);
  return std::isfinite(stable) && stable > 0.0 ? kShareOfStable * stable : kStepWithoutLimit;
}

}  // namespace

HostModel::HostModel(const std::filesystem::path& path) {
  const tools::AnyLattice any = tools::read_any_lattice(path, {});
  try {
    system_ = ported(any);
  } catch (const UsageError& error) {
    throw UsageError(error.code(), error.message(), {path.string()}, error.fix());
  }
  start_time_ = any.document.start_time;
  longest_step_ = inner_step_of(*system_, any.document.lattice.step);
  start_memory_ = system_->memory();
}

std::size_t HostModel::port_numbers() const {
  return system_->ports().size() * static_cast<std::size_t>(system_->dimension());
}

int HostModel::dependent_states() const {
  int out = 0;
  for (std::size_t k = 0; k < system_->ports().size(); ++k)
    if (system_->moved_mass(k) > 0.0) out += system_->dimension();
  return out;
}

int HostModel::states() const {
  return static_cast<int>(system_->state_size() + start_memory_.size());
}

HostModel::Inputs HostModel::inputs_of(const double* numbers) const {
  Inputs out(system_->ports().size(), Eigen::Vector3d::Zero());
  for (Eigen::Vector3d& input : out)
    for (Eigen::Index axis = 0; axis < system_->dimension(); ++axis)
      input(axis) = *numbers++;
  return out;
}

void HostModel::put_flows(const std::vector<PortFlow>& flows, double* out) const {
  for (std::size_t k = 0; k < flows.size(); ++k) {
    const bool gives_velocity = system_->ports()[k].causality == Causality::force_in;
    const Eigen::Vector3d& value = gives_velocity ? flows[k].velocity : flows[k].force;
    for (Eigen::Index axis = 0; axis < system_->dimension(); ++axis)
      *out++ = value(axis);
  }
}

void HostModel::need_run(const char* call) const {
  if (!is_running_)
    refuse(fmt::format("{}: no run has begun", call), "InitializeRun() comes first");
}

void HostModel::start_run() {
  run_ = {start_time_, system_->start(), start_memory_, {}};
  is_running_ = true;
}

void HostModel::end_run() {
  need_run("TerminateRun()");
  is_running_ = false;
}

double HostModel::time() const {
  return is_running_ ? run_.time : std::numeric_limits<double>::quiet_NaN();
}

void HostModel::inner_step(double h, const Inputs& inputs, std::vector<PortFlow>& flows, Run& run) {
  system_->step(run.time, h, run.state, inputs, flows, run.balance);
  if (run.memory.empty()) return;
  const double before = system_->energy(run.state);
  system_->remember(run.state);
  run.memory = system_->memory();
  const double broken = before - system_->energy(run.state);  // energy of springs that broke
  run.balance.dissipated += broken;
  run.balance.stored -= broken;
}

void HostModel::step(const double* in, int inputs, double* out, int outputs, bool is_major) {
  need_run("Step()");
  need_count(inputs, 1 + port_numbers(), "Step(): inputs");
  need_count(outputs, port_numbers() + kEnergies, "Step(): outputs");
  need_array(in, inputs, "Step(): in");
  need_array(out, outputs, "Step(): out");
  need_finite(in, static_cast<std::size_t>(inputs), "Step(): in");
  const double length = in[0] - run_.time;
  if (length < 0.0)
    refuse(fmt::format("Step(): time runs backwards, from {} s to {} s", run_.time, in[0]));
  const double pieces = std::ceil(length / longest_step_ - kWholeStep);
  if (pieces > kMostInnerSteps)
    refuse(fmt::format("Step(): {} inner steps of {} s in one call", pieces, longest_step_),
           "take shorter steps; in[0] is the time in seconds");
  const Inputs given = inputs_of(in + 1);
  Run run = run_;
  system_->set_memory(run.memory);
  std::vector<PortFlow> flows(given.size());
  if (pieces <= 0.0) {
    std::vector<double> rate(run.state.size());
    system_->rate(run.time, run.state, given, rate, flows);
  }
  const double h = length / std::max(1.0, pieces);
  for (double i = 0.0; i < pieces; ++i) {
    run.time = run_.time + i * h;
    inner_step(h, given, flows, run);
  }
  const double energy = system_->energy(run.state);
  if (!std::isfinite(energy))
    refuse("Step(): the energy left the finite range", "give a smaller \"step\" in the model file");
  put_flows(flows, out);
  const std::size_t after = port_numbers();
  out[after] = run.balance.received();
  out[after + 1] = energy;
  out[after + 2] = run.balance.error();
  if (!is_major) return;
  run.time = in[0];
  run_ = std::move(run);
}

void HostModel::get_state(double* state, int states) {
  need_run("GetState()");
  need_count(states, run_.state.size() + run_.memory.size(), "GetState(): states");
  need_array(state, states, "GetState(): state");
  const auto rest = std::copy(run_.state.begin(), run_.state.end(), state);
  std::copy(run_.memory.begin(), run_.memory.end(), rest);
}

void HostModel::set_state(double time, const double* state, int states) {
  need_run("SetState()");
  const std::size_t size = run_.state.size();
  need_count(states, size + run_.memory.size(), "SetState(): states");
  need_array(state, states, "SetState(): state");
  need_finite(state, static_cast<std::size_t>(states), "SetState(): state");
  if (!std::isfinite(time)) refuse("SetState(): time is not a finite number");
  run_.time = time;
  run_.state.assign(state, state + size);
  run_.memory.assign(state + size, state + states);
  run_.balance = {};
}

void HostModel::check_counts(const SimulatorSFunctionStruct& s, bool is_complete) const {
  const auto numbers = static_cast<int>(port_numbers());
  if ((is_complete || s.nrInputs > 0) && s.nrInputs != numbers)
    refuse(fmt::format("nrInputs is {}, expected {}", s.nrInputs, numbers));
  if ((is_complete || s.nrOutputs > 0) && s.nrOutputs != numbers && s.nrOutputs != numbers + 1)
    refuse(fmt::format(
        "nrOutputs is {}, expected {}, or {} with the energy", s.nrOutputs, numbers, numbers + 1));
  if (!is_complete) return;
  need_count(s.nrIndepStates, system_->state_size(), "nrIndepStates");
  need_count(s.nrDepStates, static_cast<std::size_t>(dependent_states()), "nrDepStates");
}

void HostModel::s_function_init(SimulatorSFunctionStruct* s) {
  if (s == nullptr) refuse("SFunctionInit(): the structure is null");
  check_counts(*s, false);
  const auto numbers = static_cast<int>(port_numbers());
  if (s->nrInputs <= 0) s->nrInputs = numbers;
  if (s->nrOutputs <= 0) s->nrOutputs = numbers;
  s->nrIndepStates = static_cast<int>(system_->state_size());
  s->nrDepStates = dependent_states();
  s->nrAlgLoops = 0;
  dynamic_ = Dynamic::sized;
}

void HostModel::s_function_initial_states(double* independent,
                                          double* dependent_rates,
                                          const SimulatorSFunctionStruct* s) {
  if (dynamic_ == Dynamic::closed) refuse("SFunctionInit() comes first");
  if (s == nullptr) refuse("SFunctionGetInitialStates(): the structure is null");
  need_array(independent, static_cast<int>(system_->state_size()), "initialIndepStates");
  need_array(dependent_rates, dependent_states(), "initialDepRates");
  const std::vector<double> start = system_->start();
  std::copy(start.begin(), start.end(), independent);
  std::fill_n(dependent_rates, dependent_states(), 0.0);
  dynamic_memory_ = start_memory_;
  dynamic_ = Dynamic::begun;
}

void HostModel::s_function(
    const double* u, const double* x, double* y, double* dx, const SimulatorSFunctionStruct* s) {
  if (dynamic_ != Dynamic::begun) refuse("SFunctionGetInitialStates() comes first");
  if (s == nullptr) refuse("sFunction(): the structure is null");
  check_counts(*s, true);
  need_array(u, s->nrInputs, "u");
  need_array(x, s->nrIndepStates, "x");
  need_array(y, s->nrOutputs, "y");
  need_array(dx, s->nrIndepStates, "dx");
  const std::size_t size = system_->state_size();
  need_finite(u, port_numbers(), "u");
  need_finite(x, size + static_cast<std::size_t>(s->nrDepStates), "x");
  need_finite(&s->simulationCurrentTime, 1, "simulationCurrentTime");

  std::vector<double> state(x, x + size);
  system_->set_memory(dynamic_memory_);
  if (s->major != 0 && !dynamic_memory_.empty()) {
    system_->remember(state);
    dynamic_memory_ = system_->memory();
  }
  const Inputs given = inputs_of(u);
  std::vector<PortFlow> flows(given.size());
  std::vector<double> rate(size);
  system_->rate(s->simulationCurrentTime, state, given, rate, flows);
  const double* momentum_rate = x + size;
  double* momentum = dx + size;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const double mass = system_->moved_mass(k);
    for (Eigen::Index axis = 0; mass > 0.0 && axis < system_->dimension(); ++axis) {
      flows[k].force(axis) += *momentum_rate++;
      *momentum++ = mass * given[k](axis);
    }
    system_->settle(k, given[k], state);
  }
  put_flows(flows, y);
  if (s->nrOutputs > static_cast<int>(port_numbers())) y[port_numbers()] = system_->energy(state);
  std::copy(rate.begin(), rate.end(), dx);
}

}  // namespace femflex::lattice_c

#include "femflex_lattice.h"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "femflex/errors.h"
#include "femflex/hamiltonian/ports.h"

#include "lattice/run_lattice.h"

namespace {

using namespace femflex;
using namespace femflex::hamiltonian;

// The interface has no handle, so there is one model per process.
struct Model {
  std::string path;
  std::optional<PortedLattice> lattice;
  std::size_t dimension = 0;
  double most = 1e-3;  // longest inner step [s]
  bool is_running = false;
  double time = 0.0;
  std::vector<double> state;
  PowerBalance balance;
};
Model& model() {
  static Model one;
  return one;
}
std::string& last_error() {
  static std::string text;
  return text;
}

/// No exception may leave a C function, only a number.
template <typename Action>
int guarded(Action action) {
  try {
    action();
    return 0;
  } catch (const std::exception& error) {
    last_error() = error.what();
  } catch (...) {
    last_error() = "unknown fault";
  }
  return 1;
}

[[noreturn]] void refuse(const std::string& message) {
  throw UsageError("interface", message);
}

void need_lattice() {
  if (!model().lattice) refuse("Initialize() comes first");
}

std::array<Eigen::Vector3d, 2> inputs_of(const double* in, int count) {
  const std::size_t dim = model().dimension;
  if (in == nullptr || count != static_cast<int>(1 + 2 * dim))
    refuse(std::to_string(1 + 2 * dim) + " inputs expected: time and two ports");
  std::array<Eigen::Vector3d, 2> out = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  for (int i = 0; i < count; ++i) {
    if (!std::isfinite(in[i])) refuse("input " + std::to_string(i) + " is not finite");
  }
  for (std::size_t k = 0; k < 2; ++k) {
    for (std::size_t axis = 0; axis < dim; ++axis)
      out[k](static_cast<Eigen::Index>(axis)) = in[1 + k * dim + axis];
  }
  return out;
}

void put_flows(const std::array<PortFlow, 2>& flows,
               const std::array<Port, 2>& ports,
               double* out) {
  const std::size_t dim = model().dimension;
  for (std::size_t k = 0; k < 2; ++k) {
    const Eigen::Vector3d& value =
        ports[k].causality == Causality::force_in ? flows[k].velocity : flows[k].force;
    for (std::size_t axis = 0; axis < dim; ++axis)
      out[k * dim + axis] = value(static_cast<Eigen::Index>(axis));
  }
}

}  // namespace

extern "C" {

const char* LastError(void) {
  return last_error().c_str();
}

int SetModel(const char* path) {
  return guarded([&] {
    if (path == nullptr) refuse("no path");
    model().path = path;
  });
}

int Initialize(void) {
  return guarded([] {
    Model& m = model();
    if (m.path.empty()) {
      const char* given = std::getenv("FEMFLEX_LATTICE");
      if (given == nullptr) refuse("no model: call SetModel() or set FEMFLEX_LATTICE");
      m.path = given;
    }
    const tools::AnyLattice read = tools::read_any_lattice(m.path, {});
    if (!read.document.ports) refuse("the model has no \"ports\"");
    m.lattice.emplace(read.document.lattice, *read.document.ports);
    m.dimension = static_cast<std::size_t>(read.document.lattice.dimension);
    const LatticeSystem& system = m.lattice->system();
    const State start = system.start();
    const double stable =
        stable_step(Integrator::runge_kutta_4, system, start, system.fastest_motion(start), 1.0);
    const double advised = read.document.lattice.step;
    m.most =
        advised > 0.0 ? advised : (std::isfinite(stable) && stable > 0.0 ? 0.2 * stable : 1e-3);
  });
}

int InitializeRun(void) {
  return guarded([] {
    need_lattice();
    Model& m = model();
    m.state = m.lattice->start();
    m.balance = {};
    m.time = 0.0;
    m.is_running = true;
  });
}

int Step(double* in, int inputs, double* out, int outputs, int major) {
  return guarded([&] {
    need_lattice();
    Model& m = model();
    if (!m.is_running) refuse("InitializeRun() comes first");
    const auto given = inputs_of(in, inputs);
    if (out == nullptr || outputs != static_cast<int>(2 * m.dimension + 3))
      refuse(std::to_string(2 * m.dimension + 3) + " outputs expected");
    const double length = in[0] - m.time;
    if (length < 0.0) refuse("time runs backwards");
    std::vector<double> state = m.state;
    PowerBalance balance = m.balance;
    std::array<PortFlow, 2> flows;
    const auto pieces = static_cast<std::int64_t>(std::ceil(length / m.most - 1e-9));
    if (pieces > 100000000) refuse("a step of more than 1e8 inner steps");
    if (pieces <= 0) {
      std::vector<double> rate(state.size());
      m.lattice->rate(m.time, state, given, rate, flows);
    }
    for (std::int64_t i = 0; i < pieces; ++i) {
      const double h = length / static_cast<double>(pieces);
      m.lattice->step(m.time + static_cast<double>(i) * h, h, state, given, flows, balance);
    }
    const double energy = m.lattice->energy(state);
    if (!std::isfinite(energy)) refuse("the energy left the finite range: take a smaller step");
    put_flows(flows, m.lattice->ports(), out);
    out[2 * m.dimension] = balance.in[0] + balance.in[1];
    out[2 * m.dimension + 1] = energy;
    out[2 * m.dimension + 2] = balance.error();
    if (major == 0) return;
    m.state = std::move(state);
    m.balance = balance;
    m.time = in[0];
  });
}

int TerminateRun(void) {
  return guarded([] { model().is_running = false; });
}

int Terminate(void) {
  return guarded([] {
    Model fresh;
    fresh.path = std::move(model().path);  // the host may call Initialize again
    model() = std::move(fresh);
  });
}

int States(void) {
  return model().lattice ? static_cast<int>(model().lattice->state_size()) : -1;
}

int InitialState(double* state, int states) {
  return guarded([&] {
    need_lattice();
    const std::vector<double> start = model().lattice->start();
    if (state == nullptr || states != static_cast<int>(start.size()))
      refuse(std::to_string(start.size()) + " states expected");
    std::copy(start.begin(), start.end(), state);
  });
}

int Rate(double* in,
         int inputs,
         double* out,
         int outputs,
         const double* state,
         double* rate,
         int states,
         int /*major*/) {
  return guarded([&] {
    need_lattice();
    Model& m = model();
    const auto given = inputs_of(in, inputs);
    const std::size_t size = m.lattice->state_size();
    if (state == nullptr || rate == nullptr || states != static_cast<int>(size))
      refuse(std::to_string(size) + " states expected");
    if (out == nullptr || outputs != static_cast<int>(2 * m.dimension))
      refuse(std::to_string(2 * m.dimension) + " outputs expected");
    std::array<PortFlow, 2> flows;
    m.lattice->rate(in[0], {state, size}, given, {rate, size}, flows);
    put_flows(flows, m.lattice->ports(), out);
  });
}

}  // extern "C"

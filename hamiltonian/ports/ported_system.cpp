// Makes one Runge-Kutta step of a system with ports, and counts the energy that crosses the ports.

#include "femflex/hamiltonian/ports.h"
#include "femflex/laws/runge_kutta_tableaux.h"

namespace femflex::hamiltonian {

void PortedSystem::step(double time,
                        double h,
                        std::span<double> state,
                        std::span<const Eigen::Vector3d> inputs,
                        std::span<PortFlow> flows,
                        PowerBalance& balance) const {
  const std::size_t size = state.size();
  balance.in.resize(ports().size(), 0.0);
  // Inputs may jump between steps: then the momenta of nodes with prescribed velocity, and the
  // position of R if a force acts on it, jump too. The energy of that jump enters through the port.
  const double before = energy(state);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const double at_jump = energy(state);
    settle(k, inputs[k], state);
    balance.in[k] += energy(state) - at_jump;
  }
  constexpr auto& kC = laws::kRungeKutta4.c;
  constexpr auto& kB = laws::kRungeKutta4.b;
  std::vector<double> stage(size), sum(size, 0.0), slope(size, 0.0);
  for (std::size_t s = 0; s < kC.size(); ++s) {
    for (std::size_t i = 0; i < size; ++i)
      stage[i] = state[i] + kC[s] * h * slope[i];
    rate(time + kC[s] * h, stage, inputs, slope, flows);
    for (std::size_t i = 0; i < size; ++i)
      sum[i] += kB[s] * slope[i];
    for (std::size_t k = 0; k < flows.size(); ++k)
      balance.in[k] += kB[s] * h * flows[k].power();
    balance.dissipated += kB[s] * h * lost_power(time + kC[s] * h, stage, slope);
  }
  for (std::size_t i = 0; i < size; ++i)
    state[i] += h * sum[i];
  for (std::size_t k = 0; k < inputs.size(); ++k)  // puts R, which has no mass, into balance
    settle(k, inputs[k], state);
  rate(time + h, state, inputs, slope, flows);
  balance.stored += energy(state) - before;
}

}  // namespace femflex::hamiltonian

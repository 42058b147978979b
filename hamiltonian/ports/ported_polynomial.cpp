// PortedPolynomial: computes the state rate of a polynomial Hamiltonian with ports, at which a host
// applies forces to blocks of states.
#include <algorithm>
#include <string>
#include <utility>

#include "femflex/errors.h"
#include "femflex/hamiltonian/ports.h"

namespace femflex::hamiltonian {
namespace {

constexpr int kMostAxes = 3;  // components of a port's force and velocity

void check_block_ports(const Polynomial& polynomial, const std::vector<Port>& ports) {
  if (!ports.empty() && polynomial.dimension > kMostAxes)
    throw UsageError("bad-port",
                     "ports need blocks of 1 to 3 positions, the polynomial has " +
                         std::to_string(polynomial.dimension));
  const std::int32_t blocks = polynomial.states / (2 * polynomial.dimension);
  for (std::size_t k = 0; k < ports.size(); ++k) {
    const std::string block = std::to_string(ports[k].node);
    if (ports[k].node < 0 || ports[k].node >= blocks)
      throw UsageError("unknown-block",
                       "port " + std::to_string(k + 1) + ": there is no block " + block +
                           ", the polynomial has " + std::to_string(blocks) + " from 0");
    if (ports[k].causality != Causality::force_in)
      throw UsageError("bad-port",
                       "port " + std::to_string(k + 1) +
                           ": a polynomial takes forces, its momenta do not follow a velocity",
                       {},
                       "give \"in\": \"force\"");
    for (std::size_t other = 0; other < k; ++other)
      if (ports[other].node == ports[k].node)
        throw UsageError("one-port", "two ports are on block " + block);
  }
}

}  // namespace

PortedPolynomial::PortedPolynomial(const Polynomial& polynomial,
                                   const std::vector<double>& start,
                                   std::vector<Port> ports)
    : system_(polynomial), ports_(std::move(ports)) {
  check_block_ports(system_.polynomial(), ports_);
  const State state = system_.state(start);
  start_ = state.q;
  start_.insert(start_.end(), state.p.begin(), state.p.end());
}

void PortedPolynomial::rate(double /*time*/,
                            std::span<const double> state,
                            std::span<const Eigen::Vector3d> inputs,
                            std::span<double> state_rate,
                            std::span<PortFlow> flows) const {
  const std::size_t n = system_.dof_count();
  const auto q = state.subspan(0, n);
  const auto p = state.subspan(n, n);
  system_.velocity(q, p, state_rate.subspan(0, n));
  system_.force({}, q, p, state_rate.subspan(n, n));
  const auto dim = static_cast<std::size_t>(dimension());
  for (std::size_t k = 0; k < ports_.size(); ++k) {
    flows[k] = {};
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const std::size_t dof = static_cast<std::size_t>(ports_[k].node) * dim + axis;
      const auto a = static_cast<Eigen::Index>(axis);
      state_rate[n + dof] += inputs[k](a);
      flows[k].force(a) = inputs[k](a);
      flows[k].velocity(a) = state_rate[dof];
    }
  }
}

double PortedPolynomial::energy(std::span<const double> state) const {
  const std::size_t n = system_.dof_count();
  return system_.energy({}, state.subspan(0, n), state.subspan(n, n)).total();
}

}  // namespace femflex::hamiltonian

// State rate and Runge-Kutta step of a lattice between two ports, including the hub R, whose
// position follows from the balance of its springs.
#include "femflex/hamiltonian/ports.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <Eigen/LU>

#include "femflex/errors.h"

#include "lattice_system/spring_law.h"

namespace femflex::hamiltonian {

namespace {

// Maximum number of steps of Newton's method for the position of R, the massless point of the hub.
// It converges within a few steps from the last position; if it does not (slack springs), the best
// position so far is used.
constexpr int kMaxHubSteps = 60;
// converged if the step is below this share of |R| and one metre; a few roundings
constexpr double kHubConverged = 1e-15;

}  // namespace

// The state is q (n), p (n), then R's position if there is a hub. R has no mass. If its velocity
// is given, it moves with that; if a force is given, R is where its springs balance the force, and
// its velocity follows from those of the nodes (the force is constant during a step).
struct PortedLattice::Impl {
  Impl(Lattice given, std::array<Port, 2> where)
      : system(checked_for_ports(std::move(given), where)), ports(where) {
    const Lattice& lattice = system.lattice();
    n = system.dof_count();
    dim = static_cast<std::size_t>(lattice.dimension);
    memory = system.start().memory;
    moved.assign(n, 0);
    for (const Port& port : ports) {
      if (port.node < 0) {
        has_hub_port = true;
        continue;
      }
      if (port.causality != Causality::velocity_in) continue;
      for (std::size_t axis = 0; axis < dim; ++axis)
        moved[static_cast<std::size_t>(port.node) * dim + axis] = 1;
    }
    if (!lattice.hub) return;
    for (const LatticeNode& node : lattice.nodes) {
      Spring spring;
      spring.law = lattice.hub->law;
      spring.stiffness = lattice.hub->stiffness;
      spring.rest_length =
          lattice.hub->rest_length.value_or((node.position - lattice.hub->position).norm());
      hub.push_back(spring);
    }
  }

  static Lattice checked_for_ports(Lattice lattice, const std::array<Port, 2>& ports) {
    for (const Port& port : ports) {
      if (port.node < 0 && !lattice.hub)
        throw UsageError(
            "no-hub", "a port on R, but the lattice has no R", {}, "give \"R\": { \"k\": ... }");
      if (port.node < 0) continue;
      if (port.node >= static_cast<std::int32_t>(lattice.nodes.size()))
        throw UsageError("unknown-node",
                         "a port is on node number " + std::to_string(port.node + 1) +
                             ", but the lattice has " + std::to_string(lattice.nodes.size()) +
                             " nodes");
      const auto& fixed = lattice.nodes[static_cast<std::size_t>(port.node)].fixed;
      bool all = true;
      for (int axis = 0; axis < lattice.dimension; ++axis)
        all = all && fixed[static_cast<std::size_t>(axis)];
      if (all && port.causality == Causality::force_in)
        throw UsageError("held-port",
                         "a port takes a force on node " +
                             std::to_string(lattice.nodes[static_cast<std::size_t>(port.node)].id) +
                             ", all of whose DOFs are fixed",
                         {},
                         "let the port prescribe a velocity, or free the node");
    }
    if (ports[0].node == ports[1].node)
      throw UsageError("one-port", "both ports are on the same node, or both on R");
    return make_lattice(std::move(lattice));
  }

  Eigen::Vector3d point_of(std::span<const double> x, std::size_t node) const {
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    for (std::size_t axis = 0; axis < dim; ++axis)
      out(static_cast<Eigen::Index>(axis)) = x[node * dim + axis];
    return out;
  }

  /// Force law of the hub's spring to this node; d is the vector along it.
  laws::CentralForce hub_force(std::size_t node, const Eigen::Vector3d& d) const {
    return central_force(hub[node], nullptr, d.squaredNorm());
  }
  static Eigen::Matrix3d tangent_of(const laws::CentralForce& pull, const Eigen::Vector3d& d) {
    return pull.over_length * Eigen::Matrix3d::Identity() + pull.slope * d * d.transpose();
  }
  /// Sum of the hub's spring forces on R, and its derivative with respect to R.
  Eigen::Vector3d force_on_hub(std::span<const double> q,
                               const Eigen::Vector3d& r,
                               Eigen::Matrix3d* slope) const {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    if (slope != nullptr) slope->setZero();
    for (std::size_t i = 0; i < hub.size(); ++i) {
      const Eigen::Vector3d d = point_of(q, i) - r;
      const laws::CentralForce pull = hub_force(i, d);
      sum += pull.over_length * d;
      if (slope != nullptr) *slope -= tangent_of(pull, d);
    }
    return sum;
  }

  /// Position of R where its springs balance `force`, starting from `r`.
  Eigen::Vector3d balanced(std::span<const double> q,
                           Eigen::Vector3d r,
                           const Eigen::Vector3d& force) const {
    const auto d = static_cast<Eigen::Index>(dim);
    for (int i = 0; i < kMaxHubSteps; ++i) {
      Eigen::Matrix3d slope;
      const Eigen::Vector3d rest = force_on_hub(q, r, &slope) + force;
      const Eigen::VectorXd step = slope.topLeftCorner(d, d).fullPivLu().solve(-rest.head(d));
      if (!step.allFinite()) break;
      r.head(d) += step;
      if (step.norm() <= kHubConverged * (1.0 + r.norm())) break;
    }
    return r;
  }

  /// Sets the velocities that ports prescribe at their nodes.
  void set_port_velocities(const std::array<Eigen::Vector3d, 2>& inputs,
                           std::span<double> dq,
                           std::vector<double>& p) const {
    for (std::size_t k = 0; k < 2; ++k) {
      const Port& port = ports[k];
      if (port.node < 0 || port.causality != Causality::velocity_in) continue;
      for (std::size_t axis = 0; axis < dim; ++axis) {
        const std::size_t i = static_cast<std::size_t>(port.node) * dim + axis;
        dq[i] = inputs[k](static_cast<Eigen::Index>(axis));
        p[i] = system.masses()[static_cast<std::size_t>(port.node)] * dq[i];
      }
    }
  }

  /// Adds forces of the hub's springs on the nodes, the velocity of R, and force and velocity at
  /// the port of R. On entry the first 2n entries of `out` hold q' and p' without the hub.
  void add_hub(std::span<const double> state,
               const std::array<Eigen::Vector3d, 2>& inputs,
               std::span<double> out,
               std::array<PortFlow, 2>& flows) const {
    const auto q = state.subspan(0, n);
    const auto dq = out.subspan(0, n);
    const auto dp = out.subspan(n, n);
    Eigen::Vector3d r = point_of(state.subspan(2 * n), 0);
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  // external force on R
    bool velocity_given = false;
    std::size_t hub_port = 2;  // index of the port on R; 2: none
    for (std::size_t k = 0; k < 2; ++k) {
      if (ports[k].node >= 0) continue;
      hub_port = k;
      velocity_given = ports[k].causality == Causality::velocity_in;
      if (!velocity_given) force = inputs[k];
    }
    if (!velocity_given) r = balanced(q, r, force);
    Eigen::Matrix3d stiffness_sum = Eigen::Matrix3d::Zero();
    Eigen::Vector3d stiffness_times_velocity = Eigen::Vector3d::Zero();
    Eigen::Vector3d pull = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < hub.size(); ++i) {
      const Eigen::Vector3d d = r - point_of(q, i);  // from the node to R
      const laws::CentralForce on_node = hub_force(i, d);
      const Eigen::Matrix3d block = tangent_of(on_node, d);
      stiffness_sum += block;
      stiffness_times_velocity += block * point_of(dq, i);
      pull -= on_node.over_length * d;
      for (std::size_t axis = 0; axis < dim; ++axis)
        dp[i * dim + axis] += on_node.over_length * d(static_cast<Eigen::Index>(axis));
    }
    const auto axes = static_cast<Eigen::Index>(dim);
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
    if (velocity_given)
      velocity = inputs[hub_port];
    else
      velocity.head(axes) = stiffness_sum.topLeftCorner(axes, axes)
                                .fullPivLu()
                                .solve(stiffness_times_velocity.head(axes));
    for (std::size_t axis = 0; axis < dim; ++axis)
      out[2 * n + axis] = velocity(static_cast<Eigen::Index>(axis));
    if (hub_port < 2) flows[hub_port] = {velocity_given ? Eigen::Vector3d(-pull) : force, velocity};
  }

  /// Computes force and velocity at ports on nodes, and adds the forces to the nodes.
  void set_node_flows(const std::array<Eigen::Vector3d, 2>& inputs,
                      std::span<const double> dq,
                      std::span<double> dp,
                      std::array<PortFlow, 2>& flows) const {
    for (std::size_t k = 0; k < 2; ++k) {
      const Port& port = ports[k];
      if (port.node < 0) continue;
      for (std::size_t axis = 0; axis < dim; ++axis) {
        const auto a = static_cast<Eigen::Index>(axis);
        const std::size_t i = static_cast<std::size_t>(port.node) * dim + axis;
        if (port.causality == Causality::force_in) {
          dp[i] += inputs[k](a);
          flows[k].force(a) = inputs[k](a);
        } else {
          flows[k].force(a) = -dp[i];  // force that keeps the node at its constant velocity
          dp[i] = 0.0;
        }
        flows[k].velocity(a) = dq[i];
      }
    }
  }

  /// Moves R, if a force acts on it, to where its springs balance the force.
  void move_hub_to_balance(const Eigen::Vector3d& force, std::span<double> state) const {
    const Eigen::Vector3d r =
        balanced(state.subspan(0, n), point_of(state.subspan(2 * n), 0), force);
    for (std::size_t axis = 0; axis < dim; ++axis)
      state[2 * n + axis] = r(static_cast<Eigen::Index>(axis));
  }

  LatticeSystem system;
  std::array<Port, 2> ports;
  std::size_t n = 0, dim = 0;
  Memory memory;
  std::vector<char> moved;  // 1 for DOFs whose velocity a port prescribes
  std::vector<Spring> hub;  // springs of the hub, one to each node, quartic or linear
  bool has_hub_port = false;
};

PortedLattice::PortedLattice(const Lattice& lattice, std::array<Port, 2> ports)
    : impl_(std::make_unique<Impl>(lattice, ports)) {}
PortedLattice::~PortedLattice() = default;
PortedLattice::PortedLattice(PortedLattice&&) noexcept = default;
PortedLattice& PortedLattice::operator=(PortedLattice&&) noexcept = default;

const LatticeSystem& PortedLattice::system() const {
  return impl_->system;
}

const std::array<Port, 2>& PortedLattice::ports() const {
  return impl_->ports;
}

std::size_t PortedLattice::state_size() const {
  return 2 * impl_->n + (impl_->hub.empty() ? 0 : impl_->dim);
}

std::vector<double> PortedLattice::start() const {
  const State s = impl_->system.start();
  std::vector<double> out = s.q;
  out.insert(out.end(), s.p.begin(), s.p.end());
  if (!impl_->hub.empty()) {
    for (std::size_t axis = 0; axis < impl_->dim; ++axis)
      out.push_back(impl_->system.lattice().hub->position(static_cast<Eigen::Index>(axis)));
  }
  return out;
}

void PortedLattice::rate(double time,
                         std::span<const double> state,
                         const std::array<Eigen::Vector3d, 2>& inputs,
                         std::span<double> out,
                         std::array<PortFlow, 2>& flows) const {
  const Impl& m = *impl_;
  const auto q = state.subspan(0, m.n);
  std::vector<double> p(state.begin() + static_cast<std::ptrdiff_t>(m.n),
                        state.begin() + static_cast<std::ptrdiff_t>(2 * m.n));
  const auto dq = out.subspan(0, m.n);
  const auto dp = out.subspan(m.n, m.n);
  m.system.velocity(q, p, dq);
  m.set_port_velocities(inputs, dq, p);
  m.system.total_force(m.memory, q, dp);
  m.system.add_load({time, time, 0}, dp);
  m.system.add_dissipation(m.memory, q, p, dp);
  if (!m.hub.empty()) m.add_hub(state, inputs, out, flows);
  m.set_node_flows(inputs, dq, dp, flows);
  for (std::size_t i = 0; i < m.n; ++i) {
    if (m.system.inverse_masses()[i] == 0.0 && m.moved[i] == 0) dp[i] = 0.0;
  }
}

double PortedLattice::energy(std::span<const double> state) const {
  const Impl& m = *impl_;
  const auto q = state.subspan(0, m.n);
  double sum = m.system.energy(m.memory, q, state.subspan(m.n, m.n)).total();
  if (m.hub.empty()) return sum;
  const Eigen::Vector3d r = m.point_of(state.subspan(2 * m.n), 0);
  for (std::size_t i = 0; i < m.hub.size(); ++i)
    sum += spring_energy(m.hub[i], nullptr, (r - m.point_of(q, i)).squaredNorm());
  return sum;
}

void PortedLattice::step(double time,
                         double h,
                         std::span<double> state,
                         const std::array<Eigen::Vector3d, 2>& inputs,
                         std::array<PortFlow, 2>& flows,
                         PowerBalance& balance) const {
  const Impl& m = *impl_;
  const std::size_t size = state.size();
  // Inputs may jump between steps: then the momenta of nodes with prescribed velocity, and the
  // position of R if a force acts on it, jump too. The energy of that jump enters through the port.
  const double before = energy(state);
  for (std::size_t k = 0; k < 2; ++k) {
    const Port& port = m.ports[k];
    const double at_jump = energy(state);
    if (port.node < 0 && port.causality == Causality::force_in) {
      m.move_hub_to_balance(inputs[k], state);
    } else if (port.node >= 0 && port.causality == Causality::velocity_in) {
      for (std::size_t axis = 0; axis < m.dim; ++axis) {
        const std::size_t i = static_cast<std::size_t>(port.node) * m.dim + axis;
        state[m.n + i] = m.system.masses()[static_cast<std::size_t>(port.node)] *
                         inputs[k](static_cast<Eigen::Index>(axis));
      }
    }
    balance.in[k] += energy(state) - at_jump;
  }
  constexpr std::array kC = {0.0, 0.5, 0.5, 1.0};
  constexpr std::array kB = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
  std::vector<double> stage(size), sum(size, 0.0), slope(size, 0.0), lost(m.n), velocity(m.n);
  for (std::size_t s = 0; s < 4; ++s) {
    for (std::size_t i = 0; i < size; ++i)
      stage[i] = state[i] + kC[s] * h * slope[i];
    rate(time + kC[s] * h, stage, inputs, slope, flows);
    for (std::size_t i = 0; i < size; ++i)
      sum[i] += kB[s] * slope[i];
    for (std::size_t k = 0; k < 2; ++k)
      balance.in[k] += kB[s] * h * flows[k].power();
    std::fill(lost.begin(), lost.end(), 0.0);
    const std::span<const double> at(stage);
    m.system.add_dissipation(m.memory, at.subspan(0, m.n), at.subspan(m.n, m.n), lost);
    m.system.add_load({time + kC[s] * h, time, 0}, lost);  // other loads count as dissipation
    for (std::size_t i = 0; i < m.n; ++i)
      balance.dissipated -= kB[s] * h * lost[i] * slope[i];
  }
  for (std::size_t i = 0; i < size; ++i)
    state[i] += h * sum[i];
  for (std::size_t k = 0; k < 2; ++k) {  // R has no mass, so it stays in balance
    if (m.ports[k].node >= 0 || m.ports[k].causality != Causality::force_in) continue;
    m.move_hub_to_balance(inputs[k], state);
  }
  rate(time + h, state, inputs, slope, flows);
  balance.stored += energy(state) - before;
}

}  // namespace femflex::hamiltonian

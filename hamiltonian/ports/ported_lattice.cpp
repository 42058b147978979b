// PortedLattice: computes the state rate of a lattice with ports on its nodes and on R, the
// massless hub. If a force acts on R, its position follows from the balance of its springs.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "femflex/dense.h"
#include "femflex/errors.h"
#include "femflex/hamiltonian/ports.h"

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

// The state is q (n), p (n), then R's position if there is a hub. If the velocity of R is given, R
// moves with that velocity. If a force on R is given, R is where its springs balance the force, and
// its velocity follows from the velocities of the nodes (the force is constant during a step).
struct PortedLattice::Impl {
  Impl(Lattice given, std::vector<Port> where)
      : system(free_for(std::move(given), where)), ports(std::move(where)) {
    const Lattice& lattice = system.lattice();
    n = system.dof_count();
    dim = static_cast<std::size_t>(lattice.dimension);
    begin = system.start();
    memory = begin.memory;
    moved.assign(n, 0);
    for (const Port& port : ports) {
      if (port.node < 0 || port.causality != Causality::velocity_in) continue;
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

  static Lattice free_for(Lattice lattice, const std::vector<Port>& ports) {
    if (!lattice.motions.empty())
      throw UsageError("motion-and-port",
                       "the lattice has prescribed motions, which do not go with ports",
                       {},
                       "give these nodes ports of velocity, or fix them");
    for (std::size_t i = 0; i < lattice.loads.size(); ++i)
      if (lattice.loads[i].until_step != std::numeric_limits<std::int64_t>::max())
        throw UsageError("counted-load",
                         "load " + std::to_string(i + 1) +
                             " ends after a number of steps, and the host chooses the steps",
                         {},
                         "give \"t\": [from, until] instead of \"steps\"");
    for (std::size_t k = 0; k < ports.size(); ++k) {
      check_port(lattice, ports[k]);
      for (std::size_t other = 0; other < k; ++other)
        if (ports[other].node == ports[k].node)
          throw UsageError("one-port", "two ports are on the same place");
    }
    return make_lattice(std::move(lattice));
  }

  static void check_port(const Lattice& lattice, const Port& port) {
    if (port.node < 0 && !lattice.hub)
      throw UsageError(
          "no-hub", "a port on R, but the lattice has no R", {}, "give \"R\": { \"k\": ... }");
    if (port.node < 0) return;
    if (port.node >= static_cast<std::int32_t>(lattice.nodes.size()))
      throw UsageError("unknown-node", "a port on a node that does not exist");
    const LatticeNode& node = lattice.nodes[static_cast<std::size_t>(port.node)];
    const bool is_held =
        std::all_of(node.fixed.begin(), node.fixed.begin() + lattice.dimension, std::identity());
    if (is_held && port.causality == Causality::force_in)
      throw UsageError(
          "held-port",
          "a force into node " + std::to_string(node.id) + ", which is held and does not move",
          {},
          "free the node, or give \"in\": \"velocity\"");
  }

  Eigen::Vector3d point_of(std::span<const double> x, std::size_t node) const {
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    for (std::size_t axis = 0; axis < dim; ++axis)
      out(static_cast<Eigen::Index>(axis)) = x[node * dim + axis];
    return out;
  }

  /// Force of the hub's spring to this node; d is the vector along the spring.
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
  void set_port_velocities(std::span<const Eigen::Vector3d> inputs,
                           std::span<double> dq,
                           std::vector<double>& p) const {
    for (std::size_t k = 0; k < ports.size(); ++k) {
      const Port& port = ports[k];
      if (port.node < 0 || port.causality != Causality::velocity_in) continue;
      for (std::size_t axis = 0; axis < dim; ++axis) {
        const std::size_t i = static_cast<std::size_t>(port.node) * dim + axis;
        dq[i] = inputs[k](static_cast<Eigen::Index>(axis));
        p[i] = system.momentum_masses()[static_cast<std::size_t>(port.node)] * dq[i];
      }
    }
  }

  /// Adds the forces of the hub's springs to the momentum rates of the nodes, and sets the velocity
  /// of R and the flow at its port. On entry the first 2n entries of `out` are q' and p' without
  /// the hub.
  void add_hub(std::span<const double> state,
               std::span<const Eigen::Vector3d> inputs,
               std::span<double> out,
               std::span<PortFlow> flows) const {
    const auto q = state.subspan(0, n);
    const auto dq = out.subspan(0, n);
    const auto dp = out.subspan(n, n);
    Eigen::Vector3d r = point_of(state.subspan(2 * n), 0);
    Eigen::Vector3d force = Eigen::Vector3d::Zero();  // external force on R
    bool velocity_given = false;
    std::size_t hub_port = ports.size();  // index of the port on R; ports.size(): none
    for (std::size_t k = 0; k < ports.size(); ++k) {
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
    if (hub_port < ports.size())
      flows[hub_port] = {velocity_given ? Eigen::Vector3d(-pull) : force, velocity};
  }

  /// Computes force and velocity at ports on nodes, and adds the forces to the nodes.
  void set_node_flows(std::span<const Eigen::Vector3d> inputs,
                      std::span<const double> dq,
                      std::span<double> dp,
                      std::span<PortFlow> flows) const {
    for (std::size_t k = 0; k < ports.size(); ++k) {
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
  std::vector<Port> ports;
  std::size_t n = 0, dim = 0;
  Memory memory;
  std::vector<char> moved;  // 1 for DOFs whose velocity a port prescribes
  std::vector<Spring> hub;  // springs of the hub, one to each node, quartic or linear
  State begin;
};

PortedLattice::PortedLattice(const Lattice& lattice, std::vector<Port> ports)
    : impl_(std::make_unique<Impl>(lattice, std::move(ports))) {}
PortedLattice::~PortedLattice() = default;

void PortedLattice::start_from(const State& state) {
  impl_->system.set_current_references(state);
  impl_->begin = state;
  impl_->memory = state.memory;
}

const LatticeSystem& PortedLattice::system() const {
  return impl_->system;
}

int PortedLattice::dimension() const {
  return impl_->system.lattice().dimension;
}

const std::vector<Port>& PortedLattice::ports() const {
  return impl_->ports;
}

std::size_t PortedLattice::state_size() const {
  return 2 * impl_->n + (impl_->hub.empty() ? 0 : impl_->dim);
}

std::vector<double> PortedLattice::start() const {
  const State& s = impl_->begin;
  std::vector<double> out = s.q;
  out.insert(out.end(), s.p.begin(), s.p.end());
  if (!impl_->hub.empty()) {
    for (std::size_t axis = 0; axis < impl_->dim; ++axis)
      out.push_back(impl_->system.lattice().hub->position(static_cast<Eigen::Index>(axis)));
  }
  return out;
}

double PortedLattice::moved_mass(std::size_t port) const {
  const Port& at = impl_->ports[port];
  if (at.node < 0 || at.causality != Causality::velocity_in) return 0.0;
  return impl_->system.masses()[static_cast<std::size_t>(at.node)];
}

void PortedLattice::settle(std::size_t port,
                           const Eigen::Vector3d& input,
                           std::span<double> state) const {
  const Impl& m = *impl_;
  const Port& at = m.ports[port];
  if (at.node < 0 && at.causality == Causality::force_in) {
    m.move_hub_to_balance(input, state);
  } else if (at.node >= 0 && at.causality == Causality::velocity_in) {
    for (std::size_t axis = 0; axis < m.dim; ++axis)
      state[m.n + static_cast<std::size_t>(at.node) * m.dim + axis] =
          m.system.momentum_masses()[static_cast<std::size_t>(at.node)] *
          input(static_cast<Eigen::Index>(axis));
  }
}

void PortedLattice::rate(double time,
                         std::span<const double> state,
                         std::span<const Eigen::Vector3d> inputs,
                         std::span<double> out,
                         std::span<PortFlow> flows) const {
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
  m.system.add_load_on_supports({time, time, 0}, dp);
  m.system.total_dissipation(m.memory, q, p, dp);
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

double PortedLattice::lost_power(double time,
                                 std::span<const double> state,
                                 std::span<const double> state_rate) const {
  const Impl& m = *impl_;
  std::vector<double> lost(m.n, 0.0);
  m.system.total_dissipation(m.memory, state.subspan(0, m.n), state.subspan(m.n, m.n), lost);
  m.system.add_load({time, time, 0}, lost);  // other loads count as dissipation
  m.system.add_load_on_supports({time, time, 0}, lost);
  double power = 0.0;
  for (std::size_t i = 0; i < m.n; ++i)
    power -= lost[i] * state_rate[i];
  return power;
}

void PortedLattice::remember(std::span<const double> state) {
  State now;
  now.q.assign(state.begin(), state.begin() + static_cast<std::ptrdiff_t>(impl_->n));
  now.memory = impl_->memory;
  static_cast<void>(impl_->system.update_memory(now));
  impl_->memory = now.memory;
}

std::vector<double> PortedLattice::memory() const {
  std::vector<double> out = impl_->memory.angles;
  if (impl_->system.can_break())
    out.insert(out.end(), impl_->memory.broken.begin(), impl_->memory.broken.end());
  return out;
}

void PortedLattice::set_memory(std::span<const double> memory) {
  Memory& remembered = impl_->memory;
  const std::size_t angles = remembered.angles.size();
  for (std::size_t i = 0; i < angles; ++i)
    remembered.angles[i] = memory[i];
  for (std::size_t i = 0; impl_->system.can_break() && i < remembered.broken.size(); ++i)
    remembered.broken[i] = memory[angles + i] != 0.0 ? 1 : 0;
}

}  // namespace femflex::hamiltonian

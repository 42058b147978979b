// Dynamics: gives integrators one interface to a HamiltonianSystem, in which absent optional parts
// (loads, events, ...) contribute nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "femflex/hamiltonian/hamiltonian_system.h"

namespace femflex::hamiltonian {

/// A system as the integrators use it; optional parts that it lacks contribute nothing.
class Dynamics {
 public:
  explicit Dynamics(const HamiltonianSystem& system)
      : system_(system),
        external_(system.external_forces()),
        events_(system.events()),
        tangent_(system.tangent_stiffness()) {}

  const HamiltonianSystem& system() const { return system_; }

  std::size_t dof_count() const { return system_.dof_count(); }
  void velocity(std::span<const double> q,
                std::span<const double> p,
                std::span<double> q_dot) const {
    system_.velocity(q, p, q_dot);
  }
  void force(const Memory& memory,
             std::span<const double> q,
             std::span<const double> p,
             std::span<double> f) const {
    system_.force(memory, q, p, f);
  }
  Energy energy(const Memory& memory, std::span<const double> q, std::span<const double> p) const {
    return system_.energy(memory, q, p);
  }

  bool has_loads() const { return external_ != nullptr && external_->has_loads(); }
  void add_load(const Instant& instant, std::span<double> f) const {
    if (external_ != nullptr) external_->add_load(instant, f);
  }
  double next_event(double time) const {
    return external_ != nullptr ? external_->next_event(time)
                                : std::numeric_limits<double>::infinity();
  }
  std::int32_t first_load_ending_at_step() const {
    return external_ != nullptr ? external_->first_load_ending_at_step() : 0;
  }
  bool is_dissipative() const { return external_ != nullptr && external_->is_dissipative(); }
  void add_dissipation(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p,
                       std::span<double> f) const {
    if (external_ != nullptr) external_->add_dissipation(memory, q, p, f);
  }
  /// @return false if there is no closed form
  bool decay(double tau, std::span<double> p) const {
    return external_ != nullptr && external_->decay(tau, p);
  }
  bool has_motions() const { return external_ != nullptr && external_->has_motions(); }
  void set_prescribed(double time, std::span<double> q, std::span<double> p) const {
    if (external_ != nullptr) external_->set_prescribed(time, q, p);
  }
  double support_power(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p) const {
    return external_ != nullptr ? external_->support_power(memory, q, p) : 0.0;
  }
  double prescribed_kinetic_energy(std::span<const double> p) const {
    return external_ != nullptr ? external_->prescribed_kinetic_energy(p) : 0.0;
  }

  bool update_memory(State& state) const {
    return events_ != nullptr && events_->update_memory(state);
  }
  bool can_break() const { return events_ != nullptr && events_->can_break(); }
  double break_margin(const Memory& memory, std::span<const double> q) const {
    return events_ != nullptr ? events_->break_margin(memory, q)
                              : std::numeric_limits<double>::infinity();
  }

  /// @return false if the system has no tangent
  bool tangent(const Memory& memory,
               std::span<const double> q,
               SparseMatrix& stiffness,
               std::vector<double>& inverse_mass) const {
    if (tangent_ == nullptr) return false;
    tangent_->tangent(memory, q, stiffness, inverse_mass);
    return true;
  }

  /// @return the damping matrix of a system that has a tangent
  SparseMatrix damping(const State& state) const { return tangent_->damping(state); }

 private:
  const HamiltonianSystem& system_;
  const ExternalForces* external_;
  const Events* events_;
  const TangentStiffness* tangent_;
};

}  // namespace femflex::hamiltonian

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
        outer_(system.outer_forces()),
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

  bool has_loads() const { return outer_ != nullptr && outer_->has_loads(); }
  void add_load(const Instant& instant, std::span<double> f) const {
    if (outer_ != nullptr) outer_->add_load(instant, f);
  }
  double next_event(double time) const {
    return outer_ != nullptr ? outer_->next_event(time) : std::numeric_limits<double>::infinity();
  }
  std::int32_t counted_load() const { return outer_ != nullptr ? outer_->counted_load() : 0; }
  bool is_dissipative() const { return outer_ != nullptr && outer_->is_dissipative(); }
  void add_dissipation(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p,
                       std::span<double> f) const {
    if (outer_ != nullptr) outer_->add_dissipation(memory, q, p, f);
  }
  /// @return false if there is no closed form
  bool decay(double tau, std::span<double> p) const {
    return outer_ != nullptr && outer_->decay(tau, p);
  }
  bool has_motions() const { return outer_ != nullptr && outer_->has_motions(); }
  void impose(double time, std::span<double> q, std::span<double> p) const {
    if (outer_ != nullptr) outer_->impose(time, q, p);
  }
  double support_power(const Memory& memory,
                       std::span<const double> q,
                       std::span<const double> p) const {
    return outer_ != nullptr ? outer_->support_power(memory, q, p) : 0.0;
  }
  double imposed_kinetic(std::span<const double> p) const {
    return outer_ != nullptr ? outer_->imposed_kinetic(p) : 0.0;
  }

  bool remember(State& state) const { return events_ != nullptr && events_->remember(state); }
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

 private:
  const HamiltonianSystem& system_;
  const OuterForces* outer_;
  const Events* events_;
  const TangentStiffness* tangent_;
};

}  // namespace femflex::hamiltonian

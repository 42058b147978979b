// Keeps the energy account of a run: integrates the power of loads, dissipation and supports over
// each step (Gauss points on a quintic through both ends), and compares the sum with the change of
// H.
#include "integrators/account.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace femflex::hamiltonian {
namespace {

// An unstable step creates far more energy than was supplied. A run has diverged if its energy is
// kDivergenceFactor times the supplied energy and more than the share kUnaccounted of it has no
// source, three times in a row.
constexpr double kDivergenceFactor = 1e6;
constexpr double kUnaccounted = 0.1;

// An error of the balance below this share of its largest term counts as rounding, not as error.
constexpr double kEnergyNoise = 1e-9;

}  // namespace

Account::Account(const Dynamics& system, const State& state)
    : system_(system),
      start_(system.energy(state.memory, state.q, state.p)),
      scale_(std::max(std::abs(start_.total()), start_.kinetic)),
      last_(start_),
      follows_(system.is_dissipative() || system.has_loads() || system.has_motions() ||
               system.can_break()),
      integrates_(system.is_dissipative() || system.has_loads() || system.has_motions()),
      every_step_(state.q.size() <= kSmallSystem && !system.system().energy_is_expensive()),
      source_(scale_),
      moving_(start_.kinetic) {
  if (!follows_) return;
  before_ = state;
  if (!integrates_) return;
  const std::size_t n = state.q.size();
  for (Vector* v : {&inverse_mass_,
                    &load_,
                    &other_,
                    &q_,
                    &p_,
                    &v_,
                    &first_.v,
                    &first_.a,
                    &first_.f,
                    &second_.v,
                    &second_.a,
                    &second_.f})
    v->resize(n);
  std::fill(p_.begin(), p_.end(), 1.0);
  system.velocity(state.q, p_, inverse_mass_);
}

// Computes the velocity and the acceleration of a state from the force in end.f.
void Account::set_rates(const State& state, const Instant& instant, End& end) {
  std::copy(end.f.begin(), end.f.end(), load_.begin());
  system_.add_load(instant, load_);
  system_.add_dissipation(before_.memory, state.q, state.p, load_);
  for (std::size_t i = 0; i < load_.size(); ++i) {
    end.v[i] = state.p[i] * inverse_mass_[i];
    end.a[i] = load_[i] * inverse_mass_[i];
  }
}

/// Adds the work F dq of constant loads; returns true if there are no other loads.
bool Account::add_constant_load_work(const State& after, double h) {
  if (system_.is_dissipative() || system_.has_motions()) return false;
  const double middle = before_.time + 0.5 * h;
  std::fill(load_.begin(), load_.end(), 0.0);
  system_.add_load({middle, middle, before_.step}, load_);
  for (const double time : {before_.time, before_.time + h}) {
    std::fill(other_.begin(), other_.end(), 0.0);
    system_.add_load({time, middle, before_.step}, other_);
    if (other_ != load_) return false;
  }
  for (std::size_t i = 0; i < load_.size(); ++i)
    given_ += load_[i] * (after.q[i] - before_.q[i]);
  return true;
}

/// For large systems; uses mean forces over the step, at a third of the cost.
void Account::add_mean_work(const State& after, double h) {
  const double middle = before_.time + 0.5 * h;
  std::fill(load_.begin(), load_.end(), 0.0);
  system_.add_load({middle, middle, before_.step}, load_);
  Vector& lost_before = first_.f;
  Vector& lost_after = second_.f;
  if (!force_known_) {
    std::fill(lost_before.begin(), lost_before.end(), 0.0);
    system_.add_dissipation(before_.memory, before_.q, before_.p, lost_before);
  }
  std::fill(lost_after.begin(), lost_after.end(), 0.0);
  system_.add_dissipation(before_.memory, after.q, after.p, lost_after);
  for (std::size_t i = 0; i < load_.size(); ++i) {
    const double moved = after.q[i] - before_.q[i];
    given_ += load_[i] * moved;
    dissipated_ += 0.5 * (lost_before[i] + lost_after[i]) * moved;
  }
  lost_before.swap(lost_after);
  force_known_ = before_.memory.broken == after.memory.broken;
}

void Account::integrate(const State& after, double h, std::span<const double> force) {
  if (add_constant_load_work(after, h)) {
    force_known_ = false;
    return;
  }
  if (!every_step_ && !system_.has_motions()) {
    add_mean_work(after, h);
    return;
  }
  const double middle = before_.time + 0.5 * h;
  if (!force_known_) system_.force(before_.memory, before_.q, before_.p, first_.f);
  if (force.empty())
    system_.force(before_.memory, after.q, after.p, second_.f);
  else
    std::copy(force.begin(), force.end(), second_.f.begin());
  set_rates(before_, {before_.time, middle, before_.step}, first_);
  set_rates(after, {before_.time + h, middle, before_.step}, second_);
  struct Point {
    double s, weight;
  };
  constexpr std::array kGauss = {Point{0.1127016653792583, 5.0 / 18.0},
                                 Point{0.5, 8.0 / 18.0},
                                 Point{0.8872983346207417, 5.0 / 18.0}};
  double given = 0.0;
  double dissipated = 0.0;
  for (const auto& [s, weight] : kGauss) {
    // q = q0 + h s v0 + h^2 s^2/2 a0 + A s^3 + B s^4 + C s^5
    const double time = before_.time + s * h;
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double v0 = h * first_.v[i];
      const double a0 = 0.5 * h * h * first_.a[i];
      const double x = after.q[i] - before_.q[i] - v0 - a0;
      const double y = h * second_.v[i] - v0 - 2.0 * a0;
      const double z = 0.5 * h * h * second_.a[i] - a0;
      const double c3 = 10.0 * x - 4.0 * y + z;
      const double c4 = -15.0 * x + 7.0 * y - 2.0 * z;
      const double c5 = 6.0 * x - 3.0 * y + z;
      q_[i] = before_.q[i] + s * (v0 + s * (a0 + s * (c3 + s * (c4 + s * c5))));
      v_[i] = (v0 + s * (2.0 * a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / h;
      p_[i] = inverse_mass_[i] > 0.0 ? v_[i] / inverse_mass_[i] : 0.0;
    }
    system_.set_prescribed(time, q_, p_);
    std::fill(load_.begin(), load_.end(), 0.0);
    std::fill(other_.begin(), other_.end(), 0.0);
    system_.add_load({time, middle, before_.step}, load_);
    system_.add_dissipation(before_.memory, q_, p_, other_);
    for (std::size_t i = 0; i < q_.size(); ++i) {
      given += weight * h * load_[i] * v_[i];
      dissipated += weight * h * other_[i] * v_[i];
    }
    if (system_.has_motions()) given += weight * h * system_.support_power(before_.memory, q_, p_);
  }
  if (system_.has_motions())
    given +=
        system_.prescribed_kinetic_energy(after.p) - system_.prescribed_kinetic_energy(before_.p);
  // if they are not finite, neither is the energy, and check() reports that
  if (std::isfinite(given) && std::isfinite(dissipated)) {
    given_ += given;
    dissipated_ += dissipated;
  }
  std::swap(first_, second_);
  force_known_ = before_.memory.broken == after.memory.broken;
}

void Account::add_step(const State& after, double h, std::span<const double> force) {
  if (!follows_) return;
  if (integrates_) integrate(after, h, force);
  add_broken(after);
  before_ = after;
}

/// Adds the energy of the springs that have broken since before_ at the positions of a state.
void Account::add_broken(const State& now) {
  if (before_.memory.broken != now.memory.broken)
    broken_ += system_.energy(before_.memory, now.q, now.p).potential -
               system_.energy(now.memory, now.q, now.p).potential;
}

void Account::break_overloaded(State& start) {
  if (!system_.can_break() || !(system_.break_margin(start.memory, start.q) < 0.0)) return;
  (void)system_.update_memory(start);
  add_broken(start);
  before_.memory = start.memory;
}

bool Account::check(const State& state) {
  last_ = system_.energy(state.memory, state.q, state.p);
  const double total = last_.total();
  if (!std::isfinite(total)) return false;
  scale_ = std::max({scale_, last_.kinetic, std::abs(work())});
  moving_ = std::max({moving_, last_.kinetic, std::abs(work()), std::abs(broken_)});
  const double off = std::abs(total + broken_ - start_.total() - work());
  if (off > 0.0 && scale_ > 0.0) max_error_ = std::max(max_error_, off / scale_);
  max_error_in_joule_ = std::max(max_error_in_joule_, off);
  source_ = std::max({source_, std::abs(given_), -last_.potential});
  const double moving = std::max(last_.kinetic, std::abs(total));
  if (source_ == 0.0) source_ = moving;
  diverging_checks_ = moving > kDivergenceFactor * source_ && off > kUnaccounted * moving
                          ? diverging_checks_ + 1
                          : 0;
  return true;
}

double Account::error_of_moving() const {
  // round-off of the sum of large energies is not an error
  const double large = std::max(scale_, std::abs(last_.potential));
  return moving_ > 0.0 && max_error_in_joule_ > kEnergyNoise * large ? max_error_in_joule_ / moving_
                                                                     : 0.0;
}

}  // namespace femflex::hamiltonian

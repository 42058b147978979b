#include "integrators/account.h"

#include <algorithm>
#include <cmath>

namespace femflex::hamiltonian {

Account::Account(const HamiltonianSystem& system, const State& state)
    : system_(system),
      start_(system.energy(state.memory, state.q, state.p)),
      scale_(std::max(std::abs(start_.total()), start_.kinetic)),
      last_(start_),
      follows_(system.is_dissipative() || system.has_loads() || system.has_motions() ||
               system.can_break()),
      every_step_(state.q.size() <= 3000 && !system.has_dear_energy()),
      source_(scale_) {
  if (!follows_) return;
  before_ = state;
  force_.resize(state.q.size());
  lost_ = dissipation(state);
}

void Account::add_step(const State& after, double h) {
  if (!follows_) return;
  std::fill(force_.begin(), force_.end(), 0.0);
  const double middle = before_.time + 0.5 * h;
  system_.add_load({middle, middle, before_.step}, force_);
  std::vector<double> lost = dissipation(after);
  for (std::size_t i = 0; i < force_.size(); ++i) {
    const double moved = after.q[i] - before_.q[i];
    given_ += force_[i] * moved;
    dissipated_ += 0.5 * (lost_[i] + lost[i]) * moved;
  }
  if (system_.has_motions()) given_ += system_.support_work(before_, after);
  if (before_.memory.broken != after.memory.broken)
    broken_ += system_.energy(before_.memory, after.q, after.p).potential -
               system_.energy(after.memory, after.q, after.p).potential;
  lost_.swap(lost);
  before_ = after;
}

bool Account::look(const State& state) {
  last_ = system_.energy(state.memory, state.q, state.p);
  const double total = last_.total();
  if (!std::isfinite(total)) return false;
  scale_ = std::max({scale_, last_.kinetic, std::abs(work())});
  const double off = std::abs(total + broken_ - start_.total() - work());
  if (off > 0.0 && scale_ > 0.0) worst_ = std::max(worst_, off / scale_);
  source_ = std::max({source_, std::abs(given_), -last_.potential});
  // An unstable step creates energy; what it creates bears no relation to what was given.
  constexpr double kFarBeyond = 1e6;
  const double moving = std::max(last_.kinetic, std::abs(total));
  if (source_ == 0.0) source_ = moving;
  far_beyond_ = moving > kFarBeyond * source_ && off > 0.1 * moving ? far_beyond_ + 1 : 0;
  return true;
}

std::vector<double> Account::dissipation(const State& state) const {
  std::vector<double> f(state.q.size(), 0.0);
  if (system_.is_dissipative()) system_.add_dissipation(state.memory, state.q, state.p, f);
  return f;
}

double constant_load_work(const HamiltonianSystem& system, const State& state) {
  if (!system.has_loads()) return 0.0;
  std::vector<double> f(state.q.size(), 0.0);
  system.add_load({state.time, state.time, state.step}, f);
  double work = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i)
    work += f[i] * state.q[i];
  return work;
}

}  // namespace femflex::hamiltonian

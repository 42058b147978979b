// Stepping: makes time steps of a Hamiltonian system whenever the caller asks for some, and keeps
// its energy account.
#include "femflex/hamiltonian/stepping.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "femflex/errors.h"

#include "integrators/account.h"
#include "integrators/dynamics.h"
#include "integrators/methods.h"
#include "integrators/run_checks.h"
#include "integrators/stepper.h"

namespace femflex::hamiltonian {

struct Stepping::Impl {
  Impl(const HamiltonianSystem& system, Integrator integrator, double step, State first)
      : dynamics(system), state(std::move(first)), h(step) {
    options.integrator = integrator;
    options.step = step;
    options.end = state.time + step;
    check_run(system, state, options);
    if (integrator == Integrator::leapfrog) fast = system.fast_leapfrog();
    begin();
  }

  /// Starts from `state` as if nothing were known of the steps before it.
  void begin() {
    state.history.clear();
    state.step_length = h;
    state.step_base = state.time - static_cast<double>(state.step) * h;
    dynamics.set_prescribed(state.time, state.q, state.p);
    work_before += account ? account->work() : 0.0;
    broken_before += account ? account->broken() : 0.0;
    account.emplace(dynamics, state);
    if (fast && !fast->load(state, h)) fast.reset();
    if (!fast) stepper.emplace(dynamics.system(), options);
  }

  bool give_up(const char* what, const State& last) {
    const std::string named = find_not_finite(dynamics.system(), last, state);
    failure = named.empty() ? what : named;
    state = last;
    return false;
  }

  bool leap(std::int64_t steps) {
    const State last = state;
    const std::int64_t done = fast->advance(steps, options.threads);
    state.step += done;
    state.time = state.step_base + static_cast<double>(state.step) * h;
    fast->store(state);
    if (done < steps) return give_up("a coordinate left the finite range", last);
    account->set_work(fast->work());
    return true;
  }

  bool step_on(std::int64_t steps) {
    const State last = state;
    const bool adaptive = method_of(options.integrator).is_adaptive;
    std::int64_t rejected = 0;
    if (adaptive) account->break_overloaded(state);
    for (std::int64_t k = 0; k < steps; ++k) {
      const double before = state.time;
      double taken = h;
      if (adaptive) {
        const double most = std::min(h, dynamics.next_event(before) - before);
        if (state.last_step == 0.0) state.last_step = most;
        taken = stepper->advance_adaptively(state, most, rejected);
        if (taken == 0.0) return give_up("the step became too small", last);
      } else {
        if (!stepper->advance(state, before, h))
          return give_up("the implicit step did not converge", last);
        state.time = state.step_base + static_cast<double>(state.step) * h;
      }
      if (!all_finite(state.q) || !all_finite(state.p))
        return give_up("a coordinate left the finite range", last);
      account->add_step(state, taken, stepper->force_at_end());
    }
    return true;
  }

  bool advance(std::int64_t steps) {
    if (!(fast ? leap(steps) : step_on(steps))) return false;
    if (!account->check(state)) return give_up("the energy left the finite range", state);
    if (account->has_diverged()) return give_up("the energy grows without a source", state);
    return true;
  }

  Dynamics dynamics;
  RunOptions options;
  State state;
  double h;  // [s]
  std::unique_ptr<FastLeapfrog> fast;
  std::optional<Stepper> stepper;
  std::optional<Account> account;
  double work_before = 0.0, broken_before = 0.0;  // of accounts that have ended [J]
  std::string failure;
};

Stepping::Stepping(const HamiltonianSystem& system, Integrator integrator, double step, State state)
    : impl_(std::make_unique<Impl>(system, integrator, step, std::move(state))) {}
Stepping::~Stepping() = default;

bool Stepping::advance(std::int64_t steps) {
  return impl_->advance(steps);
}
const std::string& Stepping::failure() const {
  return impl_->failure;
}
const State& Stepping::state() const {
  return impl_->state;
}
void Stepping::set_state(State state) {
  impl_->state = std::move(state);
  impl_->begin();
}
double Stepping::step() const {
  return impl_->h;
}
Energy Stepping::energy() const {
  return impl_->account->last();  // every call that changes the state updates the account
}
double Stepping::work() const {
  return impl_->work_before + impl_->account->work();
}
double Stepping::broken() const {
  return impl_->broken_before + impl_->account->broken();
}

}  // namespace femflex::hamiltonian

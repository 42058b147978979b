// The states of one force under the rule of an integrator.
#include "spatial/forces/states.h"

#include "spatial/state_newton.h"

namespace femflex::mbd_solver {

PairLoad solve_states(const LoadOfStates& load_at,
                      const Workspace& ws,
                      const LawBase& law,
                      ForceStates& states) {
  constexpr double kSolved = 1e-14;
  PairLoad load;
  StateNewtonScratch<kMaxForceStates> scratch;
  solve_state_rule(
      {.n = law.state_count,
       .constants = ws.state_constants.data() + law.state0,
       .gain = ws.state_gain,
       .unit = law.state_unit,
       .solved = kSolved},
      [&](const double* z, double* rates) { load = load_at.at(z, rates); },
      states.z.data(),
      states.rates.data(),
      scratch);
  return load;
}

}  // namespace femflex::mbd_solver

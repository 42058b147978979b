// load_between(): the load of any law between two markers, with or without first-order states. The
// integration rule eliminates the states, so within a step the force depends only on position and
// velocity.
#pragma once

#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// A law that computes itself the states that fulfil a rule.
template <typename Law>
concept SolvesItsStates = requires(const Law& law,
                                   const Model& model,
                                   const Workspace& ws,
                                   const MarkerKinematics& marker,
                                   ForceStates& states) {
  law.load(model, ws, marker, marker, StateRule{}, states);
};

template <typename Law>
concept HasForceStates = SolvesItsStates<Law> || requires(const Law& law,
                                                          const Model& model,
                                                          const Workspace& ws,
                                                          const MarkerKinematics& marker,
                                                          double* z) {
  law.load(model, ws, marker, marker, z, z);
};

/// The load of a law at fixed markers as a function of its states.
class LoadOfStates {
 public:
  LoadOfStates() = default;
  LoadOfStates(const LoadOfStates&) = delete;
  LoadOfStates& operator=(const LoadOfStates&) = delete;
  LoadOfStates(LoadOfStates&&) = delete;
  LoadOfStates& operator=(LoadOfStates&&) = delete;
  virtual ~LoadOfStates() = default;
  /// Returns the load at states z, and computes their rates.
  virtual PairLoad at(const double* z, double* rates) const = 0;
};

/// Solves z = c + g z'(z) for the states of one force by Newton's method, and returns the load at
/// these states. With g = 0 the states are c. See docs/theory/multibody.md eq. (41).
///
/// The integrator stores c and g in the workspace. Differences of this function include the effect
/// of the states on the load.
PairLoad solve_states(const LoadOfStates& load_at,
                      const Workspace& ws,
                      const LawBase& law,
                      ForceStates& states);

/// The load of a law with states between two markers.
template <HasForceStates Law>
PairLoad load_with_states(const Model& model,
                          const Workspace& ws,
                          const Law& law,
                          const MarkerKinematics& a,
                          const MarkerKinematics& b,
                          ForceStates& states) {
  if constexpr (SolvesItsStates<Law>) {
    return law.load(
        model, ws, a, b, StateRule{ws.state_constants.data() + law.state0, ws.state_gain}, states);
  } else {
    class Here final : public LoadOfStates {
     public:
      Here(const Model& m,
           const Workspace& w,
           const Law& l,
           const MarkerKinematics& end_a,
           const MarkerKinematics& end_b)
          : model_(m), ws_(w), law_(l), a_(end_a), b_(end_b) {}
      PairLoad at(const double* z, double* rates) const override {
        return law_.load(model_, ws_, a_, b_, z, rates);
      }

     private:
      const Model& model_;
      const Workspace& ws_;
      const Law& law_;
      const MarkerKinematics &a_, &b_;
    };
    return solve_states(Here(model, ws, law, a, b), ws, law, states);
  }
}

/// The load of a law between two markers.
template <typename Law>
PairLoad load_between(const Model& model,
                      const Workspace& ws,
                      const Law& law,
                      const MarkerKinematics& a,
                      const MarkerKinematics& b) {
  if constexpr (HasForceStates<Law>) {
    ForceStates states;
    return load_with_states(model, ws, law, a, b, states);
  } else {
    return law.load(model, ws, a, b);
  }
}

}  // namespace femflex::mbd_solver

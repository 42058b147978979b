// The guests of a run: begins them, exchanges inputs and outputs at fixed times, repeats steps
// until both sides agree, and keeps their state with that of the system.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/guest.h"
#include "femflex/mbd_solver/state.h"

namespace femflex::mbd_solver {

struct Model;
struct Workspace;

/// The guests of one run. State::events holds of each: the time of its last exchange, then its
/// outputs there, then their slopes.
class Guests {
 public:
  explicit Guests(const Model& model) : model_(model) {}

  /// Begins guests that have not begun, and moves those on whose time has come; the blocks at ws
  /// are those just before the exchange. Returns whether there was one; if it failed, failure() is
  /// not empty.
  bool exchange(Workspace& ws, State& state);
  /// Whether an exchange at the time of this state is followed by repeated steps.
  bool repeats_from(const State& state) const;
  /// Finds the slopes of the outputs from an exchange to the next.
  /// @param next   time of the next exchange [s]
  /// @param trial  moves a copy of the state until just before `next`, and leaves ws there; false:
  /// the step failed
  bool repeat(Workspace& ws,
              State& state,
              double next,
              const std::function<bool(State& copy)>& trial);
  /// Puts the states of the guests into a state, as far as they give them.
  void store(State& state);
  /// Continues guests with the states in `state`, if they had begun.
  /// @throws ModelError  a guest does not give its state, or does not take this one
  void resume(const State& state);
  /// Why the last exchange failed, with the name of the block; empty if it did not.
  const std::string& failure() const { return failure_; }

 private:
  bool check(const std::string& why, std::size_t guest);
  /// Inputs of all guests, one after the other, from the outputs in `state`.
  void find_inputs(Workspace& ws, const State& state);
  bool take_outputs(std::size_t guest, double time, State& state);

  const Model& model_;
  std::vector<std::unique_ptr<GuestRun>> runs_;  // one per guest of the network, once it began
  std::vector<std::vector<double>> inputs_, outputs_;
  std::string failure_;
};

}  // namespace femflex::mbd_solver

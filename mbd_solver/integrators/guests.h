// Runs the guests of a simulation: models that other programs supply. Starts them, exchanges inputs
// and outputs with them at fixed times, repeats steps until system and guests agree, and stores
// their states. The Engine owns one Guests object.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "femflex/mbd_solver/guest.h"
#include "femflex/mbd_solver/state.h"

namespace femflex::mbd_solver {

struct Model;
struct Workspace;

/// The guests of one run. For each guest, State::events holds the time of its last exchange, its
/// outputs at that time, and their slopes.
class Guests {
 public:
  explicit Guests(const Model& model) : model_(model) {}

  /// Starts guests that have not started, and advances those whose exchange is due. `ws` must hold
  /// the values of the signal blocks just before the exchange. Returns whether an exchange was due;
  /// if it failed, failure() is not empty.
  bool exchange(Workspace& ws, State& state);
  /// True if a guest that repeats its step has an exchange at the time of this state.
  bool repeats_from(const State& state) const;
  /// Repeats the step from this exchange to the next until system and guests agree, and sets the
  /// slopes of the outputs in `state` accordingly. Returns false if `trial` or a guest failed; in
  /// the second case failure() says why.
  /// @param next   time of the next exchange [s]
  /// @param trial  advances a copy of the state until just before `next`, and leaves `ws` at that
  /// state; returns false if the step fails
  bool repeat(Workspace& ws,
              State& state,
              double next,
              const std::function<bool(State& copy)>& trial);
  /// Stores the states of the guests in `state`, for guests that can save them.
  void store(State& state);
  /// Continues each guest that had started when `state` was stored with its stored state.
  /// @throws ModelError  a guest cannot save its state, or rejects this one
  void resume(const State& state);
  /// Why the last exchange failed, with the name of the block; empty if it succeeded.
  const std::string& failure() const { return failure_; }

 private:
  /// Returns true if `why` is empty; otherwise sets failure_ to `why` with the name of the block.
  bool check(const std::string& why, std::size_t guest);
  /// Computes inputs of all guests, one after the other, from the outputs in `state`.
  void find_inputs(Workspace& ws, const State& state);
  /// Gives the guest its inputs and stores its new outputs in `state`. Returns false on failure.
  bool take_outputs(std::size_t guest, double time, State& state);

  const Model& model_;
  std::vector<std::unique_ptr<GuestRun>> runs_;  // one per guest of the network; null until it has
                                                 // started
  std::vector<std::vector<double>> inputs_, outputs_;
  std::string failure_;
};

}  // namespace femflex::mbd_solver

// Guests: models of other programs that take part in a run as blocks of control. A guest computes
// on its own between fixed times, at which it and the system exchange inputs and outputs.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <Eigen/Core>

namespace femflex::mbd_solver {

/// x' = A x + B u, y = C x + D u of a guest near a state, where x and u are changes. Without states
/// it says what outputs follow at once.
struct LinearGuest {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd inputs, outputs;  ///< at that state
};

/// A guest at work, with its time, inputs and state. Each function returns why it failed, or an
/// empty text; nothing is thrown. After a failure the guest is of no further use.
class GuestRun {
 public:
  GuestRun() = default;
  GuestRun(const GuestRun&) = delete;
  GuestRun& operator=(const GuestRun&) = delete;
  GuestRun(GuestRun&&) = delete;
  GuestRun& operator=(GuestRun&&) = delete;
  virtual ~GuestRun() = default;

  /// Begins at `time` [s] with these inputs.
  virtual std::string begin(double time, std::span<const double> inputs) = 0;
  /// Moves on to `time` [s]. Its inputs stay, or go linearly to `next` if that is not empty.
  virtual std::string advance(double time, std::span<const double> next) = 0;
  /// Gives inputs at its present time, and reads the outputs that follow.
  virtual std::string exchange(std::span<const double> inputs, std::span<double> outputs) = 0;
  /// Remembers the present state, and goes back to it, as often as wanted.
  virtual std::string mark() = 0;
  virtual std::string go_back() = 0;
  /// The state as bytes, from which another run, in any process, goes on bit for bit.
  virtual std::string save(std::string& bytes) = 0;
  virtual std::string load(const std::string& bytes) = 0;
  virtual std::string linearise(LinearGuest& out) = 0;
};

/// A guest that runs can be made of. Does not change, and may be used by several threads.
class Guest {
 public:
  Guest() = default;
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;
  Guest(Guest&&) = delete;
  Guest& operator=(Guest&&) = delete;
  virtual ~Guest() = default;

  virtual std::unique_ptr<GuestRun> make_run() const = 0;
  virtual bool goes_back() const = 0;  ///< mark() and go_back() work
  virtual bool saves() const = 0;      ///< save() and load() work
};

/// A guest as a block: its outputs have names. They hold their values between exchanges, or
/// go on at the slope of the last two. See docs/theory/multibody.md.
struct GuestBlock {
  std::shared_ptr<const Guest> guest;
  std::string file;         ///< for messages
  Eigen::VectorXd initial;  ///< outputs before the run begins, one at least
  double step = 0.0;        ///< [s] between exchanges, which are at offset + k step
  double offset = 0.0;      ///< [s]
  /// inputs of the guest go linearly to their next values, outputs on at their last slope; else
  /// both hold
  bool is_linear = false;
  /// Each step is repeated until the slopes of the outputs fit what the guest gives at its end, at
  /// most so often; 0: never. Needs a guest that goes back.
  int repeats = 0;
};

}  // namespace femflex::mbd_solver

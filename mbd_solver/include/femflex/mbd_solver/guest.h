// Guests: models of other programs (FMUs) that take part in a run as blocks of control. A guest
// computes on its own between fixed times; at these times the system and the guest exchange inputs
// and outputs. tools/guests/ implements this interface.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <Eigen/Core>

namespace femflex::mbd_solver {

/// Linear model x' = A x + B u, y = C x + D u of a guest near a state; x, u and y are changes from
/// that state. Without states only D is used.
struct LinearGuest {
  Eigen::MatrixXd A, B, C, D;
  Eigen::VectorXd inputs, outputs;  ///< at the state of linearisation
};

/// A running guest, with its time, inputs and state. Each function returns the reason of a failure,
/// or an empty text; none throws. After a failure the guest cannot be used any more.
class GuestRun {
 public:
  GuestRun() = default;
  GuestRun(const GuestRun&) = delete;
  GuestRun& operator=(const GuestRun&) = delete;
  GuestRun(GuestRun&&) = delete;
  GuestRun& operator=(GuestRun&&) = delete;
  virtual ~GuestRun() = default;

  /// Starts at `time` [s] with these inputs.
  virtual std::string begin(double time, std::span<const double> inputs) = 0;
  /// Advances to `time` [s]. The inputs stay constant, or change linearly to `next` if it is not
  /// empty.
  virtual std::string advance(double time, std::span<const double> next) = 0;
  /// Sets the inputs at the present time and reads the outputs for them.
  virtual std::string exchange(std::span<const double> inputs, std::span<double> outputs) = 0;
  /// mark() stores the present state; go_back() returns to it, any number of times.
  virtual std::string mark() = 0;
  virtual std::string go_back() = 0;
  /// save() writes the state as bytes; load() restores it, in this or another process, bit for bit.
  virtual std::string save(std::string& bytes) = 0;
  virtual std::string load(const std::string& bytes) = 0;
  virtual std::string linearise(LinearGuest& out) = 0;
};

/// A guest that can be started. It does not change and may be used by several threads.
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

/// A guest as a block. Between exchanges its outputs are constant, or continue with the slope of
/// the last two values. See docs/theory/multibody.md.
struct GuestBlock {
  std::shared_ptr<const Guest> guest;
  std::string file;         ///< for messages
  Eigen::VectorXd initial;  ///< outputs before the run begins, at least one
  double step = 0.0;        ///< [s] between exchanges, which are at offset + k step
  double offset = 0.0;      ///< [s]
  /// true: inputs of the guest change linearly to their next values, and outputs continue with
  /// their last slope; false: both are constant between exchanges
  bool is_linear = false;
  /// Largest number of repetitions of each step, which continue until the slopes of the outputs
  /// match the guest's outputs at the end of the step; 0: no repetition. Needs a guest that goes
  /// back.
  int repeats = 0;
};

}  // namespace femflex::mbd_solver

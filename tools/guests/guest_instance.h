// GuestInstance: an instance of an FMU of another program, for FMI 2.0 and 3.0. Its functions are
// named by their meaning. If the FMU rejects a call, they throw an exception with the function, the
// status and the log.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "guests/guest_library.h"

namespace femflex::guests {

/// Result of an update of discrete states.
struct EventOutcome {
  bool again = false, ends = false, states_changed = false;
  bool has_time = false;
  double next_time = 0.0;  ///< [s]
};

/// Keeps the last messages of an FMU.
class GuestLog {
 public:
  void add(int status, const char* category, const std::string& text);
  void clear() { lines_.clear(); }
  std::string text() const;

 private:
  std::deque<std::string> lines_;
};

/// The numbers of one variable.
using Numbers = std::span<double>;

/// All functions throw ModelError.
class GuestInstance {
 public:
  explicit GuestInstance(std::shared_ptr<const GuestLibrary> library)
      : library_(std::move(library)) {}
  GuestInstance(const GuestInstance&) = delete;
  GuestInstance& operator=(const GuestInstance&) = delete;
  GuestInstance(GuestInstance&&) = delete;
  GuestInstance& operator=(GuestInstance&&) = delete;
  virtual ~GuestInstance() = default;

  const GuestLibrary& library() const { return *library_; }

  // --- life
  virtual void enter_initialisation(double start) = 0;
  virtual void exit_initialisation() = 0;

  // --- variables: all elements of a variable
  virtual void get(const GuestVariable& variable, std::span<double> values) = 0;
  virtual void set(const GuestVariable& variable, std::span<const double> values) = 0;
  virtual void set_text(const GuestVariable& variable, const std::string& text) = 0;
  /// Rates of a real input over the next step (FMI 2).
  virtual void set_rate(const GuestVariable& variable, double rate) = 0;
  /// Derivative d unknown / d known of real scalars.
  virtual double slope(const GuestVariable& unknown, const GuestVariable& known) = 0;

  // --- co-simulation
  virtual void step(double from, double length) = 0;

  // --- model exchange
  virtual void set_time(double time) = 0;
  virtual void set_states(std::span<const double> x) = 0;
  virtual void get_states(std::span<double> x) = 0;
  virtual void get_nominals(std::span<double> x) = 0;
  virtual void get_derivatives(std::span<double> x) = 0;
  virtual void get_indicators(std::span<double> z) = 0;
  virtual void enter_events() = 0;
  virtual EventOutcome update_events() = 0;
  virtual void leave_events() = 0;
  /// Returns whether event mode must be entered.
  virtual bool complete_step() = 0;

  // --- complete state
  /// Stores the state, in place of the last stored one.
  virtual void mark() = 0;
  virtual void go_back() = 0;
  /// The state as bytes; the stored state of mark() stays.
  virtual std::string save() = 0;
  /// Takes the state from bytes of save().
  virtual void load(const std::string& bytes) = 0;

 protected:
  /// @throws ModelError  a status above "warning"
  void check(int status, const char* function, const std::string& of = {}) const;

  std::shared_ptr<const GuestLibrary> library_;
  GuestLog log_;
};

/// Makes an instance for the FMI version of its library.
/// @throws ModelError  it cannot be made
std::unique_ptr<GuestInstance> instantiate(const std::shared_ptr<const GuestLibrary>& library,
                                           const std::string& name);
std::unique_ptr<GuestInstance> instantiate_2(const std::shared_ptr<const GuestLibrary>& library,
                                             const std::string& name);
std::unique_ptr<GuestInstance> instantiate_3(const std::shared_ptr<const GuestLibrary>& library,
                                             const std::string& name);

}  // namespace femflex::guests

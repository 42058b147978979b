// Ctrl-C, SIGTERM and SIGHUP: the work in progress is asked to stop, and ended if it does not.
#pragma once

#include <functional>
#include <thread>

namespace femflex::cli {

/// True once Ctrl-C, SIGTERM or SIGHUP has arrived; the caller is then expected to stop.
bool is_interrupted();

/// Receives signals from its construction to its destruction. Work that calls is_interrupted()
/// stops by itself, keeps its rows and tidies up. Work that does not call it for half a second (a
/// factorisation in a library) is ended from outside, and so is all work at a second signal.
class InterruptWatch {
 public:
  /// @param end_now  called by another thread while the work still runs: must clean up without the
  /// help of the work, and end the program
  explicit InterruptWatch(std::function<void()> end_now);
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  InterruptWatch(InterruptWatch&&) = delete;
  InterruptWatch& operator=(InterruptWatch&&) = delete;
  ~InterruptWatch();

 private:
  void watch();

  std::function<void()> end_now_;
  std::thread thread_;
};

}  // namespace femflex::cli

// Handles Ctrl-C, SIGTERM and SIGHUP: requests the current work to stop, and ends the program if it
// does not stop.
#pragma once

#include <functional>
#include <thread>

namespace femflex::cli {

/// True after Ctrl-C, SIGTERM or SIGHUP; the caller must then stop.
bool is_interrupted();

/// Handles signals from its construction to its destruction. Work that calls is_interrupted() stops
/// by itself, keeps its rows and cleans up. If work does not call it within half a second (for
/// example a factorisation in a library), or a second signal arrives, `end_now` is called.
class InterruptWatch {
 public:
  /// @param end_now  called by another thread while the work still runs; must clean up without the
  /// work, and end the program
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

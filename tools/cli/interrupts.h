#pragma once

#include <functional>
#include <thread>

namespace femflex::cli {

/// True once Ctrl-C, SIGTERM or SIGHUP has come; who asks is taken to have heard it.
bool is_interrupted();

/// Listens for signals while it lives. Work that asks is_interrupted() stops by itself, keeps its
/// rows and tidies up. Work that does not ask for half a second (a factorisation of a library) is
/// ended from outside, and so is any at a second signal.
class InterruptWatch {
 public:
  /// @param end_now  tidies up without the thread that works, and ends the program
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

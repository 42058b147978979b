// The signal handler only sets a flag and posts a semaphore. A thread waits at the semaphore and
// ends the program if the work does not react.
#include "interrupts.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include <semaphore.h>

namespace femflex::cli {
namespace {

// Global, because signal handlers receive no further arguments.
std::atomic<bool> interrupted{false};  // a signal has arrived
std::atomic<bool> was_polled{false};   // the work has called is_interrupted() after the signal
std::atomic<bool> is_closing{false};   // ~InterruptWatch() has begun
sem_t signal_semaphore;                // posted once per signal, and by ~InterruptWatch()

// Time after a signal until the program is ended if the work does not call is_interrupted(). A user
// should not wait longer than a second; other work calls it many times in this period.
constexpr long kGracePeriod = 500'000'000;  // [ns]

void on_signal(int /*number*/) {
  interrupted = true;
  sem_post(&signal_semaphore);
}

/// Sets the handler of SIGHUP unless the signal is ignored, for example under nohup.
void handle_hang_up(void (*handler)(int)) {
  if (std::signal(SIGHUP, handler) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

void wait_for_signal() {
  while (sem_wait(&signal_semaphore) != 0 && errno == EINTR) {
  }
}

/// Waits for the next signal, at most kGracePeriod.
/// @return false if none arrived
bool wait_grace_period() {
  timespec until = {};
  clock_gettime(CLOCK_REALTIME, &until);
  constexpr long kSecond = 1'000'000'000;  // [ns]
  until.tv_nsec += kGracePeriod;
  until.tv_sec += until.tv_nsec / kSecond;
  until.tv_nsec %= kSecond;
  while (sem_timedwait(&signal_semaphore, &until) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

bool is_interrupted() {
  if (!interrupted.load(std::memory_order_relaxed)) return false;
  was_polled = true;
  return true;
}

InterruptWatch::InterruptWatch(std::function<void()> end_now) : end_now_(std::move(end_now)) {
  sem_init(&signal_semaphore, 0, 0);
  thread_ = std::thread([this]() { watch(); });
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  handle_hang_up(on_signal);
  // writing beyond a limit or into a closed pipe then gives an ordinary error with a message
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

InterruptWatch::~InterruptWatch() {
  is_closing = true;
  sem_post(&signal_semaphore);
  thread_.join();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  handle_hang_up(SIG_DFL);
}

void InterruptWatch::watch() {
  wait_for_signal();
  if (is_closing) return;
  // work that reacts to the first signal may continue until a second one
  const bool has_second_signal = wait_grace_period();
  if (is_closing) return;
  if (!has_second_signal && was_polled) {
    wait_for_signal();
    if (is_closing) return;
  }
  end_now_();
}

}  // namespace femflex::cli

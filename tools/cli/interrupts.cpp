// The signal handler sets a flag and posts a semaphore, which is all that a handler may do. A
// thread waits at the semaphore and ends the program if the work does not react.
#include "interrupts.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <utility>

#include <semaphore.h>

namespace femflex::cli {
namespace {

// Signal handlers take no arguments of ours, so these are global.
std::atomic<bool> interrupted{false};
std::atomic<bool> heard{false};
std::atomic<bool> is_over{false};
sem_t came;  // posted once per signal

// Time from a signal until work that does not call is_interrupted() is ended from outside. A user
// should not wait longer than a second; other work calls it many times in this period.
constexpr long kPatience = 500'000'000;  // [ns]

void on_signal(int /*number*/) {
  interrupted = true;
  sem_post(&came);
}

void wait_for_signal() {
  while (sem_wait(&came) != 0 && errno == EINTR) {
  }
}

/// @return false if no signal came in time
bool wait_some_time() {
  timespec until = {};
  clock_gettime(CLOCK_REALTIME, &until);
  constexpr long kSecond = 1'000'000'000;  // [ns]
  until.tv_nsec += kPatience;
  until.tv_sec += until.tv_nsec / kSecond;
  until.tv_nsec %= kSecond;
  while (sem_timedwait(&came, &until) != 0) {
    if (errno != EINTR) return false;
  }
  return true;
}

}  // namespace

bool is_interrupted() {
  if (!interrupted.load(std::memory_order_relaxed)) return false;
  heard = true;
  return true;
}

InterruptWatch::InterruptWatch(std::function<void()> end_now) : end_now_(std::move(end_now)) {
  sem_init(&came, 0, 0);
  thread_ = std::thread([this]() { watch(); });
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
  // Writing beyond a limit or into a closed pipe is an error like others, with its message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

InterruptWatch::~InterruptWatch() {
  is_over = true;
  sem_post(&came);
  thread_.join();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void InterruptWatch::watch() {
  wait_for_signal();
  if (is_over) return;
  const bool again = wait_some_time();
  if (is_over) return;
  if (!again && heard) {
    wait_for_signal();
    if (is_over) return;
  }
  end_now_();
}

}  // namespace femflex::cli

// Workers starts threads on demand up to a limit. The watching thread uses poll() and is woken
// through a pipe.
#include "workers.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "femflex/errors.h"

namespace femflex::service {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void Workers::enqueue(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(work));
  if (idle_ < waiting_.size() && threads_.size() < max_) {
    try {
      threads_.emplace_back([this]() { serve(); });
      return;
    } catch (const std::system_error&) {
      max_ = std::max<std::size_t>(threads_.size(), 1);  // the system allows no more threads
    }
  }
  is_overloaded_ = idle_ < waiting_.size();
  changed_.notify_one();
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    changed_.wait(lock, [this]() { return stopping_ || !waiting_.empty(); });
    --idle_;
    if (waiting_.empty()) return;
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    if (waiting_.empty()) is_overloaded_ = false;
    lock.unlock();
    work();
    lock.lock();
  }
}

void Workers::shutdown() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    threads.swap(threads_);
  }
  changed_.notify_all();
  for (std::thread& thread : threads)
    thread.join();
}

IdleConnections::IdleConnections(milliseconds idle_time,
                                 std::size_t max_count,
                                 std::function<void(ConnectionPtr)> serve)
    : idle_time_(idle_time), max_(max_count), serve_(std::move(serve)) {
  int pipe_ends[2];
  if (::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0)
    throw UsageError("pipe", "no file descriptor is left", {}, "close other files: ulimit -n");
  wake_in_ = pipe_ends[0];
  wake_out_ = pipe_ends[1];
  thread_ = std::thread([this]() { watch(); });
}

IdleConnections::~IdleConnections() {
  close();
  ::close(wake_in_);
  ::close(wake_out_);
}

void IdleConnections::wake() const {
  // if the pipe is full, the reader is woken anyway
  static_cast<void>(!::write(wake_out_, "", 1));
}

void IdleConnections::add(ConnectionPtr connection) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    arrived_.push_back(std::move(connection));
  }
  wake();
}

void IdleConnections::close() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake();
  if (thread_.joinable()) thread_.join();
}

void IdleConnections::watch() {
  std::vector<pollfd> watched;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_) break;
      for (ConnectionPtr& connection : arrived_)
        idle_.push_back({std::move(connection), Clock::now() + idle_time_});
      arrived_.clear();
    }
    while (idle_.size() > max_ || (!idle_.empty() && idle_.front().until <= Clock::now()))
      idle_.pop_front();
    watched.assign(1, {wake_in_, POLLIN, 0});
    for (const Idle& idle : idle_)
      watched.push_back({idle.connection->descriptor(), POLLIN, 0});
    const auto time_left =
        idle_.empty() ? idle_time_
                      : std::chrono::ceil<milliseconds>(idle_.front().until - Clock::now());
    const auto timeout_ms =
        static_cast<int>(std::clamp<std::int64_t>(time_left.count(), 0, 60'000));
    if (::poll(watched.data(), watched.size(), timeout_ms) <= 0) continue;
    char bytes[64];
    while (::read(wake_in_, bytes, sizeof bytes) > 0) {
    }
    std::size_t k = 1;
    for (auto idle = idle_.begin(); idle != idle_.end(); ++k) {
      if (watched[k].revents == 0) {
        ++idle;
        continue;
      }
      ConnectionPtr connection = std::move(idle->connection);
      idle = idle_.erase(idle);
      serve_(std::move(connection));
    }
  }
  idle_.clear();
}

}  // namespace femflex::service

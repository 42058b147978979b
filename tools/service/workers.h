// Workers: threads that serve requests. IdleConnections: one thread that watches all connections
// without a request. HttpService uses both.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "connection.h"

namespace femflex::service {

/// A thread pool. Threads are started as needed, up to `max_count`; further work waits for a free
/// thread.
class Workers {
 public:
  explicit Workers(std::size_t max_count) : max_(max_count) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Workers(Workers&&) = delete;
  Workers& operator=(Workers&&) = delete;
  ~Workers() { shutdown(); }

  /// Runs `work` in a thread as soon as one is free.
  void enqueue(std::function<void()> work);
  /// Waits until all enqueued work is finished.
  void shutdown();
  /// True while work waits and every thread is busy.
  const std::atomic<bool>& is_overloaded() const { return is_overloaded_; }

 private:
  void serve();

  std::size_t max_;
  std::atomic<bool> is_overloaded_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::function<void()>> waiting_;  // guarded by mutex_
  std::vector<std::thread> threads_;          // guarded by mutex_
  std::size_t idle_ = 0;                      // guarded by mutex_
  bool stopping_ = false;                     // guarded by mutex_
};

using ConnectionPtr = std::shared_ptr<Connection>;

/// Connections without a request. One thread watches all of them, so that an idle connection needs
/// a descriptor but no thread. A connection that is idle for too long is closed; if there are too
/// many, the one that was idle longest is closed.
class IdleConnections {
 public:
  /// @param max_count   largest number of idle connections
  /// @param serve  called for each connection that sends a request; must not block
  IdleConnections(std::chrono::milliseconds idle_time,
                  std::size_t max_count,
                  std::function<void(ConnectionPtr)> serve);
  IdleConnections(const IdleConnections&) = delete;
  IdleConnections& operator=(const IdleConnections&) = delete;
  IdleConnections(IdleConnections&&) = delete;
  IdleConnections& operator=(IdleConnections&&) = delete;
  ~IdleConnections();

  /// Adds a connection from any thread. After close(), the connection is closed at once.
  void add(ConnectionPtr connection);
  /// Closes all connections.
  void close();

 private:
  struct Idle {
    ConnectionPtr connection;
    std::chrono::steady_clock::time_point until;
  };
  void watch();
  void wake() const;

  std::chrono::milliseconds idle_time_;
  std::size_t max_;
  std::function<void(ConnectionPtr)> serve_;
  int wake_in_ = -1;   // read end of a pipe
  int wake_out_ = -1;  // write end
  std::mutex mutex_;
  std::vector<ConnectionPtr> arrived_;  // guarded by mutex_
  bool stopping_ = false;               // guarded by mutex_
  std::list<Idle> idle_;                // used by thread_ only; the connection idle for the longest
                                        // time first
  std::thread thread_;
};

}  // namespace femflex::service

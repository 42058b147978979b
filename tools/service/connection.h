#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>

#include <httplib.h>

namespace femflex::service {

struct ConnectionLimits {
  std::size_t header_bytes;
  std::size_t body_bytes;
  std::chrono::milliseconds request_time;  ///< for a request to arrive whole
  std::chrono::milliseconds send_time;     ///< for its answer to leave whole
};

/// One accepted socket. Unlike the library's own stream it bounds a whole request: its bytes and
/// the time until it is there, so that a client which sends a byte now and then holds nothing up.
class Connection : public httplib::Stream {
 public:
  enum class Fault : std::uint8_t { none, late, too_large, broken };

  Connection(socket_t socket, const ConnectionLimits& limits) : socket_(socket), limits_(limits) {}

  /// True once the first byte of a request is there; false when the client left, the time is over
  /// or `stopping` became true.
  bool wait_for_request(std::chrono::milliseconds idle, const std::atomic<bool>& stopping);
  /// The clock and the counters of one request start.
  void begin_request();

  Fault fault() const { return fault_; }
  bool has_answered() const { return written_ > 0; }
  std::size_t received() const { return received_; }
  std::chrono::steady_clock::time_point begun() const { return begun_; }
  /// What was not read would be taken for the next request.
  void close_after_answer() { closes_ = true; }
  bool closes_after_answer() const { return closes_; }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool wait(short events, std::chrono::steady_clock::time_point until) const;

  socket_t socket_;
  ConnectionLimits limits_;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;  // what is in buffer_ and not yet read
  std::size_t end_ = 0;
  std::size_t received_ = 0;
  std::size_t written_ = 0;
  bool in_body_ = false;
  std::size_t header_ = 0;  // bytes of the header so far
  int blank_ = 0;           // of "\r\n\r\n", how much was just read
  Fault fault_ = Fault::none;
  bool closes_ = false;
  std::chrono::steady_clock::time_point begun_{};
  std::chrono::steady_clock::time_point deadline_{};
  std::chrono::steady_clock::time_point send_deadline_{};  // set by the first write of an answer
};

/// Threads come as connections do, up to `most`; further connections wait for one.
class Workers : public httplib::TaskQueue {
 public:
  explicit Workers(std::size_t most) : most_(most) {}
  void enqueue(std::function<void()> work) override;
  void shutdown() override;

 private:
  void serve();

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<std::function<void()>> waiting_;  // under mutex_
  std::vector<std::thread> threads_;          // under mutex_
  std::size_t idle_ = 0;                      // under mutex_
  bool stopping_ = false;                     // under mutex_
};

}  // namespace femflex::service

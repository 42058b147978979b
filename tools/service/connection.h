// Connection: one accepted connection as a stream for cpp-httplib, with limits on size and time of
// each whole request.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <httplib.h>

#include "tcp_socket.h"

namespace femflex::service {

/// Limits of size and time for one connection.
struct ConnectionLimits {
  std::size_t header_bytes;
  std::size_t body_bytes;
  std::chrono::milliseconds request_time;  ///< for a whole request to arrive
  std::chrono::milliseconds send_time;     ///< for the whole response to be sent
};

/// One accepted socket. Unlike the stream of cpp-httplib, it limits the size and the time of a
/// whole request, so that a client that sends single bytes slowly cannot block a thread.
class Connection : public httplib::Stream {
 public:
  enum class Failure : std::uint8_t { none, timeout, large_header, large_body, broken };

  /// @param is_overloaded  true while other connections wait for a thread; a request must then
  /// arrive within kOverloadTime
  Connection(TcpSocket socket,
             const ConnectionLimits& limits,
             const std::atomic<bool>& is_overloaded)
      : socket_(std::move(socket)), limits_(limits), is_overloaded_(is_overloaded) {}

  /// Starts the clock and the counters of one request.
  void begin_request();
  /// Performs the TLS handshake within the time for the first request. Returns false if it failed;
  /// failure() tells whether it was a timeout.
  bool handshake(const TlsContext& tls);
  /// True if the first byte is that of a TLS record.
  bool starts_with_tls() const;
  bool is_encrypted() const { return socket_.ssl() != nullptr; }

  /// Increments and returns the number of requests, including this one.
  std::size_t count_request() { return ++requests_; }

  Failure failure() const { return failure_; }
  bool has_responded() const { return written_ > 0; }
  std::size_t received() const { return received_; }
  std::chrono::steady_clock::time_point start() const { return start_; }
  /// Call it if a request was not read completely, because its rest would be read as the next
  /// request.
  void close_after_response() { closes_after_response_ = true; }
  bool closes_after_response() const { return closes_after_response_; }
  /// Sets a note for the log, which is not sent to the client.
  void set_note(std::string note) { note_ = std::move(note); }
  const std::string& note() const { return note_; }

  /// True if bytes of the next request are already buffered; poll() would not report them.
  bool has_pending() const { return buffer_begin_ < buffer_end_ || socket_.has_pending(); }
  /// True if reading does not have to wait longer than `until`.
  bool is_readable_by(TcpSocket::TimePoint until) const {
    return buffer_begin_ < buffer_end_ || socket_.is_readable(until);
  }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  /// Hidden from the library, which would reject descriptors above the limit of select().
  socket_t socket() const override { return INVALID_SOCKET; }
  int descriptor() const { return socket_.socket(); }

 private:
  static constexpr std::chrono::milliseconds kOverloadTime{1000};

  /// Repeats `attempt` until the time of the request is over. This time is shortened as soon as
  /// other connections wait for a thread.
  /// @param attempt  stops at the given time with the failure `timeout` of the socket
  bool retry_until_deadline(const std::function<bool(TcpSocket::TimePoint)>& attempt);

  TcpSocket socket_;
  ConnectionLimits limits_;
  const std::atomic<bool>& is_overloaded_;
  std::array<char, 4096> buffer_{};
  std::size_t buffer_begin_ = 0;  // bytes from here to buffer_end_ are not yet read
  std::size_t buffer_end_ = 0;
  std::size_t received_ = 0;
  std::size_t written_ = 0;
  bool in_body_ = false;
  std::size_t header_bytes_ = 0;  // bytes of the header so far
  int line_ends_matched_ = 0;     // number of characters of "\r\n\r\n" just read
  Failure failure_ = Failure::none;
  bool closes_after_response_ = false;
  std::size_t requests_ = 0;
  std::string note_;
  std::chrono::steady_clock::time_point start_{};
  std::chrono::steady_clock::time_point deadline_{};
  std::chrono::steady_clock::time_point send_deadline_{};  // set by the first write of a response
};

}  // namespace femflex::service

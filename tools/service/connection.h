// One accepted connection as a stream for cpp-httplib, with limits on the size and the time of each
// whole request.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <httplib.h>

#include "wire.h"

namespace femflex::service {

/// Limits of size and time for one connection.
struct ConnectionLimits {
  std::size_t header_bytes;
  std::size_t body_bytes;
  std::chrono::milliseconds request_time;  ///< until a request has arrived whole
  std::chrono::milliseconds send_time;     ///< until its response is sent whole
};

/// One accepted socket. Unlike the library's own stream it bounds a whole request: its bytes and
/// the time until it is there, so that a client that sends a byte now and then cannot block a
/// thread.
class Connection : public httplib::Stream {
 public:
  enum class Fault : std::uint8_t { none, late, large_header, large_body, broken };

  /// @param is_pressed  true while other connections wait for a thread; a request then has only
  /// kPressedTime to arrive
  Connection(Wire wire, const ConnectionLimits& limits, const std::atomic<bool>& is_pressed)
      : wire_(std::move(wire)), limits_(limits), is_pressed_(is_pressed) {}

  /// Starts the clock and the counters of one request.
  void begin_request();
  /// Performs the TLS handshake, within the time of the first request.
  bool shake_hands(const TlsContext& tls);
  /// True if the first byte is that of a TLS record.
  bool speaks_tls() const;
  bool is_encrypted() const { return wire_.ssl() != nullptr; }

  /// Requests so far, including this one.
  std::size_t count_request() { return ++requests_; }

  Fault fault() const { return fault_; }
  bool has_answered() const { return written_ > 0; }
  std::size_t received() const { return received_; }
  std::chrono::steady_clock::time_point begun() const { return begun_; }
  /// To be called if a request was not read to its end, because its rest would be taken for the
  /// next request.
  void close_after_answer() { closes_ = true; }
  bool closes_after_answer() const { return closes_; }
  /// A note for the log that is not sent to the client.
  void set_note(std::string note) { note_ = std::move(note); }
  const std::string& note() const { return note_; }

  /// True if bytes of the next request are here already; a poll() would not see them.
  bool has_pending() const { return begin_ < end_ || wire_.has_pending(); }
  /// True if reading need not wait beyond `until`.
  bool is_readable_by(Wire::Moment until) const {
    return begin_ < end_ || wire_.is_readable(until);
  }

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, std::size_t size) override;
  ssize_t write(const char* data, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  /// Hidden from the library, which would refuse descriptors above the limit of select().
  socket_t socket() const override { return INVALID_SOCKET; }
  int descriptor() const { return wire_.socket(); }

 private:
  static constexpr std::chrono::milliseconds kPressedTime{1000};

  /// Tries repeatedly until the time of the request is over, which is shortened as soon as other
  /// connections wait for a thread.
  /// @param attempt  gives up at the given moment, with the fault `late` of the wire
  bool patiently(const std::function<bool(Wire::Moment)>& attempt);

  Wire wire_;
  ConnectionLimits limits_;
  const std::atomic<bool>& is_pressed_;
  std::array<char, 4096> buffer_{};
  std::size_t begin_ = 0;  // begin_ to end_: bytes of buffer_ not yet read
  std::size_t end_ = 0;
  std::size_t received_ = 0;
  std::size_t written_ = 0;
  bool in_body_ = false;
  std::size_t header_ = 0;  // bytes of the header so far
  int blank_ = 0;           // how much of "\r\n\r\n" was just read
  Fault fault_ = Fault::none;
  bool closes_ = false;
  std::size_t requests_ = 0;
  std::string note_;
  std::chrono::steady_clock::time_point begun_{};
  std::chrono::steady_clock::time_point deadline_{};
  std::chrono::steady_clock::time_point send_deadline_{};  // set by the first write of an answer
};

}  // namespace femflex::service

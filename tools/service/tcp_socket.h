// A TCP socket, plain or encrypted, whose operations end at a time that the caller gives. Only the
// look-up of a host name has a time limit of its own, that of the system's resolver.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "tls.h"

namespace femflex::service {

/// A TCP socket, plain or encrypted. Operations wait until `until` at most, see failure() then.
class TcpSocket {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Failure : std::uint8_t { none, timeout, closed, broken };

  /// Takes ownership of the socket.
  explicit TcpSocket(int socket);
  /// Connects to a host: tries its addresses one after the other; is_open() tells whether one
  /// succeeded.
  static TcpSocket connected(const std::string& host, int port, TimePoint until);
  TcpSocket(const TcpSocket&) = delete;
  TcpSocket& operator=(const TcpSocket&) = delete;
  TcpSocket(TcpSocket&& other) noexcept;
  TcpSocket& operator=(TcpSocket&& other) noexcept;
  ~TcpSocket();

  bool is_open() const { return socket_ >= 0; }
  int socket() const { return socket_; }
  /// Why the last call failed.
  Failure failure() const { return failure_; }

  /// Encrypts from here on.
  void encrypt(Ssl ssl) { ssl_ = std::move(ssl); }
  /// Performs the TLS handshake. May be called again after the failure `timeout`. After a failure
  /// tls_failure_of(ssl()) gives the cause.
  bool handshake(TimePoint until);
  ssl_st* ssl() const { return ssl_.get(); }

  /// Number of bytes received, at least one; 0 on failure, see failure().
  std::size_t read(char* data, std::size_t size, TimePoint until);
  /// Number of bytes sent, at least one; 0 on failure, see failure().
  std::size_t write(const char* data, std::size_t size, TimePoint until);
  /// Sends the whole text; false with a failure.
  bool write_all(const std::string& text, TimePoint until);

  /// True if a read would not wait: data has arrived, or the other side has closed.
  bool is_readable(TimePoint until) const;
  /// True if decrypted bytes wait that poll() does not see.
  bool has_pending() const;

 private:
  bool wait(short events, TimePoint until) const;
  /// Tries until some bytes are transferred; 0 on failure, see failure().
  /// @param events  what to wait for on a plain socket; TLS decides by itself
  std::size_t transfer(short events, TimePoint until, const std::function<long()>& attempt);

  int socket_;
  Ssl ssl_;
  Failure failure_ = Failure::none;
};

}  // namespace femflex::service

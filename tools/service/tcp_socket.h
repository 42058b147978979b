// TcpSocket: a TCP socket, plain or encrypted, whose operations have time limits set by the caller.
// Only the look-up of a host name has the time limit of the system's resolver.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "tls.h"

namespace femflex::service {

/// Operations wait at most until `until`; failure() then gives the reason.
class TcpSocket {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  enum class Failure : std::uint8_t { none, timeout, closed, broken };

  /// Takes ownership of the socket.
  explicit TcpSocket(int socket);
  /// Connects to a host by trying its addresses one after the other. is_open() returns whether one
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

  /// Encrypts all further data.
  void encrypt(Ssl ssl) { ssl_ = std::move(ssl); }
  /// Performs the TLS handshake. It may be repeated after the failure `timeout`. After another
  /// failure, tls_failure_of(ssl()) gives the reason.
  bool handshake(TimePoint until);
  ssl_st* ssl() const { return ssl_.get(); }

  /// Returns the number of bytes received, at least one; 0 on failure, see failure().
  std::size_t read(char* data, std::size_t size, TimePoint until);
  /// Returns the number of bytes sent, at least one; 0 on failure, see failure().
  std::size_t write(const char* data, std::size_t size, TimePoint until);
  /// Sends the whole text. Returns false on failure.
  bool write_all(const std::string& text, TimePoint until);

  /// True if a read would return at once, because data have arrived or the other side has closed.
  bool is_readable(TimePoint until) const;
  /// True if decrypted bytes are buffered, which poll() does not report.
  bool has_pending() const;

 private:
  bool wait(short events, TimePoint until) const;
  /// Repeats `attempt` until bytes are transferred. Returns 0 on failure, see failure().
  /// @param events  events to wait for on a plain socket; TLS chooses its own
  std::size_t transfer(short events, TimePoint until, const std::function<long()>& attempt);

  int socket_;
  Ssl ssl_;
  Failure failure_ = Failure::none;
};

}  // namespace femflex::service

// A TCP socket, plain or encrypted, whose operations all end at a given time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "tls.h"

namespace femflex::service {

/// A TCP socket, plain or encrypted; no operation waits beyond a moment given by the caller.
class Wire {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  enum class Fault : std::uint8_t { none, late, closed, broken };

  /// Takes ownership of the socket.
  explicit Wire(int socket);
  /// Connects to a host: tries its addresses one after the other; is_open() tells whether one
  /// succeeded.
  static Wire connected(const std::string& host, int port, Moment until);
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&& other) noexcept;
  ~Wire();

  bool is_open() const { return socket_ >= 0; }
  int socket() const { return socket_; }
  /// Why the last call failed.
  Fault fault() const { return fault_; }

  /// Encrypts from here on.
  void encrypt(Ssl ssl) { ssl_ = std::move(ssl); }
  /// Performs the TLS handshake. May be called again after the fault `late`. After a failure
  /// tls_trouble(ssl()) gives the cause.
  bool shake_hands(Moment until);
  ssl_st* ssl() const { return ssl_.get(); }

  /// Number of bytes received, at least one; 0 with a fault.
  std::size_t read(char* data, std::size_t size, Moment until);
  /// Number of bytes sent, at least one; 0 with a fault.
  std::size_t write(const char* data, std::size_t size, Moment until);
  bool write_all(const std::string& text, Moment until);

  /// True if a read would not wait: data has arrived, or the other side has closed.
  bool is_readable(Moment until) const;
  /// True if decrypted bytes wait that poll() does not see.
  bool has_pending() const;

 private:
  bool wait(short events, Moment until) const;
  /// Tries until some bytes are transferred; 0 with the fault that ended it.
  /// @param events  what to wait for on a plain socket; TLS decides by itself
  std::size_t transfer(short events, Moment until, const std::function<long()>& attempt);

  int socket_;
  Ssl ssl_;
  Fault fault_ = Fault::none;
};

}  // namespace femflex::service

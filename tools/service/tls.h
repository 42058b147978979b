// Encryption of connections by TLS (OpenSSL), for the service and its clients.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace femflex::service {

/// Deleters for the types of OpenSSL, whose headers only tls.cpp and tcp_socket.cpp include.
struct SslContextDeleter {
  void operator()(ssl_ctx_st* context) const;
};
struct SslDeleter {
  void operator()(ssl_st* ssl) const;
};
using Ssl = std::unique_ptr<ssl_st, SslDeleter>;

/// One side of encrypted connections, TLS 1.2 or newer. Any number of threads may call open().
class TlsContext {
 public:
  /// @param certificate  PEM, followed by its issuers if there are any
  /// @param key          PEM, not encrypted
  /// @throws UsageError  a file cannot be read, or the key is not that of the certificate
  static TlsContext server(const std::filesystem::path& certificate,
                           const std::filesystem::path& key);
  /// @param ca  PEM file of trusted certificates; empty: the system's
  /// @throws UsageError  the file cannot be read
  static TlsContext client(const std::filesystem::path& ca);

  /// Opens TLS on an accepted socket, which must be non-blocking and remains the caller's.
  Ssl open(int socket) const;
  /// Opens TLS on a connected socket; the certificate must be that of `host`, a name or an address.
  Ssl open(int socket, const std::string& host) const;

 private:
  explicit TlsContext(std::unique_ptr<ssl_ctx_st, SslContextDeleter> context)
      : context_(std::move(context)) {}

  std::unique_ptr<ssl_ctx_st, SslContextDeleter> context_;
};

/// Why a handshake as a client failed, and what helps.
struct TlsFailure {
  std::string message;
  std::string fix;
};
TlsFailure tls_failure_of(ssl_st* ssl);

}  // namespace femflex::service

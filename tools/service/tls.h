// TlsContext: encryption of connections by TLS (OpenSSL), for the HTTP service and its clients.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace femflex::service {

/// Deleters for the types of OpenSSL. Only tls.cpp and tcp_socket.cpp include its headers.
struct SslContextDeleter {
  void operator()(ssl_ctx_st* context) const;
};
struct SslDeleter {
  void operator()(ssl_st* ssl) const;
};
using Ssl = std::unique_ptr<ssl_st, SslDeleter>;

/// One side of encrypted connections, TLS 1.2 or newer. open() may be called by several threads.
class TlsContext {
 public:
  /// @param certificate  PEM file, with the certificates of its issuers after it, if any
  /// @param key          PEM file, not encrypted
  /// @throws UsageError  a file cannot be read, or the key does not belong to the certificate
  static TlsContext server(const std::filesystem::path& certificate,
                           const std::filesystem::path& key);
  /// @param ca  PEM file of trusted certificates; empty: those of the system
  /// @throws UsageError  the file cannot be read
  static TlsContext client(const std::filesystem::path& ca);

  /// Opens TLS on an accepted non-blocking socket. The caller still owns the socket.
  Ssl open(int socket) const;
  /// Opens TLS on a connected socket. The certificate must be valid for `host`, a name or an
  /// address.
  Ssl open(int socket, const std::string& host) const;

 private:
  explicit TlsContext(std::unique_ptr<ssl_ctx_st, SslContextDeleter> context)
      : context_(std::move(context)) {}

  std::unique_ptr<ssl_ctx_st, SslContextDeleter> context_;
};

/// The reason of a failed handshake of a client, and the remedy.
struct TlsFailure {
  std::string message;
  std::string fix;
};
TlsFailure tls_failure_of(ssl_st* ssl);

}  // namespace femflex::service

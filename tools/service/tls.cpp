// Makes OpenSSL contexts, opens connections on non-blocking sockets, and explains failed
// handshakes. Connections use our own BIO (OpenSSL's I/O object), which raises no SIGPIPE.
#include "tls.h"

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include "femflex/errors.h"

#include "assembly/agent_address.h"

namespace femflex::service {

namespace fs = std::filesystem;

namespace {

/// OpenSSL's message about its last failure; clears its error queue.
std::string openssl_message() {
  std::array<char, 256> text{};
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "no reason given";
  ERR_error_string_n(code, text.data(), text.size());
  const char* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : text.data();
}

// A BIO on a socket that never raises SIGPIPE; OpenSSL's own BIO writes without MSG_NOSIGNAL.

int socket_of(BIO* bio) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(BIO_get_data(bio)));
}

bool would_block() {
  return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

int write_socket(BIO* bio, const char* data, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t sent =
      ::send(socket_of(bio), data, static_cast<std::size_t>(size), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && would_block()) BIO_set_retry_write(bio);
  return static_cast<int>(sent);
}

int read_socket(BIO* bio, char* data, int size) {
  BIO_clear_retry_flags(bio);
  const ssize_t received =
      ::recv(socket_of(bio), data, static_cast<std::size_t>(size), MSG_DONTWAIT);
  if (received < 0 && would_block()) BIO_set_retry_read(bio);
  return static_cast<int>(received);
}

long control_socket(BIO* /*bio*/, int command, long /*number*/, void* /*data*/) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* socket_method() {
  static BIO_METHOD* const method = []() {
    BIO_METHOD* out = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
    BIO_meth_set_write(out, write_socket);
    BIO_meth_set_read(out, read_socket);
    BIO_meth_set_ctrl(out, control_socket);
    return out;
  }();
  return method;
}

using Context = std::unique_ptr<ssl_ctx_st, SslContextDeleter>;

Context make_context(const SSL_METHOD* method) {
  Context out(SSL_CTX_new(method));
  if (out == nullptr) throw UsageError("tls", "OpenSSL does not start: " + openssl_message());
  SSL_CTX_set_min_proto_version(out.get(), TLS1_2_VERSION);
  SSL_CTX_set_mode(out.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  // a renegotiation is expensive for the server and cheap for the client
  SSL_CTX_set_options(out.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // an encrypted key must give an error instead of a prompt at the terminal
  SSL_CTX_set_default_passwd_cb(out.get(), [](char*, int, int, void*) { return -1; });
  ERR_clear_error();
  return out;
}

[[noreturn]] void throw_unreadable(const char* expected, const fs::path& file, const char* fix) {
  throw UsageError("tls",
                   fmt::format("no {} can be read: {}", expected, openssl_message()),
                   {.file = file},
                   fix);
}

Ssl open_on(ssl_ctx_st* context, int socket) {
  Ssl out(SSL_new(context));
  BIO* bio = out == nullptr ? nullptr : BIO_new(socket_method());
  if (bio == nullptr) throw std::bad_alloc();
  BIO_set_data(bio, reinterpret_cast<void*>(static_cast<std::intptr_t>(socket)));
  BIO_set_init(bio, 1);
  SSL_set_bio(out.get(), bio, bio);
  return out;
}

}  // namespace

void SslContextDeleter::operator()(ssl_ctx_st* context) const {
  SSL_CTX_free(context);
}

void SslDeleter::operator()(ssl_st* ssl) const {
  SSL_free(ssl);
}

TlsContext TlsContext::server(const fs::path& certificate, const fs::path& key) {
  Context out = make_context(TLS_server_method());
  if (SSL_CTX_use_certificate_chain_file(out.get(), certificate.c_str()) != 1)
    throw_unreadable("certificate", certificate, "give a certificate in PEM form");
  if (SSL_CTX_use_PrivateKey_file(out.get(), key.c_str(), SSL_FILETYPE_PEM) != 1)
    throw_unreadable("private key that belongs to the certificate",
                     key,
                     "give its key in PEM form, without a pass phrase");
  return TlsContext(std::move(out));
}

TlsContext TlsContext::client(const fs::path& ca) {
  Context out = make_context(TLS_client_method());
  SSL_CTX_set_verify(out.get(), SSL_VERIFY_PEER, nullptr);
  if (ca.empty()) {
    SSL_CTX_set_default_verify_paths(out.get());
    return TlsContext(std::move(out));
  }
  if (SSL_CTX_load_verify_locations(out.get(), ca.c_str(), nullptr) != 1)
    throw_unreadable("certificate", ca, "give the trusted certificates in PEM form");
  // a certificate in the file is trusted regardless of its issuer
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(out.get()), X509_V_FLAG_PARTIAL_CHAIN);
  return TlsContext(std::move(out));
}

Ssl TlsContext::open(int socket) const {
  Ssl out = open_on(context_.get(), socket);
  SSL_set_accept_state(out.get());
  return out;
}

Ssl TlsContext::open(int socket, const std::string& host) const {
  Ssl out = open_on(context_.get(), socket);
  SSL_set_connect_state(out.get());
  if (tools::is_ip_address(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(out.get()), host.c_str());
  } else {
    SSL_set1_host(out.get(), host.c_str());
    SSL_set_tlsext_host_name(out.get(), host.c_str());
  }
  return out;
}

TlsFailure tls_failure_of(ssl_st* ssl) {
  const long verify_result = SSL_get_verify_result(ssl);
  if (verify_result == X509_V_OK)
    return {ERR_peek_error() == 0 ? "it ends the connection instead of speaking TLS"
                                  : "the TLS handshake failed: " + openssl_message(),
            "use the port that expects https, or http:// if there is none"};
  ERR_clear_error();
  switch (verify_result) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return {"its certificate is issued for another name", "use the host name in the certificate"};
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
      return {fmt::format("its certificate is not signed by a trusted authority ({})",
                          X509_verify_cert_error_string(verify_result)),
              "if you know it, trust it: --ca FILE, or \"ca\": \"FILE\" of the remote part, with "
              "its certificate or that of its issuer in PEM form"};
    default:
      return {fmt::format("its certificate is not valid: {}",
                          X509_verify_cert_error_string(verify_result)),
              "the owner of the agent has to renew it"};
  }
}

}  // namespace femflex::service

// http_get(): one HTTP GET over an open connection, with limits on time and size. The HTTP client
// uses it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "tcp_socket.h"

namespace femflex::service {

/// A request to an agent.
struct GetRequest {
  std::string authority;  ///< for the Host header
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// The reply of the server.
struct GetReply {
  int status = 0;
  std::string etag;      ///< without quotes
  std::string location;  ///< target of a redirect
  std::string body;
  bool is_reusable = false;  ///< the connection may be used again
};

/// Reason why an exchange ended without a reply.
enum class GetFailure : std::uint8_t { none, timeout, broken, not_http, too_large };

/// The reply, or why there is none.
struct GetOutcome {
  GetFailure failure = GetFailure::none;
  std::string first_bytes;  ///< not_http: the first bytes that were received
  GetReply reply;
};

/// One GET of HTTP/1.1 (RFC 9112) on a connection to an untrusted server. `until` limits the whole
/// exchange, and all sizes are limited. Redirects are not followed, and nothing is decompressed.
GetOutcome http_get(TcpSocket& socket,
                    const GetRequest& request,
                    std::size_t max_bytes,
                    TcpSocket::TimePoint until);

}  // namespace femflex::service

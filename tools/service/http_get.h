#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "wire.h"

namespace femflex::service {

/// What is asked of an agent.
struct GetRequest {
  std::string authority;  ///< for the Host header
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;
};

struct GetReply {
  int status = 0;
  std::string etag;      ///< without its quotes
  std::string location;  ///< of a redirect
  std::string body;
  bool keeps = false;  ///< the connection may be used again
};

/// How an exchange ended without an answer.
enum class GetFault : std::uint8_t { none, late, broken, not_http, too_large };

struct GetOutcome {
  GetFault fault = GetFault::none;
  std::string words;  ///< not_http: how the other side began
  GetReply reply;
};

/// One GET of HTTP/1.1 (RFC 9112) on a connection to a stranger: the moment bounds the whole
/// exchange, every size is bounded, redirects are not followed, and nothing is decompressed.
GetOutcome http_get(Wire& wire,
                    const GetRequest& request,
                    std::size_t most_bytes,
                    Wire::Moment until);

}  // namespace femflex::service

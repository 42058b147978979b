// Compression of HTTP responses by gzip.
#pragma once

#include <string>
#include <string_view>

namespace femflex::service {

/// Compressed for Content-Encoding: gzip (RFC 1952), at zlib's fastest level.
std::string gzipped(std::string_view text);

/// True if an Accept-Encoding header accepts gzip: named, or by '*', and not with q=0.
bool accepts_gzip(std::string_view header);

}  // namespace femflex::service

// Compression of HTTP responses by gzip, for the service.
#pragma once

#include <string>
#include <string_view>

namespace femflex::service {

/// The text compressed for Content-Encoding: gzip (RFC 1952), at zlib's fastest level.
std::string gzipped(std::string_view text);

/// True if an Accept-Encoding header accepts gzip: by its name or by '*', and without q=0.
bool accepts_gzip(std::string_view header);

}  // namespace femflex::service

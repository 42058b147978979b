// Names as parts of a URL, with %XX for marks (RFC 3986, section 2).
#pragma once

#include <string>
#include <string_view>

namespace femflex::service {

/// Letters, digits and - . _ ~ stay; every other byte becomes %XX.
std::string percent_encoded(std::string_view text);

/// %XX as its byte; what is no such triple stays, and so does '+'.
std::string percent_decoded(std::string_view text);

}  // namespace femflex::service

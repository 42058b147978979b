// Names as parts of a URL, with %XX for marks (RFC 3986, section 2).
#pragma once

#include <string>
#include <string_view>

namespace femflex::service {

/// Letters, digits and - . _ ~ stay; every other byte becomes %XX.
std::string percent_encoded(std::string_view text);

/// Replaces each %XX by its byte; other text stays as it is, including '+'.
std::string percent_decoded(std::string_view text);

}  // namespace femflex::service

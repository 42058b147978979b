// Percent encoding of names in URLs (RFC 3986, section 2); core has the way back.
#pragma once

#include <string>
#include <string_view>

namespace femflex::service {

/// Keeps letters, digits and - . _ ~ and replaces every other byte by %XX.
std::string percent_encoded(std::string_view text);

}  // namespace femflex::service

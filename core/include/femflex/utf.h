// Unicode text: names are UTF-8 inside; files of other programs hold UTF-16 or code points.
#pragma once

#include <string>
#include <string_view>

namespace femflex {

/// The code points of a text in UTF-8. A byte that does not belong to a valid sequence becomes
/// U+FFFD.
std::u32string code_points(std::string_view utf8);

/// The text in UTF-8. A number that is not a code point becomes U+FFFD.
std::string utf8_of(std::u32string_view points);

/// The same text in UTF-16; code points above U+FFFF become two units.
std::u16string utf16_of(std::string_view utf8);

}  // namespace femflex

// Decodes UTF-8 strictly (RFC 3629) and replaces control and direction characters by '?'.
#include "document/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace femflex::tools {
namespace {

struct CodeRange {
  std::uint32_t first, last;
};
/// Replaced characters: C0 and C1 controls, invisible and direction marks, line and paragraph
/// separators.
constexpr std::array<CodeRange, 6> kReplaced{{{0x00, 0x1f},
                                              {0x7f, 0x9f},
                                              {0x200b, 0x200f},
                                              {0x2028, 0x202e},
                                              {0x2060, 0x206f},
                                              {0xfeff, 0xfeff}}};

/// Decodes the UTF-8 character at the start of `text` (RFC 3629).
/// @param point  receives its code point
/// @return its length in bytes, 0 if there is none
std::size_t character_at(std::string_view text, std::uint32_t& point) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  const std::uint32_t first = byte(0);
  if (first < 0x80) {
    point = first;
    return 1;
  }
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  point = first & (0x7fU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0U) != 0x80U) return 0;
    point = point << 6U | (byte(k) & 0x3fU);
  }
  // smallest code point for each length, because longer encodings than necessary are not allowed
  constexpr std::array<std::uint32_t, 5> kMinCode{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = point >= 0xd800 && point <= 0xdfff;
  return point >= kMinCode[length] && point <= 0x10ffff && !is_surrogate ? length : 0;
}

}  // namespace

std::size_t character_bytes(std::string_view text) {
  std::uint32_t point = 0;
  return character_at(text, point);
}

std::string plain_text(std::string_view text, std::size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t point = 0;
    const std::size_t length = character_at(text, point);
    const bool is_shown =
        length > 0 && std::none_of(kReplaced.begin(), kReplaced.end(), [&](const CodeRange& range) {
          return point >= range.first && point <= range.last;
        });
    if (out.size() + std::max<std::size_t>(length, 1) > max_bytes) return out + "...";
    out += is_shown ? text.substr(0, length) : std::string_view("?");
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace femflex::tools

// Reads the Fortran format of a block: count, kind and width of each group of columns.
#include "ansys/block_columns.h"

#include <cstdint>

#include "femflex/number.h"

namespace femflex::importer {

std::optional<BlockColumns> block_columns_of(std::string_view format) {
  constexpr std::int64_t kMostColumns = 1000;  // a line of a deck has a few hundred
  constexpr std::size_t kMostDigits = 18;      // what 64 bits hold
  if (!format.starts_with("(") || !format.ends_with(")")) return std::nullopt;
  std::string_view text = format.substr(1, format.size() - 2);
  BlockColumns out;
  while (!text.empty()) {
    std::int64_t count = 1;
    std::int64_t width = 0;
    if (text.front() >= '0' && text.front() <= '9') take_integer(text, count);
    const char kind = text.empty() ? ' ' : text.front();
    text.remove_prefix(text.empty() ? 0 : 1);
    if (!take_integer(text, width) || count < 1 || width < 1 || count > kMostColumns ||
        width > kMostColumns)
      return std::nullopt;
    if (kind == 'i' || kind == 'I') {
      out.integers = static_cast<std::size_t>(count);
      out.integer_width = static_cast<std::size_t>(width);
    } else if (kind == 'e' || kind == 'E' || kind == 'g' || kind == 'G') {
      out.real_width = static_cast<std::size_t>(width);
    }
    const std::size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  if (out.integers == 0 || out.integer_width > kMostDigits) return std::nullopt;
  return out;
}

}  // namespace femflex::importer

// Reads the Fortran format of a block: count, kind and width of each group of columns.
#include "ansys/block_columns.h"

#include <cstdint>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::importer {

std::optional<BlockColumns> block_columns_of(std::string_view format) {
  constexpr std::int64_t kMostColumns = 1000;  // a line of a deck has a few hundred
  constexpr std::int64_t kMostDigits = 18;     // what 64 bits hold
  if (!format.starts_with("(") || !format.ends_with(")")) return std::nullopt;
  std::string_view text = format.substr(1, format.size() - 2);
  BlockColumns out;
  std::size_t end = 0;  // of the fields so far
  while (!text.empty()) {
    std::int64_t count = 1;
    std::int64_t width = 0;
    if (is_digit(text.front())) take_integer(text, count);
    const char kind = text.empty() ? ' ' : text.front();
    text.remove_prefix(text.empty() ? 0 : 1);
    if (!take_integer(text, width) || count < 1 || width < 1 || count > kMostColumns ||
        width > kMostColumns)
      return std::nullopt;
    if (kind == 'i' || kind == 'I') {
      if (width > kMostDigits) return std::nullopt;
      for (std::int64_t k = 0; k < count; ++k)
        out.integers.push_back(
            {end + static_cast<std::size_t>(k * width), static_cast<std::size_t>(width)});
    } else if (out.real_width == 0 &&
               std::string_view("eEgG").find(kind) != std::string_view::npos) {
      out.real_start = end;
      out.real_width = static_cast<std::size_t>(width);
    }
    end += static_cast<std::size_t>(count * width);
    const std::size_t comma = text.find(',');
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  if (out.integers.empty() || out.integers.size() > kMostColumns) return std::nullopt;
  return out;
}

}  // namespace femflex::importer

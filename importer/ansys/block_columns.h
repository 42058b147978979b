// The columns of a block in an ANSYS deck, which its second line gives as a Fortran format.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// A row has integers first, then reals of one width.
struct BlockColumns {
  struct Field {
    std::size_t start = 0, width = 0;
  };
  std::vector<Field> integers;
  std::size_t real_start = 0, real_width = 0;  ///< width 0: without reals
};

/// Reads a format such as (3i9,6e21.13e3) or (1i7,2i9,6e21.13); empty if the text is none, or has
/// no integers.
std::optional<BlockColumns> block_columns_of(std::string_view format);

}  // namespace femflex::importer

// The columns of a block in an ANSYS deck, which its second line gives as a Fortran format.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace femflex::importer {

/// A row has `integers` of one width first, then reals of one width.
struct BlockColumns {
  std::size_t integers = 0, integer_width = 0;
  std::size_t real_width = 0;  ///< 0: there are none
};

/// Reads a format such as (3i9,6e21.13e3); empty if the text is none, or has no integers.
std::optional<BlockColumns> block_columns_of(std::string_view format);

}  // namespace femflex::importer

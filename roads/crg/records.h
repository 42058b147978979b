// Reads the road data of a .crg file: rows of numbers in records of 80 bytes, as text or big-endian
// binary. read_crg() calls it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::roads::crg {

/// The encoding of numbers: [OpenCRG 1.2, 6.4.4].
struct Encoding {
  bool is_text = false;    ///< formatted (LRFI, LDFI) or binary (KRBI, KDBI)
  bool is_double = false;  ///< true: 8 bytes or 20 characters per number; false: 4 bytes or 10
                           ///< characters
};

/// Position of the first data.
struct DataPlace {
  std::string file;
  std::size_t offset = 0;
  std::int64_t line = 0;
};

/// All numbers by rows of `channels` numbers; NaN: no value.
/// @throws ParseError  the data end within a record or row, or a field is not a number
std::vector<double> read_rows(std::string_view bytes,
                              const DataPlace& place,
                              const Encoding& encoding,
                              std::size_t channels);

}  // namespace femflex::roads::crg

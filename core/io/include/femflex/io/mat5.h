// Matrices of real numbers in MATLAB files of level 5 (`save -v6`, `-v7`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::io {

/// A full array of real numbers, stored column by column.
struct MatArray {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

/// A sparse matrix of real numbers, compressed by columns.
struct MatSparse {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<std::int64_t> start;  ///< one per column and one more: offsets into `row`, ascending
  std::vector<std::int32_t> row;    ///< from 0, below `rows`
  std::vector<double> values;
};

struct MatFile {
  std::vector<MatArray> arrays;
  std::vector<MatSparse> sparse;
  std::vector<std::string> others;  ///< names of other variables: structs, cells, texts, ...
};

/// True if the bytes start like a MATLAB file of level 5.
bool is_mat5(std::string_view bytes);

/// Reads the variables of a level 5 file in either byte order. The file is a sequence of elements:
/// a tag (type, number of bytes), then data padded to 8 bytes. A variable is a miMATRIX element
/// (flags, dimensions, name, real part), or such an element packed in a miCOMPRESSED one. A sparse
/// one has rows and starts of columns before its real part.
/// @throws ParseError  the file breaks its format or ends early
MatFile read_mat5(std::string_view bytes, const std::string& file);

}  // namespace femflex::io

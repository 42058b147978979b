// Arrays of real numbers in MATLAB files of level 5 (`save -v6`, `-v7`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex::tools {

/// A full array of real numbers, column after column.
struct MatArray {
  std::string name;
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;
};

struct MatFile {
  std::vector<MatArray> arrays;
  std::vector<std::string> others;  ///< names of other variables: structs, cells, texts, ...
};

/// True if the bytes begin as a MATLAB file of level 5.
bool is_mat5(std::string_view bytes);

/// Reads the variables of a level 5 file in either byte order. The file is a sequence of elements:
/// a tag (type, number of bytes), then data padded to 8 bytes. A variable is a miMATRIX element
/// (flags, dimensions, name, real part), or such an element packed in a miCOMPRESSED one.
/// @throws ParseError  the file breaks its format or ends early
MatFile read_mat5(std::string_view bytes, const std::string& file);

}  // namespace femflex::tools

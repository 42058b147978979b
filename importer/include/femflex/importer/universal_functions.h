// Functions of universal files (data set 58): measured histories, spectra and frequency responses,
// for those who drive a system with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/lines.h"

namespace femflex::importer {

/// One function, in the units of the file.
struct UniversalFunction {
  std::int64_t type = 0;      ///< 1 time response, 4 frequency response, 9 density, ...
  std::int64_t abscissa = 0;  ///< 17 time, 18 frequency
  /// Where it was measured, such as 12+Z; of a response to something, 12+Z/3+X. RX to RZ are
  /// rotations; the direction of a scalar is left out.
  std::string name;
  bool is_complex = false;
  std::vector<double> x;  ///< abscissas
  std::vector<double> y;  ///< values; complex ones as (re, im)
};

/// "time response", "frequency response", ...; "function of type 25" if it has no name here.
std::string text_of_function(std::int64_t type);

/// Reads one function; `lines` stands on the line with its number, 58, and then behind its last
/// line, which is -1.
///   lines 1 to 5  texts; 6: type, number, version, load case, response name, node, direction,
///                 reference name, node, direction (0 scalar, +-1 to 3 X to Z, +-4 to 6 about them)
///   line 7        2 and 4 real, 5 and 6 complex, of single and double precision; count; 1 if the
///                 abscissas are even; the first one; their step
///   lines 8 to 11 what the axes are; line 8 begins with the kind of abscissa
///   then values   E13.5 or E20.12; with uneven abscissas x and value in turns
/// A set `58b` has the same eleven lines, and then bytes of IEEE numbers: its first line has the
/// byte order (1 little, 2 big), the format (2), the number of lines and the number of bytes.
/// @param with_values  false: the numbers are stepped over
/// @throws ParseError
UniversalFunction read_universal_function(std::string_view bytes,
                                          Lines& lines,
                                          bool with_values,
                                          const std::string& file);

/// All functions of a universal file, in their order.
/// @throws ParseError  the file or a function is damaged, or it has no functions
std::vector<UniversalFunction> read_universal_functions(const std::filesystem::path& path);

}  // namespace femflex::importer

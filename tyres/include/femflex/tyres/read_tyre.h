// From the names and values of a `.tir` file to a tyre in SI units.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/tyres/tir_file.h"
#include "femflex/tyres/tyre.h"

namespace femflex::tyres {

struct ReadTyre {
  Tyre tyre;
  std::vector<std::string> missing;  ///< coefficients of the law that the file lacks; taken as 0
  std::vector<std::string> unused;   ///< coefficients of the file that the law does not have
};

/// The tyre of a file: units of its [UNITS] block to SI, scaling factors, ranges, side, use mode.
/// The law follows from FITTYP or PROPERTY_FILE_FORMAT; docs/formats/tir.md has the names.
///
/// @throws ParseError  unknown law or unit, a value that is not a number
/// @throws ModelError  a value without which the formulas have no meaning (load, radius, ...) is
///                     missing or has the wrong sign; a range whose ends are swapped
ReadTyre make_tyre(const TirFile& file, Diagnostics& notes);

/// parse_tir() and make_tyre().
ReadTyre read_tyre(std::string_view bytes, std::string_view name, Diagnostics& notes);

}  // namespace femflex::tyres

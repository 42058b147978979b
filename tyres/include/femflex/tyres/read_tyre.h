// make_tyre(): converts the names and values of a `.tir` file to a tyre in SI units.
// tools/system/wheels.cpp calls read_tyre().
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
  std::vector<std::string> missing;  ///< coefficients of the law that are missing in the file;
                                     ///< their values are 0
  std::vector<std::string> unused;   ///< coefficients in the file that the law does not have
};

/// Makes the tyre: converts the units of the file's [UNITS] block to SI, and reads scaling factors,
/// ranges, side and use mode. The law follows from FITTYP or PROPERTY_FILE_FORMAT;
/// docs/formats/tir.md lists the names.
///
/// @throws ParseError  unknown law or unit, or a value that is not a number
/// @throws ModelError  a value required by the formulas (load, radius, ...) is missing or has the
/// wrong sign, or the ends of a range are swapped
ReadTyre make_tyre(const TirFile& file, Diagnostics& notes);

/// Calls parse_tir() and make_tyre().
ReadTyre read_tyre(std::string_view bytes, std::string_view name, Diagnostics& notes);

}  // namespace femflex::tyres

// Finds the units of a universal file by their number or by their factors.
#include "exchange/universal_units.h"

#include <cmath>

#include "femflex/number.h"

namespace femflex::importer {

std::optional<Units> universal_units(std::int64_t number, std::string_view factors) {
  switch (number) {
    case 1:  // m, N
      return parse_units("m-kg-s");
    case 2:  // ft, lbf
      return parse_units("ft-lbf-s");
    case 5:  // mm, mN
      return parse_units("mm-kg-s");
    case 7:  // in, lbf
      return parse_units("in-lbf-s");
    case 10:  // mm, N
      return parse_units("mm-t-s");
    default:
      break;
  }
  double length = 0.0;
  double force = 0.0;
  if (!take_real(factors, length) || !take_real(factors, force)) return std::nullopt;
  constexpr double kSixDigits = 1e-6;
  for (const std::string& name : unit_names()) {
    Units units = parse_units(name);
    if (std::abs(length * units.length - 1.0) < kSixDigits &&
        std::abs(force * units.force() - 1.0) < kSixDigits)
      return units;
  }
  return std::nullopt;
}

}  // namespace femflex::importer

// A small library of Woehler curves from codes and textbooks, by names such as "iiw:71".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "femflex/durability/woehler.h"

namespace femflex::durability {

struct LibraryCurve {
  WoehlerCurve curve;
  std::string source;  ///< where the numbers come from
};

/// The curve FAMILY:CLASS of the library. Families: iiw, eurocode3 (class in MPa at 2e6 cycles),
/// dnv (C to W3, in air), fkm-steel, fkm-cast-steel, fkm-nodular-iron, fkm-grey-iron,
/// fkm-aluminium, fkm-cast-aluminium and textbook-steel (tensile strength in MPa).
/// docs/formats/woehler.md says what each is for.
/// @return  nothing if the part before the colon is not a family
/// @throws UsageError  the family has no such class
std::optional<LibraryCurve> library_curve(std::string_view name);

}  // namespace femflex::durability

// Reads and writes the text form of parts (dynamic stiffnesses R(s) on ports), in which parts are
// printed, typed in and exchanged.
#pragma once

#include <string>
#include <string_view>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// Limits for reading untrusted text; text beyond them is refused.
struct TextLimits {
  std::size_t bytes = std::size_t{64} << 20U;
  std::size_t ports = 5000;
  std::size_t terms = 64;  ///< maximum number of terms of one polynomial
};

/// Reads the canonical form `{ [ a b c ] [ 0 ] ; [ ... ] [ ... ] } kg\(s^2)`: one polynomial in
/// descending powers of s for each entry, with rows ended by `;`, then the unit of R.  The unit is
/// a mass (kg, g, t, lb) divided by a time (s, ms) squared, written with `\`, `\\` or `/`, or N/m,
/// kN/m, lbf/in; with ms the variable of the polynomials is 1/ms.  With a unit of mass / time^2,
/// lengths are in metres. `ports 2` after the unit says that only the first two coordinates are
/// ports, and the others are inner coordinates, which carry no force.
/// @param name  name of the part, also used in messages
/// @throws ParseError  names the byte, and what was expected there
/// @throws ModelError  the matrix is not square
DynamicStiffness read_text(std::string_view text,
                           const std::string& name = {},
                           const TextLimits& limits = {});

/// Writes the canonical form, one row per line, in `kg\(s^2)`.  Numbers are the shortest that read
/// back to the same value.  A part with inner coordinates ends in `ports N`.
/// @throws ModelError  more coordinates than TextLimits allows a reader
std::string write_text(const DynamicStiffness& part);

}  // namespace femflex::substructure

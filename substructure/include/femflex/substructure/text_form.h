#pragma once

#include <string>
#include <string_view>

#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// Limits for reading untrusted text.
struct TextLimits {
  std::size_t bytes = std::size_t{64} << 20U;
  std::size_t ports = 5000;
  std::size_t terms = 64;  ///< of one polynomial
};

/// Reads the canonical form `{ [ a b c ] [ 0 ] ; [ ... ] [ ... ] } kg\(s^2)`: one polynomial in
/// falling powers of s for each entry, rows ended by `;`, then the unit of R.  The unit is a mass
/// (kg, g, t, lb) over a time (s, ms) squared, written with `\`, `\\` or `/`, or N/m, kN/m, lbf/in;
/// with ms the variable of the polynomials is 1/ms.  Lengths are metres in the mass over time form.
/// @param name  of the part, and for messages
/// @throws ParseError  with the byte, and what was expected there
/// @throws ModelError  the matrix is not square
DynamicStiffness read_text(std::string_view text,
                           const std::string& name = {},
                           const TextLimits& limits = {});

/// The canonical form, one row per line, `kg\(s^2)`.  Numbers are the shortest that read back to
/// the same value.
/// @throws ModelError  the part has inner coordinates, which this form cannot represent
std::string write_text(const DynamicStiffness& part);

}  // namespace femflex::substructure

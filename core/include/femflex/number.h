// Reads numbers from text of solvers and tables, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace femflex {

/// Takes a real off the front of `text` (leading blanks too): 1.5, .5, 5., -1.5E2, 1.5D+02, 7.27-4.
/// Exponent without a letter: a sign and 1 to 3 digits, not followed by a point or an exponent
/// letter (7.27-4 is 7.27e-4, and 5-10 is 5e-10). Any other sign begins the next number
/// (0.0E+00-1.1E+03). Too small values become 0.
/// Returns false and takes nothing, with `value` unspecified, if no number begins there, it
/// overflows, or its exponent needs rewriting and it has more than 510 characters.
bool take_real(std::string_view& text, double& value) noexcept;

/// Takes an integer off the front of `text`, including leading blanks and a sign. Returns false and
/// takes nothing if none begins there or 64 bits do not hold it.
bool take_integer(std::string_view& text, std::int64_t& value) noexcept;

/// The whole field as a number. Blanks around it are ignored; empty if the field is not a number.
std::optional<double> parse_real(std::string_view field) noexcept;
std::optional<std::int64_t> parse_integer(std::string_view field) noexcept;

}  // namespace femflex

// Reads numbers from machine-written text, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace femflex {

/// Takes a real off the front of `text` (leading blanks too): 1.5, .5, 5., -1.5E2, 1.5D+02, 7.27-4.
/// A sign after the mantissa begins an exponent (7.27-4) if one to three digits follow it and then
/// neither a point nor an exponent letter; otherwise, and after an exponent, it begins the next
/// number (0.0E+00-1.1E+03). Returns false and takes nothing if no number begins there or it
/// overflows. Too small values become 0.
bool take_real(std::string_view& text, double& value) noexcept;

/// Takes an integer off the front of `text`, including leading blanks and a sign. Returns false and
/// takes nothing if none begins there or 64 bits do not hold it.
bool take_integer(std::string_view& text, std::int64_t& value) noexcept;

/// The whole field as a number. Blanks around it are ignored; empty if the field is not a number.
std::optional<double> parse_real(std::string_view field) noexcept;
std::optional<std::int64_t> parse_integer(std::string_view field) noexcept;

}  // namespace femflex

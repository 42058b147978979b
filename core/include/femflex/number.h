// Reads numbers from machine-written text, independent of the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace femflex {

/// Takes a real off the front of `text` (leading blanks too): 1.5, .5, 5., -1.5E2, 1.5D+02, and
/// 7.27-4 as NASTRAN and Fortran write it. Stops at the first byte that cannot belong to it, so
/// numbers may touch: 0.0E+00-1.1E+03. Returns false and takes nothing if no number begins there or
/// the number overflows. Values too small for a double become 0.
bool take_real(std::string_view& text, double& value) noexcept;

/// Takes an integer off the front of `text`, including leading blanks and a sign.
bool take_integer(std::string_view& text, std::int64_t& value) noexcept;

/// The whole field as a number. Blanks around it are ignored; empty if the field is not a number.
std::optional<double> parse_real(std::string_view field) noexcept;
std::optional<std::int64_t> parse_integer(std::string_view field) noexcept;

}  // namespace femflex

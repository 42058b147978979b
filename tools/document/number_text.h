// number_of_text(): a finite number that a user writes in a text: in an option, in a name, or with
// a unit. All readers of such texts use it.
#pragma once

#include <optional>
#include <string_view>

#include "femflex/number.h"
#include "femflex/text.h"

namespace femflex::tools {

/// The number that the text is: 120, +.5, 1e3, 1.5D2. Blanks may stand around it, and `unit` after
/// it: "120 Hz". Its exponent has a letter: 5-10, which solvers write for 5e-10, is not a number.
inline std::optional<double> number_of_text(std::string_view text, std::string_view unit = {}) {
  text = trimmed(text, is_white_space);
  std::string_view rest = text;
  double value = 0.0;
  if (!take_real(rest, value)) return std::nullopt;
  for (std::size_t k = 1; k < text.size() - rest.size(); ++k)
    if ((text[k] == '-' || text[k] == '+') && (is_digit(text[k - 1]) || text[k - 1] == '.'))
      return std::nullopt;
  rest = trimmed(rest);
  if (!rest.empty() && rest != unit) return std::nullopt;
  return value;
}

}  // namespace femflex::tools

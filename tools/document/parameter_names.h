// The names that parameters of systems and lattices may have.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Whether a character can be part of a name in a formula.
bool is_name_character(char c);

/// Checks the name of a parameter, the key of `parameter`.
/// @throws ParseError  a name that formulas read as something else: t, pi
void check_parameter_name(const Json::Member& parameter);

}  // namespace femflex::tools

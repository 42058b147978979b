#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Writes out members that mean several: `"eye_{left|right}": { "b": "chassis/{1|5}" }`
/// becomes `eye_left` with chassis/1 and `eye_right` with chassis/5. Every text and key inside such
/// a member takes its first, second, ... choice; texts in a list outside any become one entry a
/// choice.
/// @throws ParseError  choices of different number in one member, or a name that is written out
/// twice
void write_out_pairs(Json& document);

}  // namespace femflex::tools

// Expands members of a document such as "eye_{left|right}", which describe several parts at once.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Expands members that mean several: `"eye_{left|right}": { "b": "chassis/{1|5}" }`
/// becomes `eye_left` with chassis/1 and `eye_right` with chassis/5. Every text and key inside such
/// a member takes its first, second, ... choice; texts in a list outside such a member become one
/// entry per choice.
/// @throws ParseError  choices of different number in one member, or an expanded name that appears
/// twice
void write_out_pairs(Json& document);

}  // namespace femflex::tools

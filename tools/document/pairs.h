// Expands members of a document such as "eye_{left|right}", which describe several parts at once.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Expands members whose name has choices: `"eye_{left|right}": { "b": "chassis/{1|5}" }` becomes
/// `eye_left` with chassis/1 and `eye_right` with chassis/5. In the first copy every text and key
/// takes its first choice, in the second its second, and so on. A text with choices in a list
/// outside such a member becomes one item per choice.
/// @throws ParseError  the numbers of choices in one member differ, or an expanded name appears
/// twice
void expand_pairs(Json& document);

}  // namespace femflex::tools

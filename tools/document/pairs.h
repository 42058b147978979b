// expand_pairs(): expands members of a document such as "eye_{left|right}", which describe several
// parts at once. load_document() calls it.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Expands members whose name contains choices: `"eye_{left|right}": { "b": "chassis/{1|5}" }`
/// becomes `eye_left` with chassis/1 and `eye_right` with chassis/5. Copy n takes choice n in all
/// texts and keys. In a list outside such a member, a text with choices becomes one item per
/// choice.
/// @throws ParseError  the numbers of choices in a member differ, or an expanded name occurs twice
void expand_pairs(Json& document);

}  // namespace femflex::tools

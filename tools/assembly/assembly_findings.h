// findings_of(): what the recipient of a part can infer about its interior. The owner reads this
// report before offering the part.
#pragma once

#include <string>

#include "femflex/substructure/dynamic_stiffness.h"

#include "assembly/part_book.h"
#include "document/json.h"

namespace femflex::tools {

/// The information that a recipient can recover from the dynamics of a part, as a document and as
/// text.
struct Findings {
  Json document;
  std::string text;
};
/// @param part  the dynamics of part `part_number` as clients receive them
Findings findings_of(PartBook& book,
                     const std::string& part_number,
                     const substructure::DynamicStiffness& part);

}  // namespace femflex::tools

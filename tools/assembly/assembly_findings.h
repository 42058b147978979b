#pragma once

#include <string>

#include "femflex/substructure/dynamic_stiffness.h"

#include "assembly/part_book.h"
#include "document/json.h"

namespace femflex::tools {

/// What somebody who is given a part can work out, as a document and as sentences.
struct Findings {
  Json document;
  std::string text;
};
/// @param part  as it goes out, the dynamics of `number`
Findings findings_of(PartBook& book,
                     const std::string& number,
                     const substructure::DynamicStiffness& part);

}  // namespace femflex::tools

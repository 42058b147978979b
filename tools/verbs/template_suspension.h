// The templates of leaf springs that are mechanisms.
#pragma once

namespace femflex::verbs {

extern const char* const kThreeLinkLeaf;
extern const char* const kBeamLeaf;

}  // namespace femflex::verbs

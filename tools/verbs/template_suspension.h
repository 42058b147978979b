// Templates of leaf springs modelled as mechanisms, for the verb new.
#pragma once

namespace femflex::verbs {

extern const char* const kThreeLinkLeaf;
extern const char* const kBeamLeaf;

}  // namespace femflex::verbs

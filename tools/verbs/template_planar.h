// Templates of planar mechanisms, for the verb new.
#pragma once

namespace femflex::verbs {

// Planar mechanisms that start from joint coordinates; examples/planar contains the same texts.
extern const char* const kCraneCrab;
extern const char* const kDoublePendulum;
extern const char* const kFourBar;

}  // namespace femflex::verbs

// Example documents of planar mechanisms that `femflex new` writes.
#pragma once

namespace femflex::verbs {

// Planar mechanisms that start from joint coordinates; the same texts are examples/planar.
extern const char* const kCraneCrab;
extern const char* const kDoublePendulum;
extern const char* const kFourBar;

}  // namespace femflex::verbs

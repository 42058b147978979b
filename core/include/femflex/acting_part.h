// Removes left-out shapes from a flexible body. `reduce --left-out` appends these shapes after the
// other modes and disables them: they do not move in a simulation, but show what it leaves out.
#pragma once

#include "femflex/flex_body.h"

namespace femflex {

/// True if the body has no left-out shapes: its last mode is enabled, or all modes are disabled.
bool has_only_acting_modes(const FlexBody& body);

/// The body without its left-out shapes, which are the disabled modes after the last enabled one.
/// Disabled modes before that one stay, as do nodes, masses and the list of rejected modes. If all
/// modes are disabled, all stay.
FlexBody acting_part(const FlexBody& body);

}  // namespace femflex

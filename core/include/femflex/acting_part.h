// The part of a flexible body that moves: its enabled modes alone.
#pragma once

#include "femflex/flex_body.h"

namespace femflex {

/// Whether every mode of the body acts.
bool has_only_acting_modes(const FlexBody& body);

/// The body without its disabled modes, such as the left-out shapes that `reduce --left-out` adds.
/// Rejected modes, nodes and masses stay.
FlexBody acting_part(const FlexBody& body);

}  // namespace femflex

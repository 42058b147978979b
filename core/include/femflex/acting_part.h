// The part of a flexible body that moves, without the shapes that `reduce --left-out` appends.
#pragma once

#include "femflex/flex_body.h"

namespace femflex {

/// Whether the body has no left-out shapes: its last mode is enabled, or none is.
bool has_only_acting_modes(const FlexBody& body);

/// The body without the disabled modes after its last enabled one, which are the left-out shapes.
/// Disabled modes among the others, rejected modes, nodes and masses stay.
FlexBody acting_part(const FlexBody& body);

}  // namespace femflex

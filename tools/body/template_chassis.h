// The FE model of the chassis in the truck template of `femflex new`.
#pragma once

#include "femflex/fe_model.h"

namespace femflex::tools {

/// A ladder frame of 6 m for the template of a truck, so that the template runs unchanged: two
/// rails 0.8 m apart, each of two chords 0.2 m apart, in twelve bays of point masses on bars. The
/// node of bay s = 0..12 at x = s/2 m is 100 (s + 1) plus 1 right bottom, 2 right top, 3 left
/// bottom, 4 left top. The wheels are at bays 2 and 10; the frame weighs 520 kg and its first
/// bending mode is near 20 Hz.
FeModel template_chassis();

}  // namespace femflex::tools

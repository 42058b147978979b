// gallery(): the ten models that every live page offers.
#pragma once

#include <vector>

#include "live/live_session.h"

namespace femflex::live {

/// Ten models to watch: a net of FyDiK, lattices of the report of 2007 (docs/bibliography.md),
/// planar mechanisms of a lecture, a slider-crank with a flexible rod, and a truck on a frame with
/// 20 modes.
std::vector<LiveSource> gallery();

}  // namespace femflex::live

// The ten models that every live page offers.
#pragma once

#include <vector>

#include "live/live_session.h"

namespace femflex::live {

/// Ten models to watch: FyDiK's, those of the thesis of 2007, of the planar lecture, a slider-crank
/// with a flexible rod, and a truck on its frame of 20 modes.
std::vector<LiveSource> gallery();

}  // namespace femflex::live

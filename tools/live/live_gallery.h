// The ten models that every live page offers.
#pragma once

#include <vector>

#include "live/live_session.h"

namespace femflex::live {

/// Ten models to watch: one of FyDiK, those of the document of 2007 (docs/bibliography.md) and of a
/// lecture on planar mechanisms, a slider-crank with a flexible rod, and a truck on its frame of 20
/// modes.
std::vector<LiveSource> gallery();

}  // namespace femflex::live

// Generates road profiles for tyres by ISO 8608.
#pragma once

#include <cstdint>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Heights of a road of an ISO 8608 class: a sum of harmonics with the class's mean displacement
/// spectrum, wave numbers 0.01 to 10 cycles per metre, phases from `seed`.
Table iso8608_profile(char iso_class, std::uint64_t seed, double length);

}  // namespace femflex::mbd_solver

// Generates random road profiles by ISO 8608 for the force law Tyre.
#pragma once

#include <cstdint>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Heights of a road of an ISO 8608 class: a sum of harmonics with the mean displacement spectrum
/// of the class, wave numbers 0.01 to 10 cycles per metre, phases from `seed`.
Table iso8608_profile(char iso_class, std::uint64_t seed, double length);

}  // namespace femflex::mbd_solver

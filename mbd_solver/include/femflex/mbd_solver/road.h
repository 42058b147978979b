// iso8608_profile(): the random road of the force law Tyre, for callers that run many systems on
// it.
#pragma once

#include <cstdint>

#include "femflex/mbd_solver/system.h"

namespace femflex::mbd_solver {

/// Heights of a road of an ISO 8608 class: a sum of harmonics with the mean displacement spectrum
/// of the class, wave numbers 0.01 to 10 cycles per metre, phases from `seed`. Compiling a system
/// makes it for every Road::Kind::iso8608 whose Road::profile is empty.
/// @throws ModelError  no such class, or the length is out of range
Table iso8608_profile(char iso_class, std::uint64_t seed, double length);

}  // namespace femflex::mbd_solver

// Checks that a lattice fits into memory before it is made, so that the program is not killed
// half-way.
#pragma once

#include <optional>

#include "femflex/errors.h"

namespace femflex::tools {

/// Bytes that this process can still take: the least of what the machine has, its control group
/// allows and its own limit leaves; empty if no limit is known.
std::optional<double> memory_at_hand();

/// Checks that there is memory for a lattice.
/// @throws NumericalError  too little is free; the message says how much is needed and free and, by
/// `place`, where it was requested
void require_memory(double nodes, double springs, const Where& place);

/// The same for a lattice that is read from a text of this size.
void require_memory_to_read(double bytes, const Where& place);

}  // namespace femflex::tools

// Checks that a lattice fits into memory before it is created, so that the system does not kill the
// program. The lattice readers call it.
#pragma once

#include "femflex/errors.h"

namespace femflex::tools {

/// Checks that there is enough memory for a lattice.
/// @throws NumericalError  there is not; the message contains the required and the free amount, and
/// the place of the request
void require_memory(double nodes, double springs, const Where& place);

/// The same for a lattice that is read from a text of `bytes` bytes.
void require_memory_to_read(double bytes, const Where& place);

}  // namespace femflex::tools

#pragma once

#include <Eigen/Core>

#include "femflex/diagnostics.h"

namespace femflex::modal {

/// What `columns` shapes of `rows` DOF take while they are computed and projected [bytes].
double shape_memory(Eigen::Index rows, Eigen::Index columns);
/// What this process may have: the memory of the machine, or its limit (ulimit -v) [bytes].
double memory_limit();

/// Before hours of work end in want of memory. A warning from half of `limit` on.
/// @throws NumericalError  the shapes need more than `limit`
void check_memory(Eigen::Index rows, Eigen::Index columns, double limit, Diagnostics& diagnostics);

}  // namespace femflex::modal

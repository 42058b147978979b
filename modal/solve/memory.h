// Estimates the memory that the shapes of a reduction need, and checks that it is available.
#pragma once

#include <Eigen/Core>

#include "femflex/diagnostics.h"

namespace femflex::modal {

/// Memory that `columns` shapes of `rows` DOFs need while they are computed and projected [bytes].
double shape_memory(Eigen::Index rows, Eigen::Index columns);
/// Memory available to this process: that of the machine, or its limit (ulimit -v) [bytes].
double memory_limit();

/// Memory that this process has taken so far [bytes]; 0 where the system does not tell.
double resident_memory();

/// Checks the memory before hours of work fail for lack of it. Warns from half of `limit` on.
/// @throws NumericalError  the shapes need more than `limit`
void check_memory(Eigen::Index rows, Eigen::Index columns, double limit, Diagnostics& diagnostics);

}  // namespace femflex::modal

// Estimates the memory that the shapes of a reduction need, and checks that it is available.
#pragma once

#include <string_view>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/memory.h"

namespace femflex::modal {

inline constexpr double kGigabyte = 1e9;  // [bytes]

/// Memory that `columns` shapes of `rows` DOFs need while they are computed and projected [bytes].
double shape_memory(Eigen::Index rows, Eigen::Index columns);

inline constexpr std::string_view kFewerShapes =
    "take fewer interface nodes or modes, or a machine with more memory";
/// Checks the memory before hours of work fail for lack of it. Warns from half of `limit` on.
/// @param fix  what the error advises
/// @throws NumericalError  the shapes need more than `limit`
void check_memory(Eigen::Index rows,
                  Eigen::Index columns,
                  double limit,
                  Diagnostics& diagnostics,
                  std::string_view fix = kFewerShapes);

/// Warns before a constraint mode is computed for each of a thousand interface DOFs or more:
/// foretells memory and time, and what a reduced interface takes.
/// @param rows       unknowns of the model
/// @param interface  those at the interface
void warn_of_large_interface(Eigen::Index rows, Eigen::Index interface, Diagnostics& diagnostics);

}  // namespace femflex::modal

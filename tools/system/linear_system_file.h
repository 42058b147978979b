// Files of a linearised system: A, B, C, D with names, as .mat, .npz or .csv.
#pragma once

#include <filesystem>

#include "femflex/mbd_solver/linear_system.h"

namespace femflex::tools {

/// @throws UsageError  no such kind of file
void check_linear_system_file(const std::filesystem::path& path);

/// Writes A, B, C, D, the step and the names of states, inputs and outputs; .csv: one table
/// [A B; C D] whose first row and column are names.
/// @throws UsageError  no such kind of file, or it cannot be written
void write_linear_system(const mbd_solver::LinearSystem& system, const std::filesystem::path& path);

}  // namespace femflex::tools

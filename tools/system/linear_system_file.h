// Writes the matrices A, B, C, D of a linearised system with their names, as .mat, .npz or .csv.
// The verb linearise uses it.
#pragma once

#include <filesystem>

#include "femflex/mbd_solver/linear_system.h"

#include "document/matrix_file.h"

namespace femflex::tools {

/// @throws UsageError  the file extension is not supported
void check_linear_system_file(const std::filesystem::path& path);

/// Writes A, B, C, D, the step and the names of states, inputs and outputs; .csv: one table
/// [A B; C D] whose first row and column are names.
/// @throws UsageError  no such kind of file, or it cannot be written
void write_linear_system(const mbd_solver::LinearSystem& system,
                         const std::filesystem::path& path,
                         MatLevel level = MatLevel::by_size);

}  // namespace femflex::tools

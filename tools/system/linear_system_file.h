// Writes the matrices A, B, C, D of a linearised system with their names, as .mat, .npz or .csv.
// The verbs linearise and export use it.
#pragma once

#include <filesystem>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/system.h"

#include "document/matrix_file.h"

namespace femflex::tools {

/// @throws UsageError  the file extension is not supported
void check_linear_system_file(const std::filesystem::path& path);

/// Warns of what the matrices of a system leave out: rates of a state that is not one of
/// equilibrium, loads that change with time by themselves, and large changes of parameters.
void warn_of_matrices(const mbd_solver::System& system,
                      const mbd_solver::LinearSystem& linear,
                      Diagnostics& diagnostics);

/// Writes A, B, C, D, u0, y0, dx0 (the rates at the state of linearisation), the step and the names
/// of states, inputs and outputs; .csv: one table [A B; C D] whose first row and column are names.
/// @throws UsageError  no such kind of file, or it cannot be written
void write_linear_system(const mbd_solver::LinearSystem& system,
                         const std::filesystem::path& path,
                         MatLevel level = MatLevel::by_size);

}  // namespace femflex::tools

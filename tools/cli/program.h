// run_program(): the command line as a function, for the programs `femflex` and `femflex-mpi`.
#pragma once

#include <string>
#include <vector>

#include "femflex/errors.h"
#include "femflex/modal/compute_modes.h"

namespace femflex::cli {

/// Runs a command line. Prints the outcome on stdout, or the error on stderr and, with --json, as a
/// document on stdout.
/// @param words         the words without the name of the program
/// @param factor_maker  makes factorisations distributed over processes; empty in `femflex`
/// @return the exit code
int run_program(const std::vector<std::string>& words, const modal::FactorMaker& factor_maker = {});

/// Prints an error in the same way as run_program().
/// @return the exit code
int report_error(const Error& error, bool is_json);

}  // namespace femflex::cli

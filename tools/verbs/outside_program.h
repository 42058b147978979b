// Runs a program of somebody else, such as a finite-element code, and waits for its end.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "femflex/progress.h"

namespace femflex::verbs {

/// A program to run.
struct OutsideProgram {
  std::string name;  ///< found on the path, or a path
  std::vector<std::string> arguments;
  std::filesystem::path folder;  ///< where it runs
  std::filesystem::path log;     ///< receives what it prints
};

/// Runs the program. If the user wants to stop, the program and those that it started are ended.
/// @returns  whether it ended with exit code 0
/// @throws UsageError  it cannot be started;  Cancelled  the user wants to stop
bool run_outside(const OutsideProgram& program, const Progress& progress);

/// True if a program of this name is on the path, or is a path to a program.
bool is_installed(const std::string& name);

}  // namespace femflex::verbs

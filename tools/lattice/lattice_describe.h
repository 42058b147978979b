// Recognises files with spring-mass models that are not JSON, and describes lattices of any format
// for the command `info`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"

#include "document/json.h"

namespace femflex::tools {

/// True for spring-mass models that are not JSON, recognised by their content: a FyDiK project
/// model (XML), a matrix K/D (a CSV table with stiffnesses K and rest lengths D), a polynomial
/// Hamiltonian, or a stored state of a lattice.
/// @param head  the first bytes of the file
bool is_lattice_file(const std::filesystem::path& path, std::string_view head);

/// The description of a lattice of any format, or of a stored state, for `info --json`: nodes,
/// springs, rotational springs, masses, supports and run options.
/// @throws ParseError, ModelError  see read_any_lattice() and read_state()
Json describe_lattice(const std::filesystem::path& path, Diagnostics& diagnostics);

/// The description as text, with units.
std::string lattice_summary(const Json& described);

}  // namespace femflex::tools

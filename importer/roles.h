#pragma once

#include <string>
#include <string_view>

namespace femflex::importer {

/// The role of a matrix, by words that solvers put into titles and file names: "STIFFNESS", "MASS",
/// "DAMPING", or empty. It names matrices of formats without matrix names. The last word counts:
/// solvers put theirs after the user's (`stiff_frame_MASS1`).
std::string role_of_text(std::string_view text);

/// The role by a file's name and ending (`.sti`, `.mas`, `_STIF1.mtx`), else the name without its
/// folder and ending.
std::string role_of_file(std::string_view path);

}  // namespace femflex::importer

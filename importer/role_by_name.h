// Guesses from titles and file names whether a matrix is stiffness, mass or damping.
#pragma once

#include <string>
#include <string_view>

namespace femflex::importer {

/// The role of a matrix, by words that solvers put into titles and file names: "STIFFNESS", "MASS",
/// "DAMPING", or empty. It names matrices of formats without matrix names. The last word decides,
/// because solvers put their own words after the user's (`stiff_frame_MASS1`).
std::string role_of_text(std::string_view text);

/// The role found from the name and extension of a file (`.sti`, `.mas`, `_STIF1.mtx`), else the
/// name without its folder and extension.
std::string role_of_file(std::string_view path);

}  // namespace femflex::importer

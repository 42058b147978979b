// K/D matrices, the CSV form of a lattice: stiffnesses below the diagonal, rest lengths above it,
// masses on it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

/// Reads a K/D matrix (stiffnesses K and rest lengths d) as CSV, the input screen of the program of
/// 2007 (docs/bibliography.md): one row per node; masses on the diagonal, stiffness k below it,
/// rest length d above it; after the n columns the start position (1 to 3 numbers) and, if DOFs are
/// held, their letters ("xy"). An empty d, or on request every d, is computed from the start
/// positions. All springs are quartic. docs/formats/lattice.md
/// @param diagnostics  warns of rest lengths without a stiffness, and of doubtful input
/// @throws ParseError  with the line
hamiltonian::Lattice parse_lattice_matrix(std::string_view text,
                                          const std::string& file,
                                          bool rest_lengths_from_start,
                                          Diagnostics& diagnostics);

/// True if the file has the shape of a K/D matrix: n rows of numbers and n + 1 to n + 3 columns.
/// Tables of nodes and lists of matrix entries by node and DOF that happen to have that shape are
/// not K/D matrices.
bool is_lattice_matrix(const std::filesystem::path& path);

/// The lattice as a K/D matrix.
/// @throws ModelError  content that the matrix cannot hold: hinges, springs that are not quartic,
/// two springs between one pair of nodes
std::string lattice_matrix(const hamiltonian::Lattice& lattice);

}  // namespace femflex::tools

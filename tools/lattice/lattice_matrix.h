// K/D matrices, the CSV form of a lattice: stiffnesses (K) below the diagonal, rest lengths (d)
// above it, masses on it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

/// Reads a K/D matrix as CSV, the input format of the program of 2007 (docs/bibliography.md). There
/// is one row per node: mass on the diagonal, stiffness k below it, rest length d above it. After
/// the n columns follow the start position (1 to 3 numbers) and, for a node with fixed DOFs, their
/// letters ("xy"). An empty d, or on request every d, is computed from the start positions. All
/// springs are quartic. docs/formats/lattice.md
/// @param diagnostics  receives warnings of rest lengths without a stiffness, and of doubtful input
/// @throws ParseError  with the line
hamiltonian::Lattice parse_lattice_matrix(std::string_view text,
                                          const std::string& file,
                                          bool rest_lengths_from_start,
                                          Diagnostics& diagnostics);

/// True if the file has the shape of a K/D matrix: n rows of numbers and n + 1 to n + 3 columns.
/// Tables of nodes, and lists of matrix entries by node and DOF, are recognised as other files even
/// if they have this shape.
bool is_lattice_matrix(const std::filesystem::path& path);

/// The lattice as a K/D matrix.
/// @throws ModelError  content that the matrix cannot represent: hinges, springs that are not
/// quartic, two springs between the same nodes
std::string lattice_matrix(const hamiltonian::Lattice& lattice);

}  // namespace femflex::tools

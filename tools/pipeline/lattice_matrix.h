#pragma once

#include <string>
#include <string_view>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::pipeline {

/// The matrix screen of 2007 as CSV: a row a node; masses on the diagonal, stiffness k below it,
/// rest length d above it; behind the n columns the start position (1 to 3 numbers) and, where
/// freedoms are held, their letters ("xy"). An empty d, or all of them on request, comes from the
/// start positions. Quartic springs. docs/formats/lattice.md
/// @throws ParseError  with the line
hamiltonian::Lattice parse_lattice_matrix(std::string_view text,
                                          const std::string& file,
                                          bool rest_lengths_from_start);

/// @throws ModelError  something that the matrix cannot hold: other springs, two between one pair
std::string lattice_matrix(const hamiltonian::Lattice& lattice);

}  // namespace femflex::pipeline

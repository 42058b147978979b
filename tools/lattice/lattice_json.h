// Reads and writes lattices with their run options in femflex's JSON format
// (docs/formats/lattice.md).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice.h"
#include "femflex/hamiltonian/ports.h"

#include "document/json.h"

namespace femflex::tools {

/// A lattice with the run options of its file.
struct LatticeDocument {
  hamiltonian::Lattice lattice;
  std::string integrator;                             ///< empty: not given
  double start_time = 0.0;                            ///< start of the run [s]
  double end = 0.0;                                   ///< [s]; 0: not given
  double output_step = 0.0;                           ///< [s]; 0: not given
  std::vector<hamiltonian::Port> ports;               ///< empty: not given
  std::vector<std::pair<std::string, Json>> remarks;  ///< members without effect, such as "note"
                                                      ///< and "title"
  Diagnostics warnings;  ///< assumptions of the reader, and doubtful input
};

/// Reads a lattice in JSON: docs/formats/lattice.md. Parameters are replaced by their values;
/// variants are ignored.
/// @throws ParseError  unknown keys, values of a wrong type, unknown nodes
/// @throws ModelError  see make_lattice()
LatticeDocument read_lattice_json(const Json& document);

/// The document in JSON; numbers read back to the same bits.
Json lattice_json(const LatticeDocument& document);
Json lattice_json(const hamiltonian::Lattice& lattice);

}  // namespace femflex::tools

// generated_lattice(): makes a regular lattice (block, beam, plate, frame, ladder, chain) from the
// member "generate" of a lattice file in JSON.
#pragma once

#include "femflex/hamiltonian/lattice.h"

#include "document/json.h"

namespace femflex::tools {

/// "generate" of a lattice in JSON: a block, beam, plate, frame, ladder or chain.
/// @throws ParseError  keys that are missing or unknown, numbers out of range
hamiltonian::Lattice generated_lattice(const Json& value, int dimension);

}  // namespace femflex::tools

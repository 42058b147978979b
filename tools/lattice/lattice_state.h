// Saved states of a lattice or polynomial run (HDF5), from which another run continues, and the
// check that they belong to its model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"
#include "femflex/hamiltonian/polynomial.h"

namespace femflex::tools {

/// The attribute "kind" of a state file.
inline constexpr std::string_view kStateKind = "lattice-state";

/// A part of a model by its SHA-256, so that a state identifies the model it was saved from.
struct ModelPart {
  std::string name;    ///< "numbering", "springs", ...
  std::string sha256;  ///< SHA-256 of its numbers, bit for bit
};
/// The parts of a model. The first is its numbering: which nodes there are, and which of them each
/// spring joins.
std::vector<ModelPart> parts_of(const hamiltonian::Lattice& lattice);
std::vector<ModelPart> parts_of(const hamiltonian::Polynomial& polynomial);

/// Writes a state (HDF5), exact to the bit, with the parts of its model.
void write_state(const hamiltonian::State& state,
                 const std::vector<ModelPart>& parts,
                 const std::filesystem::path& path);

/// @throws ParseError  not a state; sizes, counts or numbers that no run can have written
hamiltonian::State read_state(const std::filesystem::path& path);

/// Compares the model that a state was saved from with the one that continues from it; warns of
/// parts that have changed. States of earlier versions do not identify their model.
/// @throws UsageError  the numbering differs: it is the state of another model
void check_model_of_state(const std::filesystem::path& path,
                          const std::vector<ModelPart>& parts,
                          Diagnostics& diagnostics);

}  // namespace femflex::tools

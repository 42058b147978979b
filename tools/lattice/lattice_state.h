// Saves states of a lattice or polynomial run (HDF5), from which another run continues, and checks
// that a state belongs to the model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/hamiltonian_system.h"
#include "femflex/hamiltonian/lattice.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/polynomial.h"

namespace femflex::tools {

/// The attribute "kind" of a state file.
inline constexpr std::string_view kStateKind = "lattice-state";

/// SHA-256 of a part of a model. A state contains these to identify its model.
struct ModelPart {
  std::string name;    ///< "numbering", "springs", ...
  std::string sha256;  ///< SHA-256 of the numbers of the part
};
/// The parts of a model. The first is its numbering: the ids of its nodes, and the nodes of each
/// spring.
std::vector<ModelPart> parts_of(const hamiltonian::Lattice& lattice);
std::vector<ModelPart> parts_of(const hamiltonian::Polynomial& polynomial);

/// Whether springs or hinges refer to the state in which the first run begins.
bool has_current_references(const hamiltonian::Lattice& lattice);

/// Writes a state (HDF5), exact to the last bit, with the parts of its model.
/// @param references  of a lattice for which has_current_references()
void write_state(const hamiltonian::State& state,
                 const std::vector<ModelPart>& parts,
                 const std::filesystem::path& path,
                 const std::optional<hamiltonian::References>& references = {});

/// The references that were stored with a state; nothing if it has none.
/// @throws ParseError  lengths or angles that no run can have written
std::optional<hamiltonian::References> read_references(const std::filesystem::path& path);

/// @throws ParseError  not a state; or sizes, counts or numbers that no run can have written
hamiltonian::State read_state(const std::filesystem::path& path);

/// Compares the model of a stored state with the model that continues from it; warns of changed
/// parts. States of earlier versions do not identify their model.
/// @return whether a part has changed
/// @throws UsageError  the numbering differs, so the state belongs to another model
bool check_model_of_state(const std::filesystem::path& path,
                          const std::vector<ModelPart>& parts,
                          Diagnostics& diagnostics);

}  // namespace femflex::tools

// Decks for FE codes that enforce the displacements of shapes and ask for stresses.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::tools {

/// Shapes to be enforced at nodes, in the length unit and basic axes of the deck.
struct EnforcedShapes {
  std::vector<std::int64_t> nodes;
  Eigen::MatrixXd displacement;  ///< (6 nodes x shapes): translation, then rotation [rad]
  std::vector<std::string> labels;
};

/// What was written.
struct EnforcedDeck {
  std::string text;
  std::int64_t enforced = 0;         ///< nodes
  std::vector<std::string> dropped;  ///< keywords and cards that were left out of the deck
  bool is_calculix = false;
};

/// The mesh, materials and sections of a deck, with one static step (CalculiX, `.inp`) or subcase
/// (NASTRAN) for each shape that enforces it at every node of `model`'s elements and asks for
/// stresses. Supports, equations and steps of the deck are left out: the shapes obey them.
///
/// CalculiX: translations of solids; shells and beams, which it expands to solids, are refused.
/// NASTRAN: all six components in basic axes; nodes with an own displacement system are refused.
/// @throws UsageError  the file is neither `.inp` nor `.bdf`, `.nas`, `.dat`
/// @throws ModelError  elements or nodes that cannot be enforced
EnforcedDeck enforced_deck(const std::filesystem::path& deck,
                           const FeModel& model,
                           const EnforcedShapes& shapes);

}  // namespace femflex::tools

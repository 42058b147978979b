// enforced_deck(): makes an input deck for an FE code. The deck prescribes the displacements of
// given shapes and requests the stresses that they cause. The verb stress-deck calls it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::tools {

/// Shapes whose displacements are prescribed at nodes, in the length unit and basic axes of the
/// deck.
struct EnforcedShapes {
  std::vector<std::int64_t> nodes;
  Eigen::MatrixXd displacement;  ///< (6 nodes x shapes): translation, then rotation [rad]
  std::vector<std::string> labels;
};

/// Outcome of enforced_deck().
struct EnforcedDeck {
  std::string text;
  std::int64_t enforced = 0;         ///< number of nodes
  std::vector<std::string> dropped;  ///< keywords and cards of the deck that were omitted
  bool is_calculix = false;
};

/// Copies mesh, materials and sections of a deck. Adds one static step (CalculiX, `.inp`) or
/// subcase (NASTRAN) per shape. It prescribes the displacements of the shape at all nodes of the
/// elements of `model`, and requests stresses. Supports, equations and steps of the deck are
/// omitted, because the shapes already satisfy them.
///
/// CalculiX: translations of solids only; shells and beams are rejected, because CalculiX expands
/// them to solids. NASTRAN: all six components in basic axes; nodes with their own displacement
/// system are rejected.
/// @throws UsageError  the file is neither `.inp` nor `.bdf`, `.nas`, `.dat`
/// @throws ModelError  elements or nodes that cannot be enforced
EnforcedDeck enforced_deck(const std::filesystem::path& deck,
                           const FeModel& model,
                           const EnforcedShapes& shapes);

}  // namespace femflex::tools

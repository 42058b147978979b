// Finds the rows and nodes of shells and beams that CalculiX has expanded into solids.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "femflex/diagnostics.h"

#include "model/gather.h"

namespace femflex::importer {

/// CalculiX expands shells and beams into solids before it writes its matrices, and lists the rows
/// of all nodes expanded from one node under that node's number. Identifies every row of a `.dof`
/// list with repeated numbers, and adds to `gathered`: the expanded nodes with their positions, the
/// equations by which the deck nodes depend on them, and a list of rows that replaces the one in
/// the file. docs/theory/import.md, Expanded nodes.
void resolve_expansion(Gathered& gathered, Diagnostics& diagnostics);

/// The section at one deck node: its directions and the positions of the expanded nodes.
struct ExpandedSection {
  bool is_beam = false;
  /// columns: for a shell zero, zero, normal; for a beam axis 1, axis 2, tangent
  Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
  /// Positions of the expanded nodes relative to the node, in CalculiX's node order.
  std::vector<Eigen::Vector3d> positions;
};

/// Sections at all nodes of shells and beams that CalculiX expands into one set of nodes; knots
/// (nodes at which sections or directions differ) are left out.
std::map<std::int64_t, ExpandedSection> expanded_sections(const Gathered& gathered);

}  // namespace femflex::importer

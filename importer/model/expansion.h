// Finds the matrix rows and the nodes that belong to shells and beams which CalculiX expanded into
// solids.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "femflex/diagnostics.h"

#include "model/gather.h"

namespace femflex::importer {

/// CalculiX expands shells and beams into solids before it writes its matrices, and lists the rows
/// of all nodes expanded from one node under that node's number. Where node
/// numbers are repeated in a `.dof` file, finds the expanded node of each row and adds to
/// `gathered`: the expanded nodes with their positions, the equations by which the deck nodes
/// depend on them, and a list of rows that replaces the one in the file. docs/theory/import.md,
/// Expanded nodes.
void resolve_expansion(Gathered& gathered, Diagnostics& diagnostics);

/// The section at one deck node: its directions and the positions of the expanded nodes.
struct ExpandedSection {
  bool is_beam = false;
  /// columns: (zero, zero, normal) for a shell; (axis 1, axis 2, tangent) for a beam
  Eigen::Matrix3d axes = Eigen::Matrix3d::Zero();
  /// Positions of the expanded nodes relative to the node, in CalculiX's node order.
  std::vector<Eigen::Vector3d> positions;
};

/// By number of the deck node: the section at each node of a shell or beam that CalculiX expands
/// once. Knots (nodes at which sections or directions differ) are left out.
std::map<std::int64_t, ExpandedSection> expanded_sections(const Gathered& gathered);

}  // namespace femflex::importer

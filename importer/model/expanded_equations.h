// Equations by which the nodes of shells and beams depend on the nodes into which CalculiX expanded
// them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "femflex/dof_map.h"

#include "model/expansion.h"
#include "model/gather.h"

namespace femflex::importer {

/// True for elements that CalculiX expands: shells, beams and trusses.
bool is_expandable(const ElementBlock& block);

/// What the rows of the matrices turned out to be.
struct ExpandedRows {
  const std::vector<Dof>& resolved;        ///< the DOF of each row
  const std::vector<std::int64_t>& knots;  ///< nodes that are knots, in ascending order
};

/// Adds to the rigid elements of `gathered` the equations of all nodes in `gathered.expanded`,
/// whose expanded nodes are among `gathered.nodes`. Equations of the deck at these nodes are
/// removed: CalculiX has applied them.
/// @param sections  of the nodes
void add_expanded_equations(Gathered& gathered,
                            const std::map<std::int64_t, ExpandedSection>& sections,
                            const ExpandedRows& rows);

}  // namespace femflex::importer

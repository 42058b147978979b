// Reads the tables of OUTPUT2 files that tell what the rows and columns of a matrix are: element
// matrices (KDICT, MDICT, BDICT) and the recovery of an external superelement (TUG1).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "femflex/dof_map.h"
#include "femflex/importer/contents.h"

#include "nastran/op2_records.h"

namespace femflex::importer {

/// The matrix that the table describes: KELM for KDICT, MELM for MDICT, BELM for BDICT; empty for
/// any other table.
std::string_view matrix_of_dictionary(std::string_view table);

/// Reads one record of KDICT and the like, the elements of one kind:
///   kind, words per element, nodes, DOFs per node, form, then for each element
///   id, number of nodes in use, damping (real), address (2 words), first row of each node
///   (1-based, 0 for none), and with form 4 the axes as nine float64, row by row
/// False if the record does not have this layout, which leaves `dictionary` as it was.
bool read_element_dictionary(const Op2Words& record, RawElementDictionary& dictionary);

/// Reads record 2 of TUG1: the words TYPE ID COMP ROW, twice, then these four numbers for each
/// point, with as many words between as there are between the words. Type 1 is a grid, 2 a scalar
/// point, which has six rows, too. `count`: rows of the matrix.
/// @return one DOF per row, component -1 where a row belongs to none; empty if it does not fit
std::vector<Dof> read_recovery_rows(const Op2Words& record, std::int64_t count);

/// The rows of a recovery matrix from groups of type, id, components and first row (1-based).
/// Empty if a row is outside of `count`.
struct RecoveryPoint {
  std::int64_t type = 0, id = 0, components = 0, row = 0;
};
std::vector<Dof> recovery_rows(const std::vector<RecoveryPoint>& points, std::int64_t count);

}  // namespace femflex::importer

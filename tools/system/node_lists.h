// with_nodes_written_out(): expands lists of nodes in the forces of a system file; "rail/1-21"
// means twenty-one places. read_system() calls it.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// Returns the forces with expanded lists of nodes. Each text "BODY/1-9,12" in the list "path" or
/// in a face of "faces" becomes one text per node. A contact "NAME" whose "on" is such a list
/// becomes one member per node: "NAME_1", "NAME_2", ... with the node's number.
/// @throws ParseError  a descending list, or a list that contains a node twice
Json with_nodes_written_out(const Json& forces);

}  // namespace femflex::tools

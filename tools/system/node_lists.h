// Lists of nodes in the forces of a system file: "rail/1-21" stands for twenty-one places.
#pragma once

#include "document/json.h"

namespace femflex::tools {

/// The forces with lists of nodes written out: each text "BODY/1-9,12" in the list "path", or in a
/// face of "faces", becomes one text per node, and a contact "NAME" that is "on" such a list
/// becomes one member per node, "NAME_1", "NAME_2", ..., with the node's number.
/// @throws ParseError  a list that runs backwards, or names one node twice
Json with_nodes_written_out(const Json& forces);

}  // namespace femflex::tools

// Finds the nodes whose shapes are kept, and leaves out the rows of other nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "femflex/fe_model.h"
#include "femflex/importer/contents.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/kept_nodes.h"

namespace femflex::importer {

/// The ids to keep, ascending, with the interface nodes of the request or, if it has none, of the
/// files. The sets are those of `files`.
/// @throws UsageError  no such set or file; no node;  ParseError  the file has other words than ids
std::vector<std::int64_t> ids_to_keep(const ImportRequest& request,
                                      const std::vector<FileContents>& files);

/// Leaves out the rows of shapes, and the stresses at nodes, of nodes that are not in `keep`.
/// @param keep  ascending
void keep_rows(FileContents& contents, const std::vector<std::int64_t>& keep);

/// Likewise for all files.
/// @throws UsageError  the shapes have no row at these nodes
void keep_rows(std::vector<FileContents>& files, const std::vector<std::int64_t>& keep);

/// Likewise for the shapes of a model. Warns of nodes at which these have no row.
/// @param keep  ascending
/// @throws UsageError  the shapes have no row at any of these nodes
void keep_rows(FeModel& model, const std::vector<std::int64_t>& keep, Diagnostics& diagnostics);

}  // namespace femflex::importer

#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/importer/import_model.h"
#include "femflex/progress.h"

namespace femflex::importer {

/// All files of one import, and their combined geometry.
struct Gathered {
  std::vector<FileContents> files;  ///< those of the request, then those of the picks
  FileContents geometry;  ///< grids, systems, sets and the like of all files; each thing once
  std::vector<CoordinateSystem> systems;  ///< resolved, by rising id
  std::vector<Node> nodes;                ///< by rising id
  std::vector<Dof> dependent;             ///< made dependent by rigid elements and constraints
  std::vector<std::int64_t> card_order;   ///< ids of grids as their cards come
  /// Expanded nodes of CalculiX's shells and beams, by the node of the deck (model/expansion.h).
  std::map<std::int64_t, std::vector<std::int64_t>> expanded;
  std::vector<Dof> listed_rows;         ///< rows of a `.dof` file with repeated nodes
  std::vector<Dof> resolved_rows;       ///< what those rows are
  bool has_grounding_elements = false;  ///< springs that may hold or constrain the structure
  bool massless_elements_only = true;   ///< every mass is a CONM1 or CONM2
};

/// Reads the files and merges their geometry.
/// @throws ModelError  files that contradict each other
Gathered gather(const ImportRequest& request, Diagnostics& diagnostics, Progress& progress);

/// Contents of a file that was gathered.
const FileContents& file_of(const Gathered& gathered, const std::filesystem::path& path);

/// R_0L of a node's displacement directions: columns are the axes of CD at the node, in basic.
Eigen::Matrix3d displacement_axes(const Gathered& gathered, std::int64_t node);

}  // namespace femflex::importer

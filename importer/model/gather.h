// Reads all files of one import and combines their geometry.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"
#include "femflex/importer/import_model.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::importer {

/// All files of one import, and their combined geometry.
struct Gathered {
  /// the files of the request, then those that only its picks of matrices and modes name
  std::vector<FileContents> files;
  FileContents geometry;  ///< grids, systems, sets and the like of all files, without repetitions
  std::vector<CoordinateSystem> systems;  ///< expressed in basic, in ascending order of id
  std::vector<Node> nodes;                ///< in ascending order of id
  /// DOFs that rigid elements and constraints make dependent
  std::vector<Dof> dependent;
  std::vector<std::int64_t> card_order;  ///< grid ids in the order of their cards
  /// Expanded nodes of CalculiX's shells and beams, by deck node (model/expansion.h).
  std::map<std::int64_t, std::vector<std::int64_t>> expanded;
  std::vector<Dof> listed_rows;    ///< rows of a `.dof` file with repeated nodes
  std::vector<Dof> resolved_rows;  ///< the DOFs that `listed_rows` turned out to be
  /// true if there are springs that may connect the structure to ground
  bool has_grounding_elements = false;
  bool massless_elements_only = true;  ///< true if only CONM1 and CONM2 cards have mass
};

/// Reads the files and merges their geometry.
/// @throws ModelError  files that contradict each other
Gathered gather(const ImportRequest& request, Diagnostics& diagnostics, Progress& progress);

/// True if both sets have the same factors to SI.
bool is_same_scale(const Units& a, const Units& b);
/// The name of the units, or their factors to SI if the name is not one of unit_names().
std::string text_of(const Units& units);

/// Contents of one of the gathered files.
const FileContents& file_of(const Gathered& gathered, const std::filesystem::path& path);

/// The axes of a node's displacement system (CD) at the node, as columns in basic.
Eigen::Matrix3d displacement_axes(const Gathered& gathered, std::int64_t node);

/// True for the types of constraints by which CalculiX ties nodes to a rigid body.
inline bool is_rigid_body(std::string_view type) {
  return type == "RIGID BODY" || type == "COUPLING";
}

}  // namespace femflex::importer

// view(): the verb view. Writes an HTML page with a 3D view of a body or a result.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/units.h"

namespace femflex::verbs {

/// Input of view().
struct ViewRequest {
  std::vector<std::filesystem::path> files;  ///< a body or a result, or two of the same kind
  std::vector<std::filesystem::path> flex;   ///< body files; empty: those to which the results
                                             ///< refer
  std::optional<Units> units;                ///< units of body files that give none
  std::filesystem::path output;              ///< the page to write
};

/// Writes a page with a 3D view of mode shapes or of a motion; the page needs no network.
/// @throws UsageError  no such body file; see viewer::page_of_files()
void view(const ViewRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

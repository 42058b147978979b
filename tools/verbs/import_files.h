// import_files(): the verb import. Combines files of an FE code to one FE model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/import_model.h"
#include "femflex/progress.h"

namespace femflex::verbs {

/// Input of import_files().
struct ImportFilesRequest {
  importer::ImportRequest parts;
  /// Name of the model; absent: the name in its files.
  std::optional<std::string> name;
  std::string provenance;                       ///< how the model was made; stored in it
  std::optional<std::filesystem::path> output;  ///< file of the model; absent: not written
};

/// Combines files of an FE code to one FE model.
/// @throws ParseError, UsageError, ModelError  see importer::import_model()
importer::ImportResult import_files(const ImportFilesRequest& request,
                                    Diagnostics& diagnostics,
                                    Progress& progress);

}  // namespace femflex::verbs

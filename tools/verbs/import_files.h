// The verb import as a function: files of an FE code in, one FE model out.
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
  std::string provenance;                       ///< how it was made, stored in the model
  std::optional<std::filesystem::path> output;  ///< the model to write; absent: no file
};

/// Gathers files of an FE code into one FE model.
/// @throws ParseError, UsageError, ModelError  see importer::import_model()
importer::ImportResult import_files(const ImportFilesRequest& request,
                                    Diagnostics& diagnostics,
                                    Progress& progress);

}  // namespace femflex::verbs

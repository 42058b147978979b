// The verb new as a function: the name of a template in, files of a runnable example out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

namespace femflex::verbs {

/// Input of new_files().
struct NewFilesRequest {
  std::string name;                             ///< name of the template, such as "pendulum"
  std::optional<std::filesystem::path> output;  ///< absent: NAME.json
};

/// Outcome of new_files().
struct NewFilesOutcome {
  std::vector<std::filesystem::path> outputs;  ///< the document, then the files that it names
  std::string next;                            ///< the command that uses the document
};

/// Writes the files of a template.
/// @throws UsageError  no such template; the message names the nearest
NewFilesOutcome new_files(const NewFilesRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress);

}  // namespace femflex::verbs

// new_files(): the verb new. Writes the files of a runnable example from a template.
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
  std::vector<std::filesystem::path> outputs;  ///< the document, then the files to which it refers
  std::string next;                            ///< the command that uses the document
};

/// Writes the files of a template.
/// @throws UsageError  no such template; the message names the most similar
NewFilesOutcome new_files(const NewFilesRequest& request,
                          Diagnostics& diagnostics,
                          Progress& progress);

}  // namespace femflex::verbs

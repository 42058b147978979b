// Makes the folder of the results and runs the variants by tools::run_study().
#include "verbs/study.h"

#include <system_error>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::verbs {

tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress) {
  const std::filesystem::path& folder = request.options.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw UsageError("cannot-write",
                     fmt::format("the folder cannot be created: {}", error.message()),
                     {folder.string()});
  return tools::run_study(request.system, request.options, diagnostics, progress);
}

}  // namespace femflex::verbs

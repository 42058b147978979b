// Makes the folder of the results and runs the variants by tools::run_study().
#include "verbs/study.h"

#include <system_error>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::verbs {

tools::Study study(const StudyRequest& request, Diagnostics& diagnostics, Progress& progress) {
  const std::filesystem::path& folder = request.options.folder;
  std::error_code fault;
  std::filesystem::create_directories(folder, fault);
  if (fault)
    throw UsageError(
        "cannot-write", fmt::format("cannot be made: {}", fault.message()), {folder.string()});
  return tools::run_study(request.system, request.options, diagnostics, progress);
}

}  // namespace femflex::verbs

// Checks that the given body files exist, makes the page, and writes it.
#include "verbs/view.h"

#include "femflex/io/atomic_file.h"

#include "body/inputs.h"
#include "viewer/view_files.h"

namespace femflex::verbs {

void view(const ViewRequest& request, Diagnostics& diagnostics, Progress& progress) {
  for (const std::filesystem::path& file : request.flex)
    tools::require_file(file);
  io::write_file(
      request.output,
      viewer::page_of_files(request.files, request.units, diagnostics, progress, request.flex));
}

}  // namespace femflex::verbs

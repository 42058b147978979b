// Decides by the kind of each file between mode shapes and playback, and puts one or two views on a
// page.
#include "view_files.h"

#include "femflex/errors.h"

#include "body/inputs.h"
#include "results/results_file.h"
#include "viewer_page.h"

namespace femflex::viewer {

using tools::FileKind;

std::string page_of_files(const std::vector<std::filesystem::path>& files,
                          const std::optional<Units>& units,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          const std::vector<std::filesystem::path>& flex_files) {
  Blobs blobs;
  std::vector<View> views;
  FileKind first = FileKind::unknown;
  for (const auto& file : files) {
    const FileKind kind = tools::kind_of(file);
    if (kind != FileKind::body && kind != FileKind::result)
      tools::refuse_kind(
          file, kind, "a flexible body or a result", "reduce, simulate or run the lattice first");
    if (!views.empty() && kind != first)
      throw UsageError("usage",
                       "a body and a result cannot be shown side by side",
                       {file.string()},
                       "give two bodies or two results");
    first = kind;
    if (kind == FileKind::body)
      views.push_back(mode_view(tools::load_body(file, units, diagnostics, progress), blobs));
    else
      views.push_back(
          playback_view(tools::read_results(file, diagnostics), {file, flex_files}, blobs));
  }
  // two views with the same title get their file names as titles
  if (views.size() == 2 && views[0].title == views[1].title) {
    for (std::size_t i = 0; i < 2; ++i) {
      views[i].title = files[i].stem().string();
      views[i].data["title"] = views[i].title;
    }
  }
  return page_of(views, blobs);
}

}  // namespace femflex::viewer

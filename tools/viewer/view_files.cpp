// Selects mode shapes, an FE model or playback by the kind of each file, and puts one or two views
// on a page. Files of an FE code are combined to one model.
#include "view_files.h"

#include <algorithm>

#include "femflex/errors.h"
#include "femflex/importer/import_model.h"
#include "femflex/importer/read_contents.h"

#include "body/inputs.h"
#include "results/results_file.h"
#include "viewer_page.h"

namespace femflex::viewer {

using tools::FileKind;

namespace {

/// The view of all files of an FE code, which together form one model.
View view_of_sources(const std::vector<std::filesystem::path>& files,
                     const std::optional<Units>& units,
                     Diagnostics& diagnostics,
                     Progress& progress,
                     Blobs& blobs) {
  importer::ImportRequest request;
  request.files = files;
  request.units = units;
  Diagnostics heard;
  FeModel model = importer::import_model(request, heard, progress).model;
  for (const Warning& warning : heard.warnings())
    if (warning.code != "no-matrices")  // a picture needs no matrices
      diagnostics.warn(warning.code, warning.message, warning.where);
  if (model.name.empty()) model.name = files.front().stem().string();
  return model_view(model, blobs);
}

bool is_shapes_kind(FileKind kind) {
  return kind == FileKind::body || kind == FileKind::fe_model;
}

}  // namespace

std::string page_of_files(const std::vector<std::filesystem::path>& files,
                          const std::optional<Units>& units,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          const std::vector<std::filesystem::path>& flex_files) {
  Blobs blobs;
  std::vector<View> views;
  if (std::all_of(files.begin(), files.end(), [](const std::filesystem::path& file) {
        return tools::kind_of(file) == FileKind::fe_source;
      }))
    return page_of({view_of_sources(files, units, diagnostics, progress, blobs)}, blobs);
  FileKind first = FileKind::unknown;
  for (const auto& file : files) {
    const FileKind kind = tools::kind_of(file);
    if (kind == FileKind::unknown)  // the reader says what kind of file it is and what to do
      importer::read_contents(file, {}, diagnostics, progress);
    if (!is_shapes_kind(kind) && kind != FileKind::result)
      tools::refuse_kind(file,
                         kind,
                         "a flexible body, an FE model or a result",
                         "reduce, simulate or run the lattice first");
    if (!views.empty() && is_shapes_kind(kind) != is_shapes_kind(first))
      throw UsageError("usage",
                       "shapes and a result cannot be shown side by side",
                       {file.string()},
                       "give two bodies, two FE models or two results");
    first = kind;
    if (kind == FileKind::body)
      views.push_back(mode_view(tools::load_body(file, units, diagnostics, progress), blobs));
    else if (kind == FileKind::fe_model)
      views.push_back(model_view(tools::load_model(file, units, diagnostics, progress), blobs));
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

// Chooses the view of each file by its kind (mode shapes, FE model, playback), and puts one or two
// views on a page. Files of an FE code are combined into one model.
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
  Diagnostics from_import;
  FeModel model = importer::import_model(request, from_import, progress).model;
  for (const Warning& warning : from_import.warnings())
    if (warning.code != "no-matrices")  // a picture needs no matrices
      diagnostics.warn(warning.code, warning.message, warning.where);
  if (model.name.empty()) model.name = files.front().stem().string();
  return model_view(model, blobs);
}

bool is_body_or_model(FileKind kind) {
  return kind == FileKind::body || kind == FileKind::fe_model;
}

/// What to do with a file of a kind that has no view of its own.
const char* remedy_for(FileKind kind) {
  switch (kind) {
    case FileKind::fe_source:
      return "give the files of an FE code alone, or make a model of them with 'femflex import'";
    case FileKind::lattice:
      return "run it first with 'femflex lattice'";
    case FileKind::system:
    case FileKind::dads:
      return "run it first with 'femflex simulate'";
    default:
      return "give a flexible body, an FE model or a result";
  }
}

/// Gives two views with the same title the names of their files as titles: the shortest names that
/// differ.
void make_titles_differ(std::vector<View>& views, const std::vector<std::filesystem::path>& files) {
  if (views.size() != 2 || views[0].title != views[1].title) return;
  const bool stems_differ = files[0].stem() != files[1].stem();
  const bool names_differ = files[0].filename() != files[1].filename();
  for (std::size_t i = 0; i < 2; ++i) {
    views[i].title = stems_differ   ? files[i].stem().string()
                     : names_differ ? files[i].filename().string()
                                    : files[i].string();
    views[i].data["title"] = views[i].title;
  }
}

}  // namespace

std::string page_of_files(const std::vector<std::filesystem::path>& files,
                          const std::optional<Units>& units,
                          Diagnostics& diagnostics,
                          Progress& progress,
                          const std::vector<std::filesystem::path>& flex_files) {
  if (files.empty())
    throw UsageError("usage", "view needs a file", {}, "give a body, a model or a result");
  std::vector<FileKind> kinds;
  for (const auto& file : files)
    kinds.push_back(tools::kind_of(file));
  if (!flex_files.empty() && std::ranges::find(kinds, FileKind::result) == kinds.end())
    throw UsageError("usage",
                     "--flex gives the bodies of a result, but no result is given",
                     {files.front().string()},
                     "leave --flex out, or give a result");
  Blobs blobs;
  std::vector<View> views;
  if (std::ranges::count(kinds, FileKind::fe_source) == std::ssize(kinds))
    return page_of({view_of_sources(files, units, diagnostics, progress, blobs)}, blobs);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::filesystem::path& file = files[i];
    const FileKind kind = kinds[i];
    if (kind == FileKind::unknown)  // throws: names the known formats
      importer::read_contents(file, {}, diagnostics, progress);
    if (!is_body_or_model(kind) && kind != FileKind::result)
      tools::refuse_kind(file, kind, "a flexible body, an FE model or a result", remedy_for(kind));
    if (i > 0 && is_body_or_model(kind) != is_body_or_model(kinds[i - 1]))
      throw UsageError("usage",
                       "shapes and a result cannot be shown side by side",
                       {file.string()},
                       "give two bodies, two FE models or two results");
    if (kind == FileKind::body)
      views.push_back(mode_view(tools::load_body(file, units, diagnostics, progress), blobs));
    else if (kind == FileKind::fe_model)
      views.push_back(model_view(tools::load_model(file, units, diagnostics, progress), blobs));
    else
      views.push_back(
          playback_view(tools::read_results(file, diagnostics), {file, flex_files}, blobs));
  }
  make_titles_differ(views, files);
  return page_of(views, blobs);
}

}  // namespace femflex::viewer

#include <filesystem>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "commands/commands.h"
#include "pipeline/inputs.h"
#include "pipeline/results_file.h"
#include "viewer/viewer_page.h"

namespace femflex::cli {
namespace {

using pipeline::FileKind;

Outcome run_view(const Arguments& arguments, Session& session) {
  const std::string output = arguments.need("--output");
  viewer::Blobs blobs;
  std::vector<viewer::View> views;
  FileKind first = FileKind::unknown;
  for (std::size_t i = 0; i < arguments.inputs().size(); ++i) {
    const std::string& input = arguments.input(i);
    const FileKind kind = pipeline::kind_of(input);
    if (kind != FileKind::body && kind != FileKind::result)
      pipeline::refuse_kind(
          input, kind, "a flexible body or a result", "reduce, simulate or run the lattice first");
    if (i > 0 && kind != first)
      throw UsageError("usage",
                       "a body and a result do not stand side by side",
                       {input},
                       "give two bodies or two results");
    first = kind;
    if (kind == FileKind::body)
      views.push_back(viewer::mode_view(
          pipeline::load_body(input, session.units, session.diagnostics, *session.progress),
          blobs));
    else
      views.push_back(viewer::playback_view(pipeline::read_results(input), input, blobs));
  }
  // two files of one name are told apart by their files
  if (views.size() == 2 && views[0].title == views[1].title) {
    for (std::size_t i = 0; i < 2; ++i) {
      views[i].title = std::filesystem::path(arguments.input(i)).stem().string();
      views[i].data["title"] = views[i].title;
    }
  }
  io::write_file(output, viewer::page_of(views, blobs));
  Outcome out;
  out.document["outputs"] = std::vector<std::string>{output};
  out.text = output + "\n";
  return out;
}

}  // namespace

Verb view_verb() {
  return {"view",
          "writes one offline page with a 3D view of mode shapes or of a motion",
          "FILE [FILE2]",
          1,
          2,
          {{"--output", "-o", "PAGE.html", "the page to write", ""}},
          {"femflex view chassis.fbm -o chassis.html",
           "femflex view truck.h5 stiffer.h5 -o side_by_side.html"},
          run_view};
}

}  // namespace femflex::cli

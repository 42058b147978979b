#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "commands/commands.h"
#include "pipeline/inputs.h"
#include "pipeline/results_file.h"
#include "viewer/viewer_page.h"

namespace femflex::cli {
namespace {

Outcome run_view(const Arguments& arguments, Session& session) {
  const std::string output = arguments.need("--output");
  const std::string& input = arguments.input();
  const pipeline::FileKind kind = pipeline::kind_of(input);
  std::string page;
  if (kind == pipeline::FileKind::body)
    page = viewer::mode_page(
        pipeline::load_body(input, session.units, session.diagnostics, *session.progress));
  else if (kind == pipeline::FileKind::result)
    page = viewer::playback_page(pipeline::read_results(input), input);
  else
    pipeline::refuse_kind(input, kind, "a flexible body or a result", "reduce or simulate first");
  io::write_file(output, page);
  Outcome out;
  out.document["outputs"] = std::vector<std::string>{output};
  out.text = output + "\n";
  return out;
}

}  // namespace

Verb view_verb() {
  return {"view",
          "writes one offline page with a 3D view of mode shapes or of a simulation",
          "FILE",
          1,
          1,
          {{"--output", "-o", "PAGE.html", "the page to write", ""}},
          {"femflex view chassis.fbm -o chassis.html"},
          run_view};
}

}  // namespace femflex::cli

// `femflex view`: writes an HTML page with a 3D view of mode shapes or of a motion. Options, JSON
// document and text.
#include "verbs/view.h"

#include "arguments.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::ViewRequest;

Outcome run_view(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--output"));
  auto request = request_of<ViewRequest>(arguments);
  request.files.assign(arguments.inputs().begin(), arguments.inputs().end());
  request.units = session.units;
  verbs::view(request, session.diagnostics, *session.progress);
  Outcome out;
  out.document["outputs"] = std::vector<std::string>{request.output.string()};
  out.text = request.output.string() + "\n";
  return out;
}

std::vector<Option> view_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "PAGE.html",
       .help = "the page to write",
       .is_output = true,
       .set = to(&ViewRequest::output)},
      {.name = "--flex",
       .value = "BODY",
       .help = "body file of a flexible body of the result; default: the one the simulation used",
       .is_repeated = true,
       .set = to(&ViewRequest::flex)},
  };
}

}  // namespace

Verb view_verb() {
  return {.name = "view",
          .summary = "writes one offline page with a 3D view of mode shapes or of a motion",
          .inputs = "FILE [FILE2]",
          .fewest_inputs = 1,
          .most_inputs = 2,
          .options = view_options(),
          .examples = {"femflex view chassis.fbm -o chassis.html",
                       "femflex view truck.h5 stiffer.h5 -o side_by_side.html"},
          .run = run_view};
}

}  // namespace femflex::cli

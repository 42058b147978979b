#include "femflex/io/atomic_file.h"

#include "arguments.h"
#include "body/inputs.h"
#include "viewer/view_files.h"

namespace femflex::cli {
namespace {

Outcome run_view(const Arguments& arguments, Session& session) {
  const std::string output = arguments.need("--output");
  const std::vector<std::string> flex = arguments.texts("--flex");
  for (const std::string& file : flex)
    tools::require_file(file);
  io::write_file(output,
                 viewer::page_of_files({arguments.inputs().begin(), arguments.inputs().end()},
                                       session.units,
                                       session.diagnostics,
                                       *session.progress,
                                       {flex.begin(), flex.end()}));
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
          {writes({"--output", "-o", "PAGE.html", "the page to write", ""}),
           {"--flex",
            "",
            "BODY",
            "body file of a flexible body of the result; default: the one the simulation used",
            "",
            true}},
          {"femflex view chassis.fbm -o chassis.html",
           "femflex view truck.h5 stiffer.h5 -o side_by_side.html"},
          run_view};
}

}  // namespace femflex::cli

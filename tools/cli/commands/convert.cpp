#include <fmt/format.h>

#include "femflex/flexfile/flexfile.h"

#include "arguments.h"
#include "body/inputs.h"
#include "commands/commands.h"

namespace femflex::cli {
namespace {

Outcome run_convert(const Arguments& arguments, Session& session) {
  const std::string& output = arguments.input(1);
  flexfile::WriteOptions options;
  options.format = arguments.text("--format");
  options.sidecar = !arguments.has("--no-sidecar");
  options.mbdyn_invariants = arguments.has("--mbdyn-invariants");
  options.deflate = static_cast<int>(arguments.integer("--deflate"));
  static_cast<void>(flexfile::format_for_writing(output, options));
  const FlexBody body =
      tools::load_body(arguments.input(), session.units, session.diagnostics, *session.progress);
  flexfile::write_body(body, output, options, session.diagnostics, *session.progress);
  Outcome out;
  out.document["nodes"] = body.node_count();
  out.document["modes"] = body.mode_count();
  out.document["outputs"] = std::vector<std::string>{output};
  out.text = fmt::format("{}: {} nodes, {} modes\n", output, body.node_count(), body.mode_count());
  return out;
}

std::vector<std::string> writable_formats() {
  std::vector<std::string> names;
  for (const flexfile::Format& format : flexfile::formats()) {
    if (format.can_write) names.push_back(format.name);
  }
  return names;
}

}  // namespace

Verb convert_verb() {
  return {"convert",
          "writes a body in another file format",
          "IN OUT",
          2,
          2,
          {{"--format", "", "NAME", "overrides the ending of OUT", "", false, writable_formats()},
           {"--no-sidecar", "", "", "FLEX: leave out NAME.flex.h5 with what FLEX cannot hold", ""},
           {"--mbdyn-invariants", "", "", "MBDyn: groups 14 to 18 (versions after 2021)", ""},
           {"--deflate", "", "N", ".fbm: compression 0 to 9", "0"}},
          {"femflex convert chassis.fbm chassis.fem"},
          run_convert,
          true};
}

}  // namespace femflex::cli

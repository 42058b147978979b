#include <algorithm>

#include <fmt/format.h>

#include "femflex/io/atomic_file.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "assembly/assembly_run.h"
#include "service/http_client.h"

namespace femflex::cli {
namespace {

using tools::Json;

Outcome run_assemble(const Arguments& arguments, Session& session) {
  service::ClientOptions client;
  client.ca = arguments.text("--ca");
  tools::PartBook book(
      tools::load_assembly(arguments.input(), session.diagnostics, *session.progress),
      service::http_parts(client));
  const std::string part = arguments.has("--part") ? arguments.text("--part") : std::string();
  std::optional<std::vector<int>> fixed;
  if (arguments.has("--fixed")) {
    fixed.emplace();
    for (const std::int64_t port : parse_number_list(arguments.text("--fixed"))) {
      // beyond any part, and still a port for the message
      fixed->push_back(static_cast<int>(std::clamp<std::int64_t>(port, 0, 2'000'000'000)));
    }
  }
  tools::AssemblyResult result = tools::run_assembly(
      book, part, fixed, arguments.has("--report"), session.diagnostics, *session.progress);
  Outcome out;
  out.document = std::move(result.document);
  out.text = std::move(result.text);
  Json outputs = Json::list();
  const auto write = [&](const char* option, const std::string& content, const char* missing) {
    if (!arguments.has(option)) return;
    if (content.empty()) throw UsageError("nothing-to-write", missing, {.record = option});
    io::write_file(arguments.text(option), content);
    outputs.push_back(arguments.text(option));
  };
  write("--output",
        result.dynamics,
        "the part has inner coordinates or is too large for the text form; condense it first");
  write("--csv", result.csv, "the file asks for no response over time");
  out.document["outputs"] = outputs;
  for (const Json& file : outputs.items())
    out.text += fmt::format("wrote {}\n", file.text());
  return out;
}

}  // namespace

Verb assemble_verb() {
  return {
      "assemble",
      "dynamic-stiffness substructures: joins parts, gives poles, transfer functions, responses",
      "ASSEMBLY.json",
      1,
      1,
      {{"--part", "", "NUMBER", "the part or assembly to solve", ""},
       {"--fixed", "", "LIST", "ports held instead of those of the file: 1-3,8", ""},
       {"--report", "", "", "what can be recovered from the part, and its error bound", ""},
       {"--ca",
        "",
        "FILE",
        "certificates trusted in agents at https://, PEM, else the system's",
        ""},
       writes({"--output", "-o", "FILE", "writes its dynamics in the canonical text form", ""}),
       writes({"--csv", "", "FILE", "writes responses over time as a table", ""})},
      {"femflex assemble span.json --csv steps.csv"},
      run_assemble};
}

}  // namespace femflex::cli

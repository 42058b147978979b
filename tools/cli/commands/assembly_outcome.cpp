// Output of the commands assemble and ask: lists the written files, and writes the HTML page if
// --page is given.
#include "commands/assembly_outcome.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "commands/outputs.h"
#include "report/assembly_page.h"

namespace femflex::cli {

Outcome outcome_of(tools::AssemblyResult done,
                   const verbs::AssemblyOutputs& outputs,
                   const std::string& source,
                   const Arguments& arguments,
                   const Session& session) {
  Outcome out;
  out.document = std::move(done.document);
  out.text = std::move(done.text);
  std::vector<std::string> written;
  for (const std::filesystem::path& path : {outputs.dynamics, outputs.csv, outputs.frf_csv})
    if (!path.empty()) written.push_back(path.string());
  if (arguments.has("--page")) {
    const std::string page = arguments.text("--page");
    report::write_assembly_page(
        out.document, source, {arguments.command(), session.is_reproducible}, page);
    written.push_back(page);
  }
  list_outputs(out, written, "wrote ");
  return out;
}

Option page_option() {
  return {.name = "--page",
          .value = "FILE.html",
          .help = "a page with the poles and charts of the responses",
          .is_output = true};
}

}  // namespace femflex::cli

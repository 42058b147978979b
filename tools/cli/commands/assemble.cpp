// `femflex assemble`: joins the parts of an assembly file and solves the result. Defines the
// options, the JSON document, the text output and the HTML page.
#include "verbs/assemble.h"

#include <utility>

#include "arguments.h"
#include "commands/assembly_outcome.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::AssembleRequest;

Outcome run_assemble(const Arguments& arguments, Session& session) {
  auto request = request_of<AssembleRequest>(arguments);
  request.assembly = arguments.input();
  tools::AssemblyResult done = verbs::assemble(request, session.diagnostics, *session.progress);
  return outcome_of(std::move(done),
                    {request.output, request.csv, request.frf_csv},
                    request.assembly.string(),
                    arguments,
                    session);
}

std::vector<Option> assemble_options() {
  return {
      {.name = "--part",
       .value = "NUMBER",
       .help = "the part or assembly to solve",
       .set = to(&AssembleRequest::part)},
      {.name = "--fixed",
       .value = "LIST",
       .help = "ports held instead of those of the file: 1-3,8",
       .set = to(&AssembleRequest::fixed)},
      {.name = "--report",
       .help = "what can be recovered from the part, and its error bound",
       .set = to(&AssembleRequest::report)},
      {.name = "--ca",
       .value = "FILE",
       .help = "certificates trusted for https:// agents, PEM; default: the system's",
       .set = to(&AssembleRequest::ca)},
  };
}

}  // namespace

Verb assemble_verb() {
  return {.name = "assemble",
          .summary =
              "dynamic-stiffness substructures: joins parts, gives poles, transfer "
              "functions, responses",
          .inputs = "ASSEMBLY.json",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = joined({assemble_options(), assembly_output_options<AssembleRequest>()}),
          .examples = {"femflex assemble span.json --csv steps.csv --page span.html"},
          .run = run_assemble};
}

}  // namespace femflex::cli

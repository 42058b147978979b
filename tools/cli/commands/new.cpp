// `femflex new`: writes a commented example document to start from. Defines the options, the JSON
// document and the text output.
#include "arguments.h"
#include "commands/outputs.h"
#include "fields.h"
#include "verbs/new_files.h"

namespace femflex::cli {
namespace {

using verbs::NewFilesRequest;

Outcome run_new(const Arguments& arguments, Session& session) {
  auto request = request_of<NewFilesRequest>(arguments);
  request.name = arguments.input();
  const verbs::NewFilesOutcome done =
      verbs::new_files(request, session.diagnostics, *session.progress);
  Outcome out;
  list_outputs(out, texts_of(done.outputs));
  out.text += done.next + "\n";
  return out;
}

}  // namespace

Verb new_verb() {
  return {
      .name = "new",
      .summary = "writes a commented template to start from",
      .inputs =
          "truck|truck4x2|truck6x4|semitrailer|four-post|pendulum|slider-crank|servo|crane-crab|"
          "double-pendulum|four-bar|three-link-leaf|beam-leaf|lattice|assembly|directory|slurm|"
          "parallel|mpi|"
          "distributed",
      .fewest_inputs = 1,
      .most_inputs = 1,
      .options = {{.name = "--output",
                   .short_name = "-o",
                   .value = "FILE",
                   .help = "where to write; default: NAME.json, or NAME.sh for a job script",
                   .is_output = true,
                   .set = to(&NewFilesRequest::output)}},
      .examples = {"femflex new pendulum -o pendulum.json"},
      .run = run_new};
}

}  // namespace femflex::cli

// `femflex solve`: runs an installed FE code on a deck and imports its matrices. Options, JSON
// document and text.
#include "verbs/solve.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/name_table.h"

#include "arguments.h"
#include "commands/import_outcome.h"
#include "commands/interface_options.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::ImportFilesRequest;
using verbs::SolveRequest;
using Parts = importer::ImportRequest;

constexpr auto kCodes = name_table<tools::FeCode>({{tools::FeCode::calculix, "calculix"},
                                                   {tools::FeCode::mystran, "mystran"},
                                                   {tools::FeCode::nastran, "nastran"}});

tools::FeCode code_of_text(std::string_view text) {
  return kCodes.parse(text, "usage", "an FE code that can be run");
}

Outcome run_solve(const Arguments& arguments, Session& session) {
  auto request = request_of<SolveRequest>(arguments);
  if (!request.deck_only && !arguments.is_script()) static_cast<void>(arguments.need("--output"));
  request.deck = arguments.input(0);
  request.import.parts.units = session.units;
  request.import.provenance = arguments.summary();
  verbs::SolveOutcome done = verbs::solve(request, session.diagnostics, *session.progress);
  if (!done.imported) {
    Outcome out;
    out.document["outputs"] = done.outputs;
    out.text = fmt::format("{}: nothing was run\n", done.outputs.front());
    return out;
  }
  Outcome out = show_import(std::move(*done.imported), request.import.output);
  out.document["program"] = done.program;
  out.document["outputs"] = done.outputs;
  return out;
}

std::vector<Option> solve_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "M.fe.h5",
       .help = "the FE model to write",
       .is_output = true,
       .set = to(at(&SolveRequest::import, &ImportFilesRequest::output))},
      {.name = "--solver",
       .value = "NAME",
       .help = "default: by the deck and by what is installed",
       .choices = kCodes.names(),
       .set = to(at(&SolveRequest::code), code_of_text)},
      {.name = "--program",
       .value = "NAME",
       .help = "the program; default: ccx, nastran or mystran",
       .set = to(&SolveRequest::program)},
      {.name = "--deck",
       .value = "FILE",
       .help = "write the deck that would run, and run nothing",
       .is_output = true,
       .set = to(&SolveRequest::deck_only)},
      {.name = "--keep",
       .value = "FOLDER",
       .help = "make this folder and leave the files of the run there",
       .is_output = true,
       .set = to(&SolveRequest::keep)},
      interface_option(
          at(&SolveRequest::import, &ImportFilesRequest::parts, &Parts::interface_nodes)),
      spider_option(at(&SolveRequest::import, &ImportFilesRequest::parts, &Parts::spiders)),
      {.name = "--name",
       .value = "NAME",
       .help = "name of the model",
       .set = to(at(&SolveRequest::import, &ImportFilesRequest::name))},
      {.name = "--force",
       .help = "write the model although a proof failed",
       .set = to(at(&SolveRequest::import, &ImportFilesRequest::parts, &Parts::force))},
  };
}

}  // namespace

Verb solve_verb() {
  return {
      .name = "solve",
      .summary = "runs an installed CalculiX, NASTRAN or MYSTRAN on a deck, imports its matrices",
      .inputs = "DECK",
      .fewest_inputs = 1,
      .most_inputs = 1,
      .options = solve_options(),
      .examples = {"femflex solve bracket.inp --units mm-t-s --interface 11,12 -o bracket.fe.h5",
                   "femflex solve car.bdf --deck car_matrices.bdf"},
      .run = run_solve,
      .hands_over = true};
}

}  // namespace femflex::cli

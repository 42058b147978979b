// `femflex stress-deck`: writes decks that prescribe shapes in an FE program, and reads the
// stresses that it computes. Defines the options, the JSON document and the text output.
#include "verbs/stress_deck.h"

#include <utility>

#include <fmt/format.h>

#include "arguments.h"
#include "body/inputs.h"
#include "commands/outputs.h"
#include "fields.h"

namespace femflex::cli {
namespace {

using verbs::StressDeckRequest;

/// The input as a model or a body, according to its type or the content of its file.
std::variant<verbs::ModelInput, verbs::BodyInput> shapes_of(const Value& value) {
  if (value.as<const FeModel*>() != nullptr) return model_input(value);
  if (value.as<const FlexBody*>() != nullptr) return body_input(value);
  const std::filesystem::path path = text_of(value);
  const tools::FileKind kind = tools::kind_of(path);
  if (kind == tools::FileKind::fe_model || kind == tools::FileKind::fe_source)
    return verbs::ModelInput(path);
  if (kind == tools::FileKind::body) return verbs::BodyInput(path);
  tools::refuse_kind(path, kind, "an FE model or a flexible body");
}

Outcome run_stress_deck(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--output"));
  auto request = request_of<StressDeckRequest>(arguments);
  request.deck = arguments.input(0);
  request.shapes = shapes_of(arguments.input_value(1));
  request.units = session.units;
  const verbs::StressDeckOutcome done =
      verbs::stress_deck(request, session.diagnostics, *session.progress);
  Outcome out;
  out.document["shapes"] = done.shapes;
  out.document["nodes"] = done.nodes;
  out.document["dropped"] = done.dropped;
  out.document["places"] = done.places;
  out.document["difference"] = done.difference;
  out.text = fmt::format("{} shapes enforced at {} nodes", done.shapes, done.nodes);
  for (std::size_t k = 0; k < done.dropped.size(); ++k)
    out.text += fmt::format("{}{}", k == 0 ? "; left out of the deck: " : ", ", done.dropped[k]);
  out.text += "\n";
  if (done.places > 0)
    out.text += fmt::format(
        "stresses at {} places; displacements differ from the shapes by at most {:.1e} of the "
        "largest\n",
        done.places,
        done.difference);
  list_outputs(out, done.outputs);
  return out;
}

std::vector<Option> stress_deck_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "FILE",
       .help = "the deck to write, with the ending of DECK",
       .is_output = true,
       .set = to(&StressDeckRequest::output)},
      {.name = "--model",
       .value = "MODEL.fe.h5",
       .help = "the model of a body; default: the one beside the body with the same FE files",
       .set = to(&StressDeckRequest::model)},
      {.name = "--run",
       .help = "run CalculiX on the deck and write the model with its stresses",
       .set = to(&StressDeckRequest::run)},
      {.name = "--program",
       .value = "NAME",
       .help = "with --run: the program",
       .fallback = "ccx",
       .set = to(&StressDeckRequest::program)},
      {.name = "--results",
       .value = "FILE",
       .help = "results of the deck, run elsewhere (.frd, .op2, .h5, ...): write the model with "
               "their stresses",
       .set = to(&StressDeckRequest::results)},
      {.name = "--stresses",
       .value = "MODEL.fe.h5",
       .help =
           "model with the shapes and their stresses; default: the name of --output with .fe.h5",
       .is_output = true,
       .set = to(&StressDeckRequest::stresses)},
  };
}

}  // namespace

Verb stress_deck_verb() {
  return {
      .name = "stress-deck",
      .summary = "writes a deck that enforces each shape in the FE code, and reads its stresses",
      .inputs = "DECK SHAPES",
      .fewest_inputs = 2,
      .most_inputs = 2,
      .options = stress_deck_options(),
      .examples = {"femflex stress-deck bracket.inp bracket.fbm -o enforced.inp --run",
                   "femflex stress-deck car.bdf car.fbm -o enforced.bdf",
                   "femflex stress-deck car.bdf car.fbm -o enforced.bdf --results enforced.op2"},
      .run = run_stress_deck,
      .takes_values = true};
}

}  // namespace femflex::cli

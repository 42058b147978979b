// `femflex check`: checks mass, symmetry, grounding, rigid motion and units of an FE model or a
// body. Defines the JSON document and the text output. Exit code 1 if a check fails.
#include "verbs/check.h"

#include "arguments.h"
#include "fields.h"

namespace femflex::cli {
namespace {

Outcome run_check(const Arguments& arguments, Session& session) {
  verbs::CheckRequest request;
  const Value& input = arguments.input_value();
  if (const auto* body = input.as<const FlexBody*>())
    request.part = *body;
  else
    std::visit([&](const auto& model) { request.part = model; }, model_input(input));
  request.units = session.units;
  const tools::CheckReport report = verbs::check(request, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = report.passes() ? 0 : 1;
  out.document = tools::check_json(report);
  out.text = tools::check_text(report, arguments.input());
  return out;
}

}  // namespace

Verb check_verb() {
  return {.name = "check",
          .summary = "checks a model or a body: mass, symmetry, grounding, rigid motion, units",
          .inputs = "MODEL",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .examples = {"femflex check dms.fe.h5"},
          .run = run_check,
          .takes_values = true};
}

}  // namespace femflex::cli

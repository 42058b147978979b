#include <fmt/format.h>

#include "arguments.h"
#include "commands/commands.h"
#include "pipeline/check_model.h"
#include "pipeline/inputs.h"

namespace femflex::cli {
namespace {

using pipeline::Json;

Outcome run_check(const Arguments& arguments, Session& session) {
  const std::string& input = arguments.input();
  const bool is_body = pipeline::kind_of(input) == pipeline::FileKind::body;
  const pipeline::CheckReport report =
      is_body
          ? pipeline::check_body(
                pipeline::load_body(input, session.units, session.diagnostics, *session.progress))
          : pipeline::check_model(
                pipeline::load_model(input, session.units, session.diagnostics, *session.progress),
                *session.progress);
  Outcome out;
  out.exit_code = report.passes() ? 0 : 1;
  out.document = pipeline::check_json(report);
  out.text = pipeline::check_text(report, input);
  return out;
}

}  // namespace

Verb check_verb() {
  return {"check",
          "checks a model or a body: mass, symmetry, grounding, rigid motion, units",
          "MODEL",
          1,
          1,
          {},
          {"femflex check dms.fe.h5"},
          run_check};
}

}  // namespace femflex::cli

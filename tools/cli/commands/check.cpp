#include <fmt/format.h>

#include "arguments.h"
#include "body/check_model.h"
#include "body/inputs.h"
#include "commands/commands.h"

namespace femflex::cli {
namespace {

using tools::Json;

Outcome run_check(const Arguments& arguments, Session& session) {
  const std::string& input = arguments.input();
  const bool is_body = tools::kind_of(input) == tools::FileKind::body;
  const tools::CheckReport report =
      is_body ? tools::check_body(
                    tools::load_body(input, session.units, session.diagnostics, *session.progress))
              : tools::check_model(
                    tools::load_model(input, session.units, session.diagnostics, *session.progress),
                    *session.progress);
  Outcome out;
  out.exit_code = report.passes() ? 0 : 1;
  out.document = tools::check_json(report);
  out.text = tools::check_text(report, input);
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

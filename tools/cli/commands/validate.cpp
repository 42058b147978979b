#include "femflex/modal/validate.h"

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/correlation.h"

#include "arguments.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "commands/commands.h"
#include "document/table.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

Outcome run_validate(const Arguments& arguments, Session& session) {
  const std::string full = arguments.need("--against");
  modal::ValidateOptions options;
  options.modes = arguments.count("--modes");
  if (arguments.has("--band")) options.band = modal::parse_band(arguments.text("--band"));
  options.frequency_limit = arguments.number("--frequency-limit");
  options.mac_limit = arguments.number("--mac-limit");
  options.static_limit = arguments.number("--static-limit");
  options.frf_limit = arguments.number("--frf-limit");
  if (session.threads > 0) options.solve.threads = session.threads;
  const FlexBody body =
      tools::load_body(arguments.input(), session.units, session.diagnostics, *session.progress);
  const FeModel model =
      tools::load_model(full, session.units, session.diagnostics, *session.progress);
  const modal::Validation validation =
      modal::validate(body, model, options, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = validation.pass ? 0 : 1;
  out.document = tools::validation_json(validation);
  out.text = tools::validation_text(validation);
  if (arguments.has("--report")) {
    report::write_validate_report(validation,
                                  body,
                                  modal::kinetic_energy_fractions(body, &model),
                                  out.document,
                                  {arguments.command(), session.is_reproducible},
                                  arguments.text("--report"));
    out.document["outputs"] = std::vector<std::string>{arguments.text("--report")};
    out.text += arguments.text("--report") + "\n";
  }
  return out;
}

}  // namespace

Verb validate_verb() {
  return {
      "validate",
      "compares a reduced body with the full model",
      "BODY",
      1,
      1,
      {{"--against", "", "M.fe.h5", "the full model", ""},
       {"--modes", "", "N", "elastic free modes to compare", "10"},
       {"--band",
        "",
        "F-F",
        "band of the frequency responses, 0-100Hz; default: to the last mode",
        ""},
       {"--frequency-limit", "", "PERCENT", "largest frequency error that passes", "1"},
       {"--mac-limit", "", "M", "smallest MAC that passes", "0.99"},
       {"--static-limit", "", "E", "largest relative static error that passes", "1e-3"},
       {"--frf-limit", "", "E", "largest relative FRF error that passes", "0.05"},
       writes({"--report", "", "FILE.html", "a page with tables and figures", ""})},
      {"femflex validate chassis.fbm --against chassis.fe.h5 --band 0-100Hz --report report.html"},
      run_validate};
}

}  // namespace femflex::cli

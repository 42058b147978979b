// `femflex validate`: compares a reduced body with its full FE model. Defines the options, the JSON
// document, the text output and the HTML page. Exit code 1 if a limit is exceeded.
#include "verbs/validate.h"

#include <fmt/format.h>

#include "arguments.h"
#include "body/validation_report.h"
#include "commands/outputs.h"
#include "fields.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

using modal::ValidateOptions;
using verbs::ValidateRequest;

Outcome run_validate(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--against"));
  auto request = request_of<ValidateRequest>(arguments);
  request.body = body_input(arguments.input_value());
  request.units = session.units;
  if (session.threads > 0) request.options.solve.threads = session.threads;
  request.with_energy = arguments.has("--report");
  const verbs::ValidateOutcome found =
      verbs::validate(request, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = found.validation.pass ? 0 : 1;
  out.document = tools::validation_json(found.validation);
  out.text = tools::validation_text(found.validation);
  if (arguments.has("--report")) {
    report::write_validate_report(found.validation,
                                  found.body,
                                  found.energy,
                                  out.document,
                                  {arguments.command(), session.is_reproducible},
                                  arguments.text("--report"));
    list_outputs(out, {arguments.text("--report")});
  }
  return out;
}

/// A MAC, which is between 0 and 1.
double mac_of(const Given& given) {
  const double value = not_negative(given);
  if (value > 1.0)
    throw UsageError("usage",
                     fmt::format("{} is {}, but no MAC is above 1", given.option.name, value),
                     {},
                     "give a number from 0 to 1");
  return value;
}

std::vector<Option> validate_options() {
  return {
      {.name = "--against",
       .value = "M.fe.h5",
       .help = "the full model",
       .set = to(&ValidateRequest::against)},
      {.name = "--modes",
       .value = "N",
       .help = "elastic free modes to compare",
       .fallback = "10",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::modes))},
      {.name = "--band",
       .value = "F-F",
       .help = "band of the frequency responses, 0-100Hz; default: to the last mode",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::band), modal::parse_band)},
      {.name = "--frequency-limit",
       .value = "PERCENT",
       .help = "largest frequency error that passes",
       .fallback = "1",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::frequency_limit), not_negative)},
      {.name = "--mac-limit",
       .value = "M",
       .help = "smallest MAC that passes",
       .fallback = "0.99",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::mac_limit), mac_of)},
      {.name = "--static-limit",
       .value = "E",
       .help = "largest relative static error that passes",
       .fallback = "1e-3",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::static_limit), not_negative)},
      {.name = "--frf-limit",
       .value = "E",
       .help = "largest relative FRF error that passes",
       .fallback = "0.05",
       .set = to(at(&ValidateRequest::options, &ValidateOptions::frf_limit), not_negative)},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with tables and figures",
       .is_output = true},
  };
}

}  // namespace

Verb validate_verb() {
  return {.name = "validate",
          .summary = "compares a reduced body with the full model",
          .inputs = "BODY",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = validate_options(),
          .examples = {"femflex validate chassis.fbm --against chassis.fe.h5 --band 0-100Hz "
                       "--report report.html"},
          .run = run_validate,
          .takes_values = true};
}

}  // namespace femflex::cli

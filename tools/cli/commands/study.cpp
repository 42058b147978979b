// `femflex study`: runs variants of a system and finds the smallest accurate one. Options, JSON
// document, text and HTML page; exit code 1 if no variant is accurate enough.
#include "verbs/study.h"

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "fields.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

using tools::RunOverrides;
using tools::StudyOptions;
using verbs::StudyRequest;

StudyRequest study_request(const Arguments& arguments) {
  static_cast<void>(arguments.need("--reference"));
  auto request = request_of<StudyRequest>(arguments);
  if (request.options.variants.empty())
    throw UsageError("usage", "study: no variants are named", {}, "add --variants rigid,modes20");
  request.system = document_input(arguments.input_value());
  request.options.document.units = arguments.text("--units");
  return request;
}

Outcome run_study_verb(const Arguments& arguments, Session& session) {
  const StudyRequest request = study_request(arguments);
  const tools::Study study = verbs::study(request, session.diagnostics, *session.progress);
  Outcome out;
  out.exit_code = study.best < 0 ? 1 : 0;
  out.document = tools::study_json(study, session.is_reproducible);
  out.text = tools::study_table(study, session.is_reproducible).text();
  out.text += report::study_verdict(study) + "\n";
  std::vector<std::string> outputs;
  if (arguments.has("--report")) {
    report::write_study_report(study,
                               out.document,
                               session.is_reproducible,
                               arguments.command(),
                               arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
    out.text += arguments.text("--report") + "\n";
  }
  out.document["outputs"] = outputs;
  return out;
}

std::vector<Option> study_options() {
  return {
      {.name = "--reference",
       .value = "VARIANT",
       .help = "the variant, or the result file, used as reference",
       .set = to(at(&StudyRequest::options, &StudyOptions::reference))},
      {.name = "--variants",
       .value = "LIST",
       .help = "the variants to judge",
       .is_repeated = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::variants), names_at_commas)},
      {.name = "--channels",
       .value = "LIST",
       .help = "channels to compare; default: all common ones",
       .is_repeated = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::channels), names_at_commas)},
      {.name = "--below",
       .value = "HZ",
       .help = "compare below this frequency",
       .unit = "Hz",
       .set = to(at(&StudyRequest::options, &StudyOptions::below_hz), positive)},
      {.name = "--tol",
       .value = "E",
       .help = "largest relative rms difference that is good enough",
       .fallback = "0.05",
       .set = to(at(&StudyRequest::options, &StudyOptions::limit), positive)},
      {.name = "--folder",
       .value = "DIR",
       .help = "folder of the results",
       .fallback = ".",
       .is_output = true,
       .set = to(at(&StudyRequest::options, &StudyOptions::folder))},
      {.name = "--end",
       .value = "SECONDS",
       .help = "end of the dynamic analysis",
       .unit = "s",
       .set =
           to(at(&StudyRequest::options, &StudyOptions::overrides, &RunOverrides::end), positive)},
      {.name = "--integrator",
       .value = "NAME",
       .help = "overrides the system's",
       .choices = {"generalised-alpha", "runge-kutta", "bdf"},
       .set = to(at(&StudyRequest::options, &StudyOptions::overrides, &RunOverrides::integrator))},
      {.name = "--set",
       .value = "PATH=VALUE",
       .help = "changes the system before it is read",
       .is_repeated = true,
       .set =
           to(at(&StudyRequest::options, &StudyOptions::document, &tools::DocumentOptions::sets))},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with the table and the curves",
       .is_output = true},
  };
}

}  // namespace

Verb study_verb() {
  return {.name = "study",
          .summary = "runs variants of a system and says which is good enough",
          .inputs = "SYSTEM",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = study_options(),
          .examples = {"femflex study truck.json --reference full --variants "
                       "rigid,modes5,modes20 --channels chassis/51/acceleration --below 50Hz "
                       "--report truck.html"},
          .run = run_study_verb,
          .takes_documents = true};
}

}  // namespace femflex::cli

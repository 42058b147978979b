#include "system/study.h"

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "fields.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

Outcome run_study_verb(const Arguments& arguments, Session& session) {
  tools::StudyOptions options;
  options.document.sets = arguments.texts("--set");
  options.document.units = arguments.text("--units");
  options.reference = arguments.need("--reference");
  options.variants = split_at_commas(arguments.texts("--variants"));
  if (options.variants.empty())
    throw UsageError("usage", "femflex study: no variants", {}, "add --variants rigid,modes20");
  options.channels = split_at_commas(arguments.texts("--channels"));
  options.below_hz = maybe_positive(arguments, "--below", "Hz").value_or(0.0);
  options.limit = maybe_positive(arguments, "--tol").value();
  options.overrides.end = maybe_positive(arguments, "--end", "s");
  options.overrides.integrator = arguments.text("--integrator");
  options.folder = arguments.text("--folder");
  std::error_code fault;
  std::filesystem::create_directories(options.folder, fault);
  if (fault)
    throw UsageError("cannot-write",
                     fmt::format("cannot be made: {}", fault.message()),
                     {options.folder.string()});
  const tools::Study study =
      tools::run_study(arguments.input(), options, session.diagnostics, *session.progress);
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

}  // namespace

Verb study_verb() {
  return {
      "study",
      "runs variants of a system and says which is good enough",
      "SYSTEM",
      1,
      1,
      {{"--reference", "", "VARIANT", "the variant, or the result file, that counts as true", ""},
       {"--variants", "", "LIST", "the variants to judge", "", true},
       {"--channels", "", "LIST", "channels to compare; default: all common ones", "", true},
       {"--below", "", "HZ", "compare below this frequency", ""},
       {"--tol", "", "E", "largest relative rms difference that is good enough", "0.05"},
       writes({"--folder", "", "DIR", "where the results go", "."}),
       {"--end", "", "SECONDS", "end of the dynamic analysis", ""},
       {"--integrator",
        "",
        "NAME",
        "overrides the system's",
        "",
        false,
        {"generalised-alpha", "runge-kutta", "bdf"}},
       {"--set", "", "PATH=VALUE", "changes the system before it is read", "", true},
       writes({"--report", "", "FILE.html", "a page with the table and the curves", ""})},
      {"femflex study truck.json --reference full --variants rigid,modes5,modes20 --channels "
       "chassis/51/acceleration --below 50Hz --report truck.html"},
      run_study_verb};
}

}  // namespace femflex::cli

// `femflex compare`: shows the differences of two results or two bodies. Defines the options, the
// JSON document, the text output and the HTML page. Exit code 1 if they differ by more than --tol.
#include "verbs/compare.h"

#include <fmt/format.h>

#include "arguments.h"
#include "fields.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

using verbs::CompareRequest;

/// An input: a body or result from a script, or a file.
verbs::BodyOrResult body_or_result(const Value& value) {
  if (const auto* result = value.as<const tools::ResultSeries*>()) return *result;
  verbs::BodyOrResult out;
  std::visit([&](const auto& body) { out = body; }, body_input(value));
  return out;
}

/// The outcome of a comparison of two results; writes the table for --csv.
Outcome shown(const tools::ResultComparison& comparison, const Arguments& arguments) {
  Outcome out;
  out.exit_code = comparison.passes ? 0 : 1;
  out.document = tools::comparison_json(comparison);
  out.text = tools::comparison_table(comparison).text(60);
  if (arguments.has("--csv"))
    tools::write_csv(tools::side_by_side(comparison), arguments.text("--csv"));
  return out;
}

/// The outcome of a comparison of two bodies.
Outcome shown(const tools::BodyComparison& comparison, const Arguments& /*arguments*/) {
  Outcome out;
  out.exit_code = comparison.passes ? 0 : 1;
  out.document = tools::comparison_json(comparison);
  out.text =
      tools::comparison_table(comparison).text(60) + "\n" + tools::aspect_table(comparison).text();
  return out;
}

Outcome run_compare(const Arguments& arguments, Session& session) {
  auto request = request_of<CompareRequest>(arguments);
  request.a = body_or_result(arguments.input_value(0));
  request.b = body_or_result(arguments.input_value(1));
  request.units = session.units;
  const verbs::CompareOutcome found =
      verbs::compare(request, session.diagnostics, *session.progress);
  Outcome out = std::visit([&](const auto& each) { return shown(each, arguments); }, found);
  if (arguments.has("--report")) {
    const report::PageOptions page{arguments.command(), session.is_reproducible};
    std::visit(
        [&](const auto& each) {
          report::write_compare_report(each, out.document, page, arguments.text("--report"));
        },
        found);
  }
  std::vector<std::string> outputs;
  for (const char* option : {"--csv", "--report"}) {
    if (arguments.has(option)) outputs.push_back(arguments.text(option));
  }
  out.document["outputs"] = outputs;
  out.text +=
      out.exit_code == 0 ? "pass\n" : "fail: beyond --tol " + arguments.text("--tol") + "\n";
  return out;
}

std::vector<Option> compare_options() {
  return {
      {.name = "--channels",
       .value = "LIST",
       .help = "channels, beginnings of them, or pairs a=b; default: all common ones",
       .is_repeated = true,
       .set = to(at(&CompareRequest::channels), names_at_commas)},
      {.name = "--below",
       .value = "HZ",
       .help = "compare results below this frequency (zero-phase filter)",
       .unit = "Hz",
       .set = to(at(&CompareRequest::below_hz), positive)},
      {.name = "--tol",
       .value = "E",
       .help = "largest relative difference that passes",
       .fallback = "1e-6",
       .set = to(at(&CompareRequest::tolerance), not_negative)},
      {.name = "--csv", .value = "FILE", .help = "both results side by side", .is_output = true},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with tables and overlaid histories",
       .is_output = true},
  };
}

}  // namespace

Verb compare_verb() {
  return {.name = "compare",
          .summary = "compares two results or two bodies",
          .inputs = "A B",
          .fewest_inputs = 2,
          .most_inputs = 2,
          .options = compare_options(),
          .examples = {"femflex compare full.h5 reduced.h5 --channels "
                       "chassis/2101/acceleration --tol 0.05 --report difference.html"},
          .run = run_compare,
          .takes_values = true};
}

}  // namespace femflex::cli

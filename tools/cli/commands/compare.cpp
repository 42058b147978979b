#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "body/compare_bodies.h"
#include "body/inputs.h"
#include "commands/commands.h"
#include "report/reports.h"
#include "results/compare_results.h"
#include "results/results_file.h"

namespace femflex::cli {
namespace {

using tools::FileKind;

tools::ResultSeries load_series(const std::string& path, FileKind kind, Session& session) {
  if (kind == FileKind::result) return tools::read_results(path, session.diagnostics);
  return tools::read_csv(path);
}

Outcome compare_two_results(
    const Arguments& arguments, Session& session, FileKind a, FileKind b, double tolerance) {
  tools::ResultSeries series[2] = {load_series(arguments.input(0), a, session),
                                   load_series(arguments.input(1), b, session)};
  if (const auto below = arguments.maybe_number("--below", "Hz"); below) {
    for (tools::ResultSeries& each : series)
      tools::low_pass(each, *below);
  }
  const tools::ResultComparison comparison = tools::compare_results(
      series[0], series[1], split_at_commas(arguments.texts("--channels")), tolerance);
  Outcome out;
  out.exit_code = comparison.passes ? 0 : 1;
  out.document = tools::comparison_json(comparison);
  out.text = tools::comparison_table(comparison).text(60);
  if (arguments.has("--csv"))
    tools::write_csv(tools::side_by_side(comparison), arguments.text("--csv"));
  if (arguments.has("--report"))
    report::write_compare_report(comparison,
                                 out.document,
                                 {arguments.command(), session.is_reproducible},
                                 arguments.text("--report"));
  return out;
}

Outcome run_compare(const Arguments& arguments, Session& session) {
  const double tolerance = arguments.number("--tol");
  FileKind kinds[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    kinds[i] = tools::kind_of(arguments.input(i));
    const bool is_table = kinds[i] != FileKind::body && kinds[i] != FileKind::result;
    if (is_table && !tools::is_csv_table(arguments.input(i)))
      tools::refuse_kind(arguments.input(i), kinds[i], "a result (.h5 or .csv) or a body");
  }
  const bool has_body = kinds[0] == FileKind::body || kinds[1] == FileKind::body;
  Outcome out;
  if (has_body && kinds[0] != kinds[1])
    throw UsageError("usage",
                     "a body and a result cannot be compared",
                     {arguments.input(1)},
                     "give two of a kind");
  if (has_body) {
    const FlexBody a =
        tools::load_body(arguments.input(0), session.units, session.diagnostics, *session.progress);
    const FlexBody b =
        tools::load_body(arguments.input(1), session.units, session.diagnostics, *session.progress);
    std::vector<std::string> lacking = flexfile::aspects_lacking_in(arguments.input(0));
    for (const std::string& name : flexfile::aspects_lacking_in(arguments.input(1)))
      lacking.push_back(name);
    const tools::BodyComparison comparison = tools::compare_bodies(a, b, tolerance, lacking);
    out.exit_code = comparison.passes ? 0 : 1;
    out.document = tools::comparison_json(comparison);
    out.text = tools::comparison_table(comparison).text(60) + "\n" +
               tools::aspect_table(comparison).text();
    if (arguments.has("--report"))
      report::write_compare_report(comparison,
                                   out.document,
                                   {arguments.command(), session.is_reproducible},
                                   arguments.text("--report"));
  } else {
    out = compare_two_results(arguments, session, kinds[0], kinds[1], tolerance);
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

}  // namespace

std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    std::size_t at = 0;
    while (at <= text.size()) {
      const std::size_t end = std::min(text.find(',', at), text.size());
      if (end > at) out.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return out;
}

Verb compare_verb() {
  return {"compare",
          "compares two results or two bodies",
          "A B",
          2,
          2,
          {{"--channels",
            "",
            "LIST",
            "channels, beginnings of them, or pairs a=b; default: all common ones",
            "",
            true},
           {"--below", "", "HZ", "compare results below this frequency (zero-phase filter)", ""},
           {"--tol", "", "E", "largest relative difference that passes", "1e-6"},
           writes({"--csv", "", "FILE", "both results side by side", ""}),
           writes({"--report", "", "FILE.html", "a page with tables and overlaid histories", ""})},
          {"femflex compare full.h5 reduced.h5 --channels chassis/2101/acceleration --tol 0.05 "
           "--report difference.html"},
          run_compare};
}

}  // namespace femflex::cli

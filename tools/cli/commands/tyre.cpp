// `femflex tyre`: evaluates a tyre of a `.tir` file. Defines the options, the JSON document, the
// text output and the HTML page.
#include "verbs/tyre.h"

#include <array>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arguments.h"
#include "commands/outputs.h"
#include "document/table.h"
#include "fields.h"
#include "report/tyre_page.h"

namespace femflex::cli {
namespace {

using tools::Json;
using tools::readable;
using verbs::TyreRequest;

constexpr std::size_t kShownRows = 40;  // number of rows in the text; --csv and --json contain all
                                        // rows

/// Names of the inputs outside the ranges of the tyre.
std::vector<std::string> outside_names(std::uint8_t bits) {
  struct Name {
    tyres::OutsideRange bit;
    const char* text;
  };
  constexpr std::array<Name, 5> kNames = {{{tyres::kKappaOutside, "kappa"},
                                           {tyres::kAlphaOutside, "alpha"},
                                           {tyres::kGammaOutside, "gamma"},
                                           {tyres::kLoadOutside, "load"},
                                           {tyres::kPressureOutside, "pressure"}}};
  std::vector<std::string> out;
  for (const Name& name : kNames)
    if ((bits & name.bit) != 0) out.emplace_back(name.text);
  return out;
}

Json row_json(const verbs::TyreRow& row) {
  Json out = Json::object();
  out["kappa"] = row.state.kappa;
  out["alpha"] = row.state.alpha;
  out["gamma"] = row.state.gamma;
  out["load"] = row.state.load;
  out["speed"] = row.state.speed;
  out["fx"] = row.forces.fx;
  out["fy"] = row.forces.fy;
  out["mx"] = row.forces.mx;
  out["my"] = row.forces.my;
  out["mz"] = row.forces.mz;
  out["effective_radius"] = row.forces.effective_radius;
  out["relaxation_x"] = row.forces.relaxation_x;
  out["relaxation_y"] = row.forces.relaxation_y;
  out["outside"] = outside_names(row.forces.outside);
  return out;
}

std::string text_of_tyre(const verbs::TyreOutcome& done) {
  std::string text = fmt::format("law {}, nominal load {} N\n",
                                 tyres::law_name(done.read.tyre.law),
                                 readable(done.nominal_load));
  if (!done.read.missing.empty())
    text += fmt::format("the file lacks, taken as 0: {}\n", fmt::join(done.read.missing, ", "));
  if (!done.read.unused.empty())
    text += fmt::format("not used: {}\n", fmt::join(done.read.unused, ", "));
  tools::TextTable table({"kappa",
                          "alpha rad",
                          "gamma rad",
                          "load N",
                          "Fx N",
                          "Fy N",
                          "Mx N m",
                          "My N m",
                          "Mz N m",
                          "outside"});
  for (const verbs::TyreRow& row : done.rows)
    table.add({readable(row.state.kappa),
               readable(row.state.alpha),
               readable(row.state.gamma),
               readable(row.state.load),
               readable(row.forces.fx),
               readable(row.forces.fy),
               readable(row.forces.mx),
               readable(row.forces.my),
               readable(row.forces.mz),
               fmt::format("{}", fmt::join(outside_names(row.forces.outside), " "))});
  return text + table.text(kShownRows);
}

Outcome run_tyre(const Arguments& arguments, Session& session) {
  auto request = request_of<TyreRequest>(arguments);
  request.file = arguments.input();
  const verbs::TyreOutcome done = verbs::tyre(request, session.diagnostics, *session.progress);
  Outcome out;
  out.document["law"] = std::string(tyres::law_name(done.read.tyre.law));
  out.document["nominal_load"] = done.nominal_load;
  out.document["missing"] = done.read.missing;
  out.document["unused"] = done.read.unused;
  Json rows = Json::list();
  for (const verbs::TyreRow& row : done.rows)
    rows.push_back(row_json(row));
  out.document["rows"] = std::move(rows);
  out.text = text_of_tyre(done);
  std::vector<std::string> outputs;
  if (!request.csv.empty()) outputs.push_back(request.csv.string());
  if (arguments.has("--page")) {
    const std::string page = arguments.text("--page");
    report::write_tyre_page(done, request, {arguments.command(), session.is_reproducible}, page);
    outputs.push_back(page);
  }
  list_outputs(out, outputs, "wrote ");
  return out;
}

std::vector<Option> tyre_options() {
  return {
      {.name = "--table",
       .value = "FILE.csv",
       .help = "evaluates its rows: columns kappa, alpha or alpha_deg, gamma or gamma_deg, load, "
               "speed, pressure (SI)",
       .set = to(&TyreRequest::table)},
      {.name = "--kappa",
       .value = "LIST",
       .help = "longitudinal slips; all combinations with the other lists are evaluated",
       .fallback = "0",
       .excludes = "--table",
       .set = to(at(&TyreRequest::kappa), numbers_at_commas)},
      {.name = "--alpha",
       .value = "LIST",
       .help = "slip angles [deg]",
       .fallback = "0",
       .excludes = "--table",
       .set = to(at(&TyreRequest::alpha_deg), numbers_at_commas)},
      {.name = "--gamma",
       .value = "LIST",
       .help = "camber angles [deg]",
       .fallback = "0",
       .excludes = "--table",
       .set = to(at(&TyreRequest::gamma_deg), numbers_at_commas)},
      {.name = "--load",
       .value = "LIST",
       .help = "loads [N]; default: the nominal load of the file",
       .excludes = "--table",
       .set = to(at(&TyreRequest::load), numbers_at_commas)},
      {.name = "--speed",
       .value = "V",
       .help = "speed of the wheel centre [m/s]",
       .fallback = "20",
       .set = to(&TyreRequest::speed)},
      {.name = "--right",
       .help = "mounted on the right-hand side",
       .set = to(&TyreRequest::is_right)},
      {.name = "--csv",
       .value = "FILE",
       .help = "writes all rows as a table in SI units",
       .is_output = true,
       .set = to(&TyreRequest::csv)},
      {.name = "--page",
       .value = "FILE.html",
       .help = "a page with the curves over slip, load and camber",
       .is_output = true},
  };
}

}  // namespace

Verb tyre_verb() {
  return {
      .name = "tyre",
      .summary = "forces of a tyre at given slips and loads, and what its file lacks",
      .inputs = "FILE.tir",
      .fewest_inputs = 1,
      .most_inputs = 1,
      .options = tyre_options(),
      .examples = {"femflex tyre truck.tir --kappa -0.1,0,0.1 --load 20000,30000",
                   "femflex tyre truck.tir --table slips.csv --csv forces.csv --page truck.html"},
      .run = run_tyre};
}

}  // namespace femflex::cli

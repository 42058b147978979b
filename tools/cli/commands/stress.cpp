// `femflex stress`: computes stresses of shapes and runs, virtual gauges, cycles and damage.
// Defines the options, the JSON document and the text output.
#include "verbs/stress.h"

#include <thread>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/name_table.h"

#include "arguments.h"
#include "body/inputs.h"
#include "commands/outputs.h"
#include "fields.h"
#include "report/stress_page.h"

namespace femflex::cli {
namespace {

using durability::StressPlaces;
using verbs::StressRequest;

/// The input as a model, body, run or system, according to its type or the content of its file.
std::variant<verbs::ModelInput, verbs::BodyInput, verbs::ResultInput, tools::DocumentInput>
subject_of(const Value& value) {
  if (value.as<const FeModel*>() != nullptr) return model_input(value);
  if (value.as<const FlexBody*>() != nullptr) return body_input(value);
  if (value.as<const tools::ResultSeries*>() != nullptr) return result_input(value);
  const std::filesystem::path path = text_of(value);
  const tools::FileKind kind = tools::kind_of(path);
  if (kind == tools::FileKind::fe_model || kind == tools::FileKind::fe_source)
    return verbs::ModelInput(path);
  if (kind == tools::FileKind::body) return verbs::BodyInput(path);
  if (kind == tools::FileKind::result) return verbs::ResultInput(path);
  if (kind == tools::FileKind::system) return document_input(value);
  tools::refuse_kind(path, kind, "an FE model, a flexible body, a result or a system");
}

constexpr auto kPlaces =
    name_table<StressPlaces>({{StressPlaces::centre, "centre"},
                              {StressPlaces::corners, "corners"},
                              {StressPlaces::integration_points, "integration-points"}});
constexpr auto kWays = name_table<verbs::StressWay>({{verbs::StressWay::automatic, "auto"},
                                                     {verbs::StressWay::read, "read"},
                                                     {verbs::StressWay::computed, "computed"}});

StressPlaces parse_places(std::string_view text) {
  return kPlaces.parse(text, "usage", "a place in an element");
}

verbs::StressWay parse_way(std::string_view text) {
  return kWays.parse(text, "usage", "a source of stresses");
}

/// Parses `bolts.fe.h5` or `bolts.fe.h5:3`.
verbs::PreloadInput parse_preload(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string number = colon == std::string::npos ? "" : text.substr(colon + 1);
  const bool has_shape =
      !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
  if (!has_shape) return {std::filesystem::path(text), 0};
  constexpr std::size_t kMostDigits = 9;
  if (number.size() > kMostDigits || std::stoll(number) == 0)
    throw UsageError("usage",
                     fmt::format("--preload: '{}' is not the number of a shape", number),
                     {},
                     "shapes count from 1");
  return {std::filesystem::path(text.substr(0, colon)), std::stoll(number)};
}

Outcome run_stress(const Arguments& arguments, Session& session) {
  auto request = request_of<StressRequest>(arguments);
  if (!arguments.inputs().empty()) request.subject = subject_of(arguments.input_value());
  request.units = session.units;
  request.threads = session.threads > 0
                        ? session.threads
                        : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  request.provenance = arguments.summary();
  request.with_report = arguments.has("--report");
  verbs::StressOutcome found = verbs::stress(request, session.diagnostics, *session.progress);
  Outcome out;
  out.document = std::move(found.document);
  out.text = std::move(found.text);
  out.result = std::move(found.series);
  std::vector<std::string> outputs;
  for (const auto& file : {request.csv, request.output})
    if (file) outputs.push_back(file->string());
  outputs.insert(outputs.end(), found.outputs.begin(), found.outputs.end());
  if (found.page) {
    report::write_stress_page(*found.page, arguments.text("--report"));
    outputs.push_back(arguments.text("--report"));
  }
  list_outputs(out, outputs);
  return out;
}

/// What is looked at, and where stresses come from.
std::vector<Option> subject_options() {
  return {
      {.name = "--body",
       .value = "NAME",
       .help = "name of the body in the run; default: the only flexible one",
       .set = to(&StressRequest::body)},
      {.name = "--flex",
       .value = "BODY",
       .help = "the body file; default: the one the simulation used",
       .set = to(&StressRequest::flex)},
      {.name = "--model",
       .value = "MODEL.fe.h5",
       .help = "the model with materials and sections; default: the one beside the body that was "
               "imported from the same FE files",
       .set = to(&StressRequest::model)},
      {.name = "--preload",
       .value = "MODEL.fe.h5:N",
       .help = "add the stress of shape N of this model, which is constant over the run: tightened "
               "bolts, a press fit; N may be left out if the model has one shape",
       .set = to(at(&StressRequest::preload), parse_preload)},
      {.name = "--at",
       .value = "PLACE",
       .help = "where in solids and shells; bars and beams have stresses at both ends",
       .fallback = "centre",
       .choices = kPlaces.names(),
       .set = to(at(&StressRequest::places), parse_places)},
      {.name = "--source",
       .value = "WAY",
       .help = "read: tables of the FE code, combined as the shapes; computed: from displacements, "
               "materials and sections; auto: read where the shapes allow it",
       .fallback = "auto",
       .choices = kWays.names(),
       .set = to(at(&StressRequest::source), parse_way)},
      {.name = "--elements",
       .value = "LIST",
       .help = "only these elements",
       .set = to(&StressRequest::elements)},
  };
}

/// Files and tables to write.
std::vector<Option> file_options() {
  return {
      {.name = "--top",
       .value = "N",
       .help = "rows to show: the largest damage, else von Mises stress",
       .fallback = "10",
       .set = to(&StressRequest::top)},
      {.name = "--csv",
       .value = "FILE",
       .help = "the table of all rows",
       .is_output = true,
       .set = to(&StressRequest::csv)},
      {.name = "--history",
       .value = "LIST",
       .help = "elements whose stress histories go to --output",
       .set = to(&StressRequest::histories)},
      {.name = "--forces",
       .value = "LIST",
       .help =
           "bars, beams and rods whose section forces go to --output: axial force, shear forces, "
           "torque and bending moments at both ends",
       .set = to(&StressRequest::forces)},
      {.name = "--gauges",
       .value = "FILE.json",
       .help = "virtual strain gauges, whose histories go to --output",
       .set = to(&StressRequest::gauges)},
      {.name = "--output",
       .short_name = "-o",
       .value = "OUT.h5",
       .help = "histories of elements, section forces and gauges; .csv: as a table",
       .is_output = true,
       .second_ending = ".csv",
       .set = to(&StressRequest::output)},
      {.name = "--view",
       .value = "PAGE.html",
       .help = "a page as of `femflex view` with von Mises stress and damage as colours, and a "
               "list of hot spots",
       .is_output = true,
       .set = to(&StressRequest::page)},
      {.name = "--vtk",
       .value = "FILE.vtu",
       .help = "for ParaView: peaks of the run, or .pvd: a series over the run or the shapes",
       .is_output = true,
       .set = to(&StressRequest::picture)},
      {.name = "--report",
       .value = "PAGE.html",
       .help = "a page with hot spots, their histories and cycles, to print",
       .is_output = true},
      {.name = "--coordinates",
       .value = "FILE.rsp",
       .help = "the modal coordinates of the run as RPC III, for a fatigue code",
       .is_output = true,
       .set = to(&StressRequest::coordinates)},
      {.name = "--loads-at",
       .value = "TIMES",
       .help = "instants t1,t2 whose load cases go to --loads",
       .unit = "s",
       .set = to(at(&StressRequest::loads_at), numbers_at_commas)},
      {.name = "--loads",
       .value = "FILE.inp",
       .help = "static loads that deform the body as at --loads-at: CalculiX steps (.inp) or "
               "NASTRAN cards (.bdf)",
       .is_output = true,
       .set = to(&StressRequest::loads)},
  };
}

/// How damage is computed.
std::vector<Option> damage_options() {
  return {
      {.name = "--curve",
       .value = "W.json",
       .help = "Woehler curve: damage of the run or of the signals; or one of the library: iiw:71, "
               "fkm-steel:600, ...",
       .set = to(&StressRequest::curve)},
      {.name = "--with-left-out",
       .help = "with the stresses of what modes that do not act would add, from a run with the "
               "output BODY/left_out_zeta",
       .set = means(at(&StressRequest::with_left_out), true)},
      {.name = "--criterion",
       .value = "NAME",
       .help = "the stress whose cycles are counted",
       .fallback = "signed-von-mises",
       .choices = durability::criterion_names(),
       .set = to(at(&StressRequest::criterion), durability::parse_criterion)},
      {.name = "--residue",
       .value = "RULE",
       .help = "what does not close: half cycles (ASTM E1049), or closed by a repeated history",
       .fallback = "half-cycles",
       .choices = durability::residue_names(),
       .set = to(at(&StressRequest::residue), durability::parse_residue)},
      {.name = "--schedule",
       .value = "S.json",
       .help = "instead of a file: several runs and how often each occurs, summed to damage per "
               "km, mile or hour and to a life",
       .set = to(&StressRequest::schedule)},
      {.name = "--rainflow",
       .value = "TABLE.csv",
       .help = "instead of a file: count the cycles of these signals, in the unit of --curve",
       .set = to(&StressRequest::signals)},
      {.name = "--spectrum",
       .value = "DENSITIES.csv",
       .help = "one-sided densities over Hz: of inputs of the system named, or of plain signals in "
               "the unit of --curve",
       .set = to(&StressRequest::spectrum)},
      {.name = "--spectral-method",
       .value = "NAME",
       .help = "how cycles follow from a spectrum",
       .fallback = "dirlik",
       .choices = durability::spectral_method_names(),
       .set = to(at(&StressRequest::spectral_method), durability::parse_spectral_method)},
      {.name = "--channels",
       .value = "LIST",
       .help = "with --rainflow: columns to count; default: all",
       .is_repeated = true,
       .set = to(at(&StressRequest::channels), names_at_commas)},
  };
}

}  // namespace

Verb stress_verb() {
  return {.name = "stress",
          .summary = "stresses of shapes or over a run, virtual strain gauges, cycles and damage",
          .inputs = "[MODEL|BODY|RESULT|SYSTEM]",
          .fewest_inputs = 0,
          .most_inputs = 1,
          .options = joined({subject_options(), file_options(), damage_options()}),
          .examples =
              {"femflex stress bracket.fe.h5 --at corners --csv shapes.csv",
               "femflex stress run.h5 --body bracket --curve steel.json --csv damage.csv",
               "femflex stress run.h5 --history 12,40 --gauges gauges.json -o strain.h5",
               "femflex stress run.h5 --curve steel.json --view hot.html --vtk hot.pvd",
               "femflex stress run.h5 --loads-at 0.12,0.35 --loads rerun.inp",
               "femflex stress --schedule proving_ground.json --curve steel.json --csv life.csv",
               "femflex stress --rainflow measured.csv --curve steel.json",
               "femflex stress truck.json --spectrum road.csv --curve steel.json"},
          .run = run_stress,
          .takes_values = true,
          .hands_over = true};
}

}  // namespace femflex::cli

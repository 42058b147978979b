#include "femflex/modal/reduce.h"

#include <charconv>
#include <chrono>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/modal/correlation.h"

#include "arguments.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "commands/commands.h"
#include "report/reports.h"

namespace femflex::cli {
namespace {

using tools::Json;

modal::ReduceOptions options_of(const Arguments& arguments, Session& session) {
  modal::ReduceOptions options;
  options.method = modal::parse_method(arguments.text("--method"));
  if (arguments.has("--select"))
    options.select = modal::parse_selection(arguments.text("--select"));
  options.orthogonalise = arguments.has("--orthogonalise");
  options.scale = arguments.has("--scale");
  options.reject_below = arguments.number("--reject-below");
  options.reject_above = arguments.number("--reject-above");
  if (!options.orthogonalise &&
      (arguments.has("--reject-below") || arguments.has("--reject-above")))
    session.diagnostics.warn("no-limits",
                             "--reject-below and --reject-above choose among orthogonalised modes; "
                             "without --orthogonalise they reject nothing");
  if (arguments.has("--drop-rigid") && arguments.has("--keep-rigid"))
    throw UsageError("usage", "--drop-rigid and --keep-rigid contradict each other");
  if (arguments.has("--drop-rigid")) options.rigid_modes = modal::RigidModes::drop;
  if (arguments.has("--keep-rigid")) options.rigid_modes = modal::RigidModes::keep;
  if (arguments.has("--damping"))
    options.damping = modal::parse_damping(arguments.text("--damping"));
  if (arguments.has("--normal")) options.normal = arguments.count("--normal");
  options.fmax_hz = arguments.maybe_number("--fmax", "Hz");
  options.krylov = arguments.count("--krylov");
  options.tolerance = arguments.number("--tolerance");
  if (arguments.has("--band")) options.band = modal::parse_band(arguments.text("--band"));
  if (arguments.has("--backend"))
    options.solve.backend = modal::parse_backend(arguments.text("--backend"));
  if (session.threads > 0) options.solve.threads = session.threads;
  return options;
}

/// `--geometric spin-zz=spun.fe.h5@100`: K of another model of the same freedoms, and how much of
/// the cause it was computed under.
modal::PreloadedStiffness preloaded_of(const std::string& text,
                                       const FeModel& model,
                                       Session& session) {
  const std::size_t equals = text.find('=');
  const std::size_t at = text.rfind('@');
  const bool amount = at != std::string::npos && equals != std::string::npos && at > equals;
  const auto wrong = [&] {
    return UsageError("geometric",
                      fmt::format("--geometric: '{}' does not name a cause and a model", text),
                      {},
                      "write CAUSE=MODEL@AMOUNT, for example spin-zz=spun.fe.h5@100");
  };
  if (equals == std::string::npos) throw wrong();
  modal::PreloadedStiffness out;
  out.cause = modal::parse_cause(text.substr(0, equals));
  if (amount) {
    const std::string number = text.substr(at + 1);
    const auto [end, fault] =
        std::from_chars(number.data(), number.data() + number.size(), out.amount);
    if (fault != std::errc{} || end != number.data() + number.size()) throw wrong();
  }
  const std::string path = text.substr(equals + 1, amount ? at - equals - 1 : std::string::npos);
  FeModel other = tools::load_model(path, session.units, session.diagnostics, *session.progress);
  if (!other.stiffness)
    throw ModelError("no-matrices", fmt::format("{} holds no stiffness matrix", path));
  if (!(other.dofs == model.dofs) ||
      (other.units && model.units && other.units->moment() != model.units->moment()))
    throw ModelError("wrong-model",
                     fmt::format("{} has other freedoms or units than the model", path),
                     {},
                     "import both from the same deck");
  out.stiffness.swap(*other.stiffness);
  return out;
}

Outcome run_reduce(const Arguments& arguments, Session& session) {
  using Clock = std::chrono::steady_clock;
  static_cast<void>(arguments.need("--output"));
  const std::vector<std::string> outputs = arguments.texts("--output");
  modal::ReduceOptions options = options_of(arguments, session);
  // names that cannot be written should not cost the time of a reduction
  for (const std::string& output : outputs)
    static_cast<void>(flexfile::format_for_writing(output, {}));
  const Clock::time_point start = Clock::now();
  const FeModel model =
      tools::load_model(arguments.input(), session.units, session.diagnostics, *session.progress);
  for (const std::string& text : arguments.texts("--geometric"))
    options.preloaded.push_back(preloaded_of(text, model, session));
  const Clock::time_point loaded = Clock::now();
  modal::ReduceReport report;
  FlexBody body = modal::reduce(model, options, session.diagnostics, *session.progress, &report);
  if (arguments.has("--name")) body.name = arguments.text("--name");
  body.provenance.options = arguments.summary();
  const Clock::time_point reduced = Clock::now();
  for (const std::string& output : outputs)
    flexfile::write_body(body, output, {}, session.diagnostics, *session.progress);
  const Clock::time_point written = Clock::now();

  Outcome out;
  const Eigen::MatrixXd energy = modal::kinetic_energy_fractions(body, &model);
  out.document = tools::body_report_json(body);
  out.document["effective_mass"] = tools::mode_mass_json(body, energy);
  if (report.lumped) out.document["lumped"] = tools::lumped_json(*report.lumped);
  if (!report.curve.empty()) out.document["automatic"] = tools::automatic_json(report);
  out.document["outputs"] = outputs;
  if (!session.is_reproducible) {
    const auto seconds = [](Clock::duration d) { return std::chrono::duration<double>(d).count(); };
    Json times = Json::object();
    times["read"] = seconds(loaded - start);
    times["factor"] = report.solve.seconds_factor;
    times["modes"] = report.seconds_modes;
    times["project"] = report.seconds_project;
    times["invariants"] = report.seconds_invariants;
    times["reduce"] = seconds(reduced - loaded);
    times["write"] = seconds(written - reduced);
    out.document["seconds"] = std::move(times);
  }
  out.text = tools::body_report_text(body);
  if (report.lumped) out.text += tools::lumped_text(*report.lumped);
  if (arguments.has("--tables")) {
    constexpr std::size_t rows = 1000;
    out.text += "participation\n" + tools::participation_table(body).text(rows);
    out.text += "effective mass\n" + tools::effective_mass_table(body).text(rows);
    out.text += "kinetic energy\n" + tools::kinetic_energy_table(body, energy).text(rows);
  }
  if (arguments.has("--report")) {
    report::write_reduce_report(body,
                                energy,
                                out.document,
                                {arguments.command(), session.is_reproducible},
                                arguments.text("--report"));
    out.text += arguments.text("--report") + "\n";
  }
  for (const std::string& output : outputs)
    out.text += output + "\n";
  return out;
}

}  // namespace

Verb reduce_verb() {
  return {
      "reduce",
      "chooses modes, orthogonalises, rejects, scales, writes body files",
      "MODEL",
      1,
      1,
      {writes({"--output",
               "-o",
               "BODY",
               "body files to write: .fbm .flex .fem .SID_FEM .npz",
               "",
               true}),
       {"--method",
        "",
        "METHOD",
        "where the modes come from",
        "given",
        false,
        {"given", "craig-bampton", "craig-chang", "guyan", "dynamic", "krylov", "auto"}},
       {"--select", "", "LIST", "modes of the model: dynamic:1-20,static:1,constraint:2", ""},
       {"--orthogonalise", "", "", "diagonalise m and k", ""},
       {"--scale", "", "", "unit modal masses", ""},
       {"--reject-below",
        "",
        "L",
        "drop orthogonalised modes with an eigenvalue below [rad^2/s^2]",
        "4e-3"},
       {"--reject-above",
        "",
        "L",
        "drop orthogonalised modes with an eigenvalue above [rad^2/s^2]",
        "4e13"},
       {"--drop-rigid",
        "",
        "",
        "drop rigid-body modes: what computed and orthogonalised sets do anyway",
        ""},
       {"--keep-rigid",
        "",
        "",
        "keep rigid-body modes, for a solver that gives the body no frame",
        ""},
       {"--damping",
        "",
        "RULE",
        "0.01 or 1%, true:0.01 (on the eigenmodes), adams, file, or by mode: 1:0.35,2:0.25",
        ""},
       {"--geometric",
        "",
        "CAUSE=MODEL@AMOUNT",
        "stiffening from K under a preload: spin-zz=spun.fe.h5@100, acceleration-x=...",
        "",
        true},
       {"--normal", "", "N", "normal modes of computed methods [20, or all up to --fmax]", ""},
       {"--fmax", "", "HZ", "normal modes up to here", ""},
       {"--krylov",
        "",
        "N",
        "krylov: moment-matching vectors a load case, or an interface freedom without load cases",
        "4"},
       {"--tolerance", "", "E", "auto: largest relative error of the interface FRF", "1e-3"},
       {"--band", "", "F-F", "auto: frequency band, 0-100Hz", ""},
       {"--backend", "", "NAME", "sparse factorisation: supernodal, cholmod, mumps, eigen", ""},
       {"--name", "", "NAME", "name of the body", ""},
       {"--tables", "", "", "participation, effective mass and kinetic energy of each mode", ""},
       writes({"--report", "", "FILE.html", "a page with the mode table, masses and damping", ""})},
      {"femflex reduce dms.fe.h5 --select \"static:1,constraint:1\" --orthogonalise --scale -o "
       "dms.fbm dms.flex",
       "femflex reduce chassis.fe.h5 --method craig-bampton --normal 20 --orthogonalise --scale "
       "--damping adams -o chassis.fbm"},
      run_reduce};
}

}  // namespace femflex::cli

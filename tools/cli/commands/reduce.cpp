// `femflex reduce`: makes a flexible body from an FE model and writes body files. Defines the
// options, the JSON document, the text output and the HTML page.
#include "verbs/reduce.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "body/fe_report.h"
#include "commands/interface_options.h"
#include "document/number_text.h"
#include "fields.h"
#include "report/reports.h"
#include "resource_options.h"

namespace femflex::cli {
namespace {

using modal::ReduceOptions;
using tools::Json;
using verbs::ReduceOutcome;
using verbs::ReduceRequest;

/// The damping rule from a text ("0.02", "adams", "1:0.35,2:0.25") or from a number (a damping
/// ratio).
modal::DampingRule damping_of(const Given& given) {
  const Value value = given.value();
  if (value.as<std::string>() != nullptr) return modal::parse_damping(text_of(value));
  return modal::parse_damping(fmt::format("{}", number_of(value, "", given.option.name)));
}

/// Parses `spin-zz=spun.fe.h5@100`: the cause of the preload, the model under preload, and the
/// amount of the cause (default 1) [(rad/s)^2, rad/s^2, m/s^2].  @throws UsageError
verbs::PreloadedModel preloaded_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t at = text.rfind('@');
  const bool has_amount = at != std::string::npos && equals != std::string::npos && at > equals;
  const auto refusal = [&] {
    return UsageError("geometric",
                      fmt::format("--geometric: '{}' does not name a cause and a model", text),
                      {},
                      "write CAUSE=MODEL@AMOUNT, for example spin-zz=spun.fe.h5@100 for 10 rad/s");
  };
  if (equals == std::string::npos) throw refusal();
  verbs::PreloadedModel out;
  out.cause = modal::parse_cause(text.substr(0, equals));
  if (has_amount) {
    const auto amount = tools::number_of_text(std::string_view(text).substr(at + 1));
    if (!amount) throw refusal();
    out.amount = *amount;
    using Cause = GeometricStiffness::Cause;
    const bool is_square =
        out.cause == Cause::spin_xx || out.cause == Cause::spin_yy || out.cause == Cause::spin_zz;
    if (is_square && out.amount < 0.0)
      throw UsageError(
          "geometric",
          fmt::format("--geometric: '{}' has a negative square of an angular velocity", text),
          {},
          "the amount of a spin is Omega^2 in (rad/s)^2: write 100 for 10 rad/s");
  }
  out.model = std::filesystem::path(
      text.substr(equals + 1, has_amount ? at - equals - 1 : std::string::npos));
  return out;
}

std::vector<verbs::PreloadedModel> preloaded_models(const Given& given) {
  std::vector<verbs::PreloadedModel> out;
  for (const Value& value : given.values)
    out.push_back(preloaded_of(text_of(value)));
  return out;
}

ReduceRequest reduce_request(const Arguments& arguments, Session& session) {
  if (!arguments.is_script()) static_cast<void>(arguments.need("--output"));
  auto request = request_of<ReduceRequest>(arguments);
  request.model = model_input(arguments.input_value());
  for (std::size_t k = 1; k < arguments.inputs().size(); ++k)
    request.parts.files.emplace_back(arguments.inputs()[k]);
  request.has_krylov = arguments.has("--krylov");
  request.has_tolerance = arguments.has("--tolerance");
  request.may_take_defaults = !arguments.has("--method") && !arguments.has("--select");
  request.may_take_damping = !arguments.has("--damping");
  request.units = session.units;
  request.provenance = arguments.summary();
  if (session.threads > 0) request.options.solve.threads = session.threads;
  set_resources(arguments, session, request.options.solve);
  if (!request.options.left_out && arguments.has("--left-out-at"))
    throw UsageError("usage",
                     "--left-out-at names nodes of --left-out, which is not given",
                     {},
                     "add --left-out 12");
  if (!request.options.orthogonalise &&
      (arguments.has("--reject-below") || arguments.has("--reject-above")))
    session.diagnostics.warn("no-limits",
                             "--reject-below and --reject-above choose among orthogonalised modes; "
                             "without --orthogonalise they reject nothing");
  return request;
}

Json document_of(const ReduceRequest& request, const ReduceOutcome& reduced, bool with_seconds) {
  const modal::ReduceReport& report = reduced.report;
  Json out = tools::body_report_json(reduced.body);
  out["effective_mass"] = tools::mode_mass_json(reduced.body, reduced.energy);
  if (report.lumped) out["lumped"] = tools::invariants_json(*report.lumped);
  if (report.interface) {
    Json interface = Json::object();
    interface["kept"] = report.interface->kept;
    interface["of"] = report.interface->of;
    interface["highest_hz"] = report.interface->highest_hz;
    out["interface_modes"] = std::move(interface);
  }
  if (!report.curve.empty()) out["automatic"] = tools::automatic_json(report);
  out["took_defaults"] = reduced.took_defaults;
  out["damping_note"] = reduced.damping;
  out["outputs"] = texts_of(request.outputs);
  if (!with_seconds) return out;
  Json times = Json::object();
  times["read"] = reduced.seconds.read;
  times["factor"] = report.solve.seconds_factor;
  times["modes"] = report.seconds_modes;
  times["project"] = report.seconds_project;
  times["invariants"] = report.seconds_invariants;
  times["reduce"] = reduced.seconds.reduce;
  times["write"] = reduced.seconds.write;
  out["seconds"] = std::move(times);
  return out;
}

Outcome run_reduce(const Arguments& arguments, Session& session) {
  const ReduceRequest request = reduce_request(arguments, session);
  ReduceOutcome reduced = verbs::reduce(request, session.diagnostics, *session.progress);
  const FlexBody& body = reduced.body;
  Outcome out;
  out.document = document_of(request, reduced, !session.is_reproducible);
  out.text = tools::body_report_text(body);
  if (reduced.took_defaults)
    out.text +=
        "no modes in the model and no --method: craig-bampton, orthogonalised and scaled, rigid "
        "modes off\n";
  out.text += reduced.damping + "\n";
  if (reduced.report.lumped) out.text += tools::lumped_text(*reduced.report.lumped);
  if (const auto& interface = reduced.report.interface)
    out.text += fmt::format("interface: {} of {} motions kept, up to {:.6g} Hz\n",
                            interface->kept,
                            interface->of,
                            interface->highest_hz);
  if (arguments.has("--tables")) {
    constexpr std::size_t kMaxRows = 1000;
    out.text += "participation\n" + tools::participation_table(body).text(kMaxRows);
    out.text += "effective mass\n" + tools::effective_mass_table(body).text(kMaxRows);
    out.text +=
        "kinetic energy\n" + tools::kinetic_energy_table(body, reduced.energy).text(kMaxRows);
  }
  if (arguments.has("--report")) {
    report::write_reduce_report(body,
                                reduced.energy,
                                out.document,
                                {arguments.command(), session.is_reproducible},
                                arguments.text("--report"));
    out.text += arguments.text("--report") + "\n";
  }
  for (const std::filesystem::path& output : request.outputs)
    out.text += output.string() + "\n";
  out.body = std::make_shared<FlexBody>(std::move(reduced.body));
  return out;
}

std::vector<Option> mode_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "BODY",
       .help = "body files to write: .fbm .flex .fem .SID_FEM .npz",
       .is_repeated = true,
       .is_output = true,
       .set = to(&ReduceRequest::outputs)},
      {.name = "--method",
       .value = "METHOD",
       .help = "where the modes come from [given; a model without modes: craig-bampton, "
               "orthogonalised, scaled, damping adams]",
       .choices = modal::method_names(),
       .set = to(at(&ReduceRequest::options, &ReduceOptions::method), modal::parse_method)},
      interface_option(at(&ReduceRequest::parts, &importer::ImportRequest::interface_nodes),
                       "files of an FE code: "),
      spider_option(at(&ReduceRequest::parts, &importer::ImportRequest::spiders),
                    "files of an FE code: "),
      {.name = "--select",
       .value = "LIST",
       .help = "modes of the model: dynamic:1-20,static:1,constraint:2",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::select), modal::parse_selection)},
      {.name = "--orthogonalise",
       .help = "diagonalise m and k",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::orthogonalise))},
      {.name = "--scale",
       .help = "unit modal masses",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::scale))},
      {.name = "--reject-below",
       .value = "L",
       .help = "drop orthogonalised modes with an eigenvalue below [rad^2/s^2]",
       .fallback = "4e-3",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::reject_below))},
      {.name = "--reject-above",
       .value = "L",
       .help = "drop orthogonalised modes with an eigenvalue above [rad^2/s^2]",
       .fallback = "4e13",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::reject_above))},
      {.name = "--drop-rigid",
       .help = "drop rigid-body modes; the default of computed and orthogonalised sets",
       .excludes = "--keep-rigid",
       .set = means(at(&ReduceRequest::options, &ReduceOptions::rigid_modes),
                    modal::RigidModes::drop)},
      {.name = "--keep-rigid",
       .help = "keep rigid-body modes, for a solver that gives the body no frame",
       .set = means(at(&ReduceRequest::options, &ReduceOptions::rigid_modes),
                    modal::RigidModes::keep)},
  };
}

std::vector<Option> property_options() {
  return {
      {.name = "--damping",
       .value = "RULE",
       .help = "0.01 or 1%, true:0.01 (on the eigenmodes), adams, file, or by mode: 1:0.35,2:0.25",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::damping), damping_of)},
      {.name = "--geometric",
       .value = "CAUSE=MODEL@AMOUNT",
       .help = "stiffening from K under a small preload; AMOUNT in (rad/s)^2, rad/s^2 or m/s^2: "
               "spin-zz=spun.fe.h5@100 is 10 rad/s",
       .is_repeated = true,
       .set = to(at(&ReduceRequest::preloaded), preloaded_models)},
  };
}

std::vector<Option> computing_options() {
  return {
      {.name = "--normal",
       .value = "N",
       .help = "craig-bampton, craig-chang and dynamic: number of normal modes [20, or all up to "
               "--fmax]",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::normal))},
      {.name = "--fmax",
       .value = "HZ",
       .help = "the same methods: normal modes up to this frequency",
       .unit = "Hz",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::fmax_hz))},
      {.name = "--interface-modes",
       .value = "N",
       .help = "craig-bampton and guyan: the N lowest combinations of constraint modes, for "
               "interfaces of many hundred DOFs",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::interface_modes))},
      {.name = "--krylov",
       .value = "N",
       .help = "krylov: moment-matching vectors per load case, or per interface DOF without load "
               "cases",
       .fallback = "4",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::krylov))},
      {.name = "--tolerance",
       .value = "E",
       .help = "auto: largest relative error of the interface FRF",
       .fallback = "1e-3",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::tolerance))},
      {.name = "--band",
       .value = "F-F",
       .help = "auto: frequency band, 0-100Hz",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::band), modal::parse_band)},
      {.name = "--left-out",
       .value = "N",
       .help = "carry the next N normal modes, and responses to forces at the interface, without "
               "their acting: simulate tells what they would add",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::left_out))},
      {.name = "--left-out-at",
       .value = "NODES",
       .help = "nodes whose displacement --left-out makes complete [those of the interface]",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::left_out_at))},
      {.name = "--backend",
       .value = "NAME",
       .help = "sparse factorisation: supernodal, cholmod, mumps, eigen",
       .set = to(at(&ReduceRequest::options, &ReduceOptions::solve, &modal::SolveOptions::backend),
                 modal::parse_backend)},
      distributed_option(),
      memory_option(),
      {.name = "--name",
       .value = "NAME",
       .help = "name of the body",
       .set = to(&ReduceRequest::name)},
      {.name = "--tables", .help = "participation, effective mass and kinetic energy of each mode"},
      {.name = "--report",
       .value = "FILE.html",
       .help = "a page with the mode table, masses and damping",
       .is_output = true},
  };
}

}  // namespace

Verb reduce_verb() {
  return {
      .name = "reduce",
      .summary = "chooses modes, orthogonalises, rejects, scales, writes body files",
      .inputs = "MODEL [FILE...]",
      .fewest_inputs = 1,
      .options = joined({mode_options(), property_options(), computing_options()}),
      .examples =
          {"femflex reduce chassis.bdf chassis.op4 --units mm-t-s --interface 1-8 -o chassis.fbm",
           "femflex reduce dms.fe.h5 --select dynamic:1-2 --orthogonalise --scale -o dms.fbm "
           "dms.flex",
           "femflex reduce chassis.fe.h5 --method craig-bampton --normal 20 --orthogonalise "
           "--scale --damping adams -o chassis.fbm"},
      .run = run_reduce,
      .takes_values = true,
      .hands_over = true};
}

}  // namespace femflex::cli

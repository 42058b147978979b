// `femflex modes`: computes modes of an FE model and adds them to it. Defines the options, the JSON
// document and the text output.
#include "verbs/modes.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/reduce.h"

#include "arguments.h"
#include "body/dof_list.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "fields.h"
#include "resource_options.h"

namespace femflex::cli {
namespace {

using modal::ModeRequest;
using verbs::ModesRequest;

ModeRequest::Boundary boundary_of(const std::string& text) {
  return text == "interface" ? ModeRequest::Boundary::interface : ModeRequest::Boundary::none;
}

/// The definition of constraint modes for --sense; other texts are rejected before.
ModeRequest::ConstraintSense sense_of(const std::string& text) {
  return text == "all-but-one" ? ModeRequest::ConstraintSense::all_but_one
                               : ModeRequest::ConstraintSense::unit_motion;
}

/// Sets the frequency limits of the normal modes from --band.
void set_band(std::any& request, const Given& given) {
  const modal::FrequencyBand band = modal::parse_band(text_of(given.value()));
  ModeRequest& modes = std::any_cast<ModesRequest&>(request).modes;
  modes.fmin_hz = band.from_hz;
  modes.fmax_hz = band.to_hz;
}

bool requests_any_modes(const ModeRequest& modes) {
  return modes.normal > 0 || modes.fmax_hz || modes.constraint || modes.static_loads ||
         modes.attachment || modes.residual_attachment || modes.inertia_relief ||
         modes.modal_truncation || modes.krylov > 0;
}

ModesRequest modes_request(const Arguments& arguments, const Session& session) {
  if (arguments.has("--fmax") && arguments.has("--band"))
    throw UsageError(
        "usage", "--fmax and --band both set the highest frequency", {}, "give one of them");
  auto request = request_of<ModesRequest>(arguments);
  if (!requests_any_modes(request.modes))
    throw UsageError("usage",
                     "modes: no modes are requested",
                     {},
                     "add --normal 10, --fmax 100, --band 20-100Hz, --static, --constraint, ...");
  request.model = model_input(arguments.input_value());
  request.units = session.units;
  if (session.threads > 0) request.modes.solve.threads = session.threads;
  set_resources(arguments, session, request.modes.solve);
  request.writes_early = !arguments.is_script();  // a script may use HDF5 meanwhile
  if (request.output || arguments.is_script()) return request;
  const std::string& input = arguments.input();
  if (tools::kind_of(input) != tools::FileKind::fe_model)
    throw UsageError("usage",
                     "modes: the input is not a femflex FE model (.fe.h5), so the modes "
                     "cannot be added to it",
                     {input},
                     "name the output with -o");
  request.output = input;
  return request;
}

Outcome run_modes(const Arguments& arguments, Session& session) {
  const ModesRequest request = modes_request(arguments, session);
  verbs::ModesOutcome found = verbs::modes(request, session.diagnostics, *session.progress);
  const ModeSet& modes = found.model.modes;
  const double factor = found.model.units ? found.model.units->eigenvalue() : 1.0;
  // listed with their numbers in the model, which --select accepts
  const std::span<const ModeInfo> added =
      std::span(modes.modes).last(static_cast<std::size_t>(found.added));
  const std::vector<std::string> outputs =
      request.output ? std::vector{request.output->string()} : std::vector<std::string>{};
  Outcome out;
  out.document["modes"] = tools::mode_table_json(added, factor);
  out.document["total_modes"] = modes.count();
  out.document["solve"] = tools::solve_json(found.report, session.is_reproducible);
  out.document["outputs"] = outputs;
  out.text = tools::mode_table_text(added, factor);
  out.text += fmt::format("{} modes computed, {} in {}\n",
                          found.added,
                          modes.count(),
                          outputs.empty() ? found.model.name : outputs.front());
  out.model = std::make_shared<FeModel>(std::move(found.model));
  return out;
}

/// A force that loads: zero would make modes of zeros.
double force_of(const Given& given) {
  const double value = number_of(given.value(), given.option.unit, given.option.name);
  if (value == 0.0)
    throw UsageError("usage", "--unit-force: a force of 0 moves nothing", {}, "give another force");
  return value;
}

std::vector<Option> normal_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "M.fe.h5",
       .help = "where to write; default: the model itself",
       .is_output = true,
       .set = to(&ModesRequest::output)},
      {.name = "--normal",
       .value = "N",
       .help = "number of normal modes, rigid ones included",
       .set = to(at(&ModesRequest::modes, &ModeRequest::normal))},
      {.name = "--fmax",
       .value = "HZ",
       .help = "all normal modes up to this frequency",
       .unit = "Hz",
       .set = to(at(&ModesRequest::modes, &ModeRequest::fmax_hz))},
      {.name = "--band",
       .value = "A-B",
       .help = "all normal modes in a band, like 20-100Hz",
       .set = set_band},
      {.name = "--fixed",
       .value = "WHAT",
       .help = "nodes that are fixed for normal modes",
       .fallback = "none",
       .choices = {"none", "interface"},
       .set = to(at(&ModesRequest::modes, &ModeRequest::fixed), boundary_of)},
  };
}

std::vector<Option> static_options() {
  return {
      {.name = "--constraint",
       .help = "constraint modes of the interface DOFs",
       .set = to(at(&ModesRequest::modes, &ModeRequest::constraint))},
      {.name = "--sense",
       .value = "SENSE",
       .help = "constraint modes: a unit motion with the interface held, or all DOFs but one held "
               "(1993)",
       .fallback = "unit-motion",
       .choices = {"unit-motion", "all-but-one"},
       .set = to(at(&ModesRequest::modes, &ModeRequest::constraint_sense), sense_of)},
      {.name = "--unit-force",
       .value = "N",
       .help = "force on the free DOF of all-but-one",
       .fallback = "-1",
       .set = to(at(&ModesRequest::modes, &ModeRequest::unit_force), force_of)},
      {.name = "--static",
       .help = "static modes, one per load case of the model",
       .set = to(at(&ModesRequest::modes, &ModeRequest::static_loads))},
      {.name = "--attachment",
       .help = "attachment modes: unit forces on the interface DOFs",
       .set = to(at(&ModesRequest::modes, &ModeRequest::attachment))},
      {.name = "--residual",
       .help = "residual attachment modes",
       .set = to(at(&ModesRequest::modes, &ModeRequest::residual_attachment))},
      {.name = "--inertia-relief",
       .help = "responses to unit rigid accelerations, about the mean of the nodes, interface held",
       .set = to(at(&ModesRequest::modes, &ModeRequest::inertia_relief))},
      {.name = "--modal-truncation",
       .help = "what the normal modes miss of the load cases",
       .set = to(at(&ModesRequest::modes, &ModeRequest::modal_truncation))},
      {.name = "--krylov",
       .value = "N",
       .help = "moment-matching vectors per load case or interface DOF",
       .set = to(at(&ModesRequest::modes, &ModeRequest::krylov))},
      {.name = "--dofs",
       .value = "LIST",
       .help = "DOFs for constraint and attachment modes: 3/T3,12/R1; default: the interface",
       .set = to(at(&ModesRequest::modes, &ModeRequest::dofs), tools::parse_dofs)},
      {.name = "--backend",
       .value = "NAME",
       .help = "sparse factorisation: supernodal, cholmod, mumps, eigen",
       .set = to(at(&ModesRequest::modes, &ModeRequest::solve, &modal::SolveOptions::backend),
                 modal::parse_backend)},
      distributed_option(),
      memory_option(),
      {.name = "--shift",
       .value = "S",
       .help = "shift of the eigenvalue search [1/time^2]",
       .set = to(at(&ModesRequest::modes, &ModeRequest::solve, &modal::SolveOptions::shift))},
  };
}

}  // namespace

Verb modes_verb() {
  return {.name = "modes",
          .summary = "computes modes from K and M and adds them to the model",
          .inputs = "MODEL",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = joined({normal_options(), static_options()}),
          .examples = {"femflex modes chassis.fe.h5 --normal 30 --fixed interface --constraint"},
          .run = run_modes,
          .updates_input = true,
          .takes_values = true,
          .hands_over = true};
}

}  // namespace femflex::cli

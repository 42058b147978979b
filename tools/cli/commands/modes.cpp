#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/modal/reduce.h"

#include "arguments.h"
#include "body/fe_report.h"
#include "body/inputs.h"
#include "commands/commands.h"

namespace femflex::cli {
namespace {

using tools::Json;

modal::ModeRequest request_of(const Arguments& arguments, const Session& session) {
  modal::ModeRequest request;
  if (arguments.has("--normal")) request.normal = arguments.count("--normal");
  request.fmax_hz = arguments.maybe_number("--fmax", "Hz");
  if (arguments.has("--band")) {
    if (request.fmax_hz)
      throw UsageError("usage", "--fmax and --band both name an upper end", {}, "give one of them");
    const modal::FrequencyBand band = modal::parse_band(arguments.text("--band"));
    request.fmin_hz = band.from_hz;
    request.fmax_hz = band.to_hz;
  }
  if (arguments.text("--fixed") == "interface")
    request.fixed = modal::ModeRequest::Boundary::interface;
  request.constraint = arguments.has("--constraint");
  if (arguments.text("--sense") == "all-but-one")
    request.constraint_sense = modal::ModeRequest::ConstraintSense::all_but_one;
  request.unit_force = arguments.number("--unit-force");
  request.static_loads = arguments.has("--static");
  request.attachment = arguments.has("--attachment");
  request.residual_attachment = arguments.has("--residual");
  request.inertia_relief = arguments.has("--inertia-relief");
  request.modal_truncation = arguments.has("--modal-truncation");
  if (arguments.has("--krylov")) request.krylov = arguments.count("--krylov");
  if (arguments.has("--freedoms"))
    request.freedoms = tools::parse_freedoms(arguments.text("--freedoms"));
  if (arguments.has("--backend"))
    request.solve.backend = modal::parse_backend(arguments.text("--backend"));
  request.solve.shift = arguments.maybe_number("--shift");
  if (session.threads > 0) request.solve.threads = session.threads;
  const bool asks_for_any = request.normal > 0 || request.fmax_hz || request.constraint ||
                            request.static_loads || request.attachment ||
                            request.residual_attachment || request.inertia_relief ||
                            request.modal_truncation || request.krylov > 0;
  if (!asks_for_any)
    throw UsageError("usage",
                     "femflex modes: no modes are asked for",
                     {},
                     "add --normal 10, --fmax 100, --band 20-100Hz, --static, --constraint, ...");
  return request;
}

Outcome run_modes(const Arguments& arguments, Session& session) {
  const modal::ModeRequest request = request_of(arguments, session);
  const std::string& input = arguments.input();
  if (!arguments.has("--output") && tools::kind_of(input) != tools::FileKind::fe_model)
    throw UsageError("usage",
                     "femflex modes: the input is no FE model of ours",
                     {input},
                     "name the output with -o");
  FeModel model = tools::load_model(input, session.units, session.diagnostics, *session.progress);
  const modal::ComputedModes computed =
      modal::compute_modes(model, request, session.diagnostics, *session.progress);
  model.modes = merged(model.modes, computed.modes);
  const std::string output = arguments.has("--output") ? arguments.text("--output") : input;
  importer::write_fe_model(model, output);

  Outcome out;
  const double factor = model.units ? model.units->eigenvalue() : 1.0;
  // by the numbers that the model keeps them under, which --select takes
  const std::span<const ModeInfo> added =
      std::span(model.modes.modes).last(static_cast<std::size_t>(computed.modes.count()));
  out.document["modes"] = tools::mode_table_json(added, factor);
  out.document["total_modes"] = model.modes.count();
  out.document["solve"] = tools::solve_json(computed.report, session.is_reproducible);
  out.document["outputs"] = std::vector<std::string>{output};
  out.text = tools::mode_table_text(added, factor);
  out.text += fmt::format(
      "{} modes computed, {} in {}\n", computed.modes.count(), model.modes.count(), output);
  return out;
}

}  // namespace

Verb modes_verb() {
  return {"modes",
          "computes modes from K and M and adds them to the model",
          "MODEL",
          1,
          1,
          {writes({"--output", "-o", "M.fe.h5", "where to write; default: the model itself", ""}),
           {"--normal", "", "N", "so many normal modes, rigid ones included", ""},
           {"--fmax", "", "HZ", "all normal modes up to here", ""},
           {"--band", "", "A-B", "all normal modes in a band, like 20-100Hz", ""},
           {"--fixed",
            "",
            "WHAT",
            "what is held for normal modes",
            "none",
            false,
            {"none", "interface"}},
           {"--constraint", "", "", "constraint modes of the interface freedoms", ""},
           {"--sense",
            "",
            "SENSE",
            "constraint modes: a unit motion with the interface held, or all freedoms but one held "
            "(1993)",
            "unit-motion",
            false,
            {"unit-motion", "all-but-one"}},
           {"--unit-force", "", "N", "force on the free freedom of all-but-one", "-1"},
           {"--static", "", "", "static modes, one a load case of the model", ""},
           {"--attachment", "", "", "attachment modes: unit forces on the interface freedoms", ""},
           {"--residual", "", "", "residual attachment modes", ""},
           {"--inertia-relief",
            "",
            "",
            "answers to unit rigid accelerations, about the mean of the nodes, interface held",
            ""},
           {"--modal-truncation", "", "", "what the normal modes miss of the load cases", ""},
           {"--krylov", "", "N", "moment-matching vectors a load case or interface freedom", ""},
           {"--freedoms",
            "",
            "LIST",
            "freedoms for constraint and attachment modes: 3/T3,12/R1; default: the interface",
            ""},
           {"--backend", "", "NAME", "sparse factorisation: supernodal, cholmod, mumps, eigen", ""},
           {"--shift", "", "S", "shift of the eigenvalue search [1/time^2]", ""}},
          {"femflex modes chassis.fe.h5 --normal 30 --fixed interface --constraint"},
          run_modes,
          false,
          true};
}

}  // namespace femflex::cli

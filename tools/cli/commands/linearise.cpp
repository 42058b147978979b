#include "femflex/mbd_solver/linearise.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/modal/reduce.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "fields.h"
#include "system/responses.h"
#include "system/rigid_content.h"
#include "system/run_system.h"

namespace femflex::cli {
namespace {

using tools::Json;

/// Of --at, or of --band and --points [Hz].
Eigen::VectorXd frequencies_of(const Arguments& arguments) {
  if (arguments.has("--at")) {
    const std::vector<std::string> texts = split_at_commas({arguments.text("--at")});
    Eigen::VectorXd out(static_cast<Eigen::Index>(texts.size()));
    for (Eigen::Index k = 0; k < out.size(); ++k)
      out(k) = number_of(texts[static_cast<std::size_t>(k)], "Hz", "--at");
    if (out.minCoeff() < 0.0)
      throw UsageError(
          "usage", fmt::format("--at: {} Hz is negative", out.minCoeff()), {}, "give 0 or more");
    return out;
  }
  if (!arguments.has("--band"))
    throw UsageError(
        "usage", "--frf needs frequencies", {}, "add --band 0.1-50Hz, or --at 0.5,1,11");
  const modal::FrequencyBand band = modal::parse_band(arguments.text("--band"));
  const std::int64_t points = arguments.integer("--points");
  if (points < 2 || points > 100'000)
    throw UsageError("usage", fmt::format("--points: {} is not between 2 and 100000", points));
  // a band from zero has no logarithm
  const double from = band.from_hz > 0.0 ? band.from_hz : 1e-3 * band.to_hz;
  return (Eigen::ArrayXd::LinSpaced(points, std::log(from), std::log(band.to_hz))).exp().matrix();
}

/// IN:OUT,OUT of each --frf.
std::vector<tools::ResponseRequest> requests_of(const std::vector<std::string>& texts) {
  std::vector<tools::ResponseRequest> out;
  for (const std::string& text : texts) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon >= text.size() - 1 || text.find(':', colon + 1) != std::string::npos)
      throw UsageError("usage",
                       fmt::format("--frf: '{}' is not IN:OUT,OUT", text),
                       {},
                       "for example wf/position/y:car/position/y");
    out.push_back({text.substr(0, colon), split_at_commas({text.substr(colon + 1)})});
  }
  return out;
}

Outcome linearised(const tools::SystemDocument& document,
                   const Arguments& arguments,
                   Session& session) {
  Json equilibrium = Json::object();
  mbd_solver::State state;
  Outcome out;
  if (arguments.has("--no-statics")) {
    mbd_solver::AssemblyReport assembly;
    state = mbd_solver::assemble(document.system, assembly, session.diagnostics);
    equilibrium["degrees_of_freedom"] = assembly.degrees_of_freedom;
  } else {
    mbd_solver::Results none;
    const mbd_solver::StaticSummary statics = mbd_solver::solve_statics(
        document.system, {}, none, session.diagnostics, *session.progress);
    if (!statics.converged)
      throw NumericalError("no-equilibrium",
                           fmt::format("statics: {}", statics.reason),
                           {arguments.input()},
                           "start nearer to the equilibrium, or use --no-statics");
    state = statics.state;
    equilibrium["iterations"] = statics.iterations;
    equilibrium["residual"] = statics.residual;
    equilibrium["stable"] = statics.stable;
    Json values = Json::object();
    for (std::size_t c = 0; c < none.channels().size() && none.rows() > 0; ++c)
      values[none.channels()[c].name] = none.value(0, static_cast<Eigen::Index>(c));
    equilibrium["values"] = std::move(values);
    out.text += fmt::format("equilibrium after {} iterations{}\n",
                            statics.iterations,
                            statics.stable ? "" : ", NOT STABLE");
  }
  const mbd_solver::Linearisation linear =
      mbd_solver::linearise(document.system, state, session.diagnostics);
  tools::RunReport report;
  report.modes = linear.modes;
  if (const auto limit = maybe_positive(arguments, "--up-to", "Hz"); limit)
    std::erase_if(report.modes,
                  [&](const mbd_solver::SystemMode& mode) { return mode.frequency_hz > *limit; });
  out.document["equilibrium"] = std::move(equilibrium);
  out.document["modes"] = tools::modes_json(report.modes);
  out.text += tools::run_text(report);
  if (arguments.has("--shapes"))
    tools::add_shapes(
        document.system, state, report.modes, session.diagnostics, out.document["modes"]);
  if (arguments.has("--frf")) {
    const std::vector<tools::Response> responses =
        tools::responses_of(document.system,
                            state,
                            linear,
                            requests_of(arguments.texts("--frf")),
                            frequencies_of(arguments),
                            session.diagnostics);
    out.document["frf"] = tools::responses_json(responses);
    out.text += tools::responses_table(responses).text(60);
  }
  return out;
}

Outcome run_linearise(const Arguments& arguments, Session& session) {
  const tools::SystemDocument document = tools::read_any_system(
      arguments.input(), document_options(arguments), session.diagnostics, *session.progress);
  if (const std::string names = tools::bodies_with_rigid_content(document.system); !names.empty())
    session.diagnostics.warn(
        "rigid-content",
        fmt::format("the modes of body {} hold rigid-body motion, which its frame makes already: "
                    "motions near 0 Hz may be of that alone; leave those modes out (reduce "
                    "--drop-rigid)",
                    names));
  try {
    return linearised(document, arguments, session);
  } catch (const NumericalError& failure) {
    throw tools::with_rigid_content(failure, document.system);
  }
}

}  // namespace

Verb linearise_verb() {
  std::vector<Option> options = {
      {"--up-to", "", "HZ", "frequencies listed", ""},
      {"--shapes",
       "",
       "",
       "with --json: mode shapes in the positions and angles of the outputs",
       ""},
      {"--frf",
       "",
       "IN:OUT,OUT",
       "answers to a unit force along IN, both channels of positions or angles: a/position/y",
       "",
       true},
      {"--band", "", "F-F", "with --frf: frequencies from and to, 0.1-50Hz", ""},
      {"--points", "", "N", "with --band: how many, evenly spaced on a logarithmic axis", "50"},
      {"--at", "", "LIST", "with --frf: these frequencies, 0.5,1,11 [Hz]", ""},
      {"--no-statics", "", "", "about the assembled initial state instead of the equilibrium", ""}};
  options.insert(options.end(), document_table().begin(), document_table().end());
  return {"linearise",
          "equilibrium, frequencies and damping of an assembled system",
          "SYSTEM",
          1,
          1,
          std::move(options),
          {"femflex linearise truck.json --up-to 60",
           "femflex linearise pendulum.json --frf bar/tip/position/x:bar/tip/position/x --band "
           "0.1-10Hz"},
          run_linearise};
}

}  // namespace femflex::cli

// `femflex linearise`: computes equilibrium, frequencies, damping and frequency responses (FRF) of
// a system. Defines the options, the JSON document and the text output.
#include "verbs/linearise.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "commands/document_options.h"
#include "fields.h"
#include "system/run_system.h"

namespace femflex::cli {
namespace {

using tools::Json;
using verbs::LineariseRequest;

/// Frequencies [Hz] from "0.5,1,11" or from a list of numbers.
Eigen::VectorXd frequencies_of(const Given& given) {
  const std::vector<double> hz = numbers_at_commas(given);
  if (hz.empty())
    throw UsageError("usage", fmt::format("{}: no frequency is given", given.option.name));
  const Eigen::VectorXd out =
      Eigen::Map<const Eigen::VectorXd>(hz.data(), static_cast<Eigen::Index>(hz.size()));
  if (out.minCoeff() < 0.0)
    throw UsageError("usage",
                     fmt::format("{}: {} Hz is negative", given.option.name, out.minCoeff()),
                     {},
                     "give 0 or more");
  return out;
}

/// Requested responses, each given as "IN:OUT,OUT".
std::vector<tools::ResponseRequest> responses_of(const Given& given) {
  std::vector<tools::ResponseRequest> out;
  for (const Value& value : given.values) {
    const std::string text = text_of(value);
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon >= text.size() - 1 || text.find(':', colon + 1) != std::string::npos)
      throw UsageError(
          "usage",
          fmt::format("{}: '{}' is not of the form IN:OUT,OUT", given.option.name, text),
          {},
          "name one input channel and its outputs, for example wf/position/y:car/position/y");
    out.push_back({text.substr(0, colon), split_at_commas({text.substr(colon + 1)})});
  }
  return out;
}

Json equilibrium_json(const verbs::LineariseOutcome& done) {
  Json out = Json::object();
  if (done.state_time) {
    out["time"] = *done.state_time;
    return out;
  }
  if (!done.equilibrium) {
    out["degrees_of_freedom"] = done.degrees_of_freedom;
    return out;
  }
  out["iterations"] = done.equilibrium->iterations;
  out["residual"] = done.equilibrium->residual;
  out["unbalanced"] = done.equilibrium->unbalanced;
  out["stable"] = done.equilibrium->is_stable;
  out["idle_directions"] = done.equilibrium->idle_directions;
  Json values = Json::object();
  for (const auto& [channel, value] : done.equilibrium->values)
    values[channel] = value;
  out["values"] = std::move(values);
  return out;
}

Json linear_system_json(const verbs::LineariseOutcome& done) {
  const mbd_solver::LinearSystem& linear = *done.linear;
  Json out = Json::object();
  out["states"] = linear.states;
  out["inputs"] = linear.inputs;
  out["outputs"] = Json::list();
  for (const mbd_solver::Channel& channel : linear.outputs)
    out["outputs"].push_back(channel.name);
  out["step"] = linear.step;
  out["error_bound"] = done.error_bound;
  return out;
}

Outcome run_linearise(const Arguments& arguments, Session& session) {
  auto request = request_of<LineariseRequest>(arguments);
  request.system = document_input(arguments.input_value());
  request.document.units = arguments.text("--units");
  const verbs::LineariseOutcome done =
      verbs::linearise(request, session.diagnostics, *session.progress);

  Outcome out;
  out.document["equilibrium"] = equilibrium_json(done);
  out.document["modes"] = tools::modes_json(done.modes);
  if (done.equilibrium)
    out.text = fmt::format("equilibrium after {} iterations{}{}\n",
                           done.equilibrium->iterations,
                           done.equilibrium->is_stable ? "" : ", NOT STABLE",
                           tools::idle_text(done.equilibrium->idle_directions));
  if (done.state_time) out.text = fmt::format("about the state at {} s\n", *done.state_time);
  tools::RunReport report;
  report.modes = done.modes;
  out.text += tools::run_text(report);
  if (request.shapes) tools::add_shapes(done.shapes, out.document["modes"]);
  if (!request.responses.empty()) {
    out.document["frf"] = tools::responses_json(done.responses);
    out.text += tools::responses_table(done.responses).text(60);
  }
  if (done.linear) {
    const std::string file = request.state_space->string();
    out.document["state_space"] = linear_system_json(done);
    out.document["outputs"] = std::vector<std::string>{file};
    out.text += fmt::format(
        "{}: {} states, {} inputs, {} outputs{}\n",
        file,
        done.linear->A.rows(),
        done.linear->inputs.size(),
        done.linear->outputs.size(),
        request.order ? fmt::format(", error below {:.3g}", done.error_bound) : std::string());
  }
  return out;
}

std::vector<Option> eigenvalue_options() {
  return {
      {.name = "--up-to",
       .value = "HZ",
       .help = "highest frequency listed",
       .unit = "Hz",
       .set = to(at(&LineariseRequest::up_to_hz), positive)},
      {.name = "--shapes",
       .help = "with --json: mode shapes in the positions and angles of the outputs",
       .set = to(&LineariseRequest::shapes)},
  };
}

std::vector<Option> response_options() {
  return {
      {.name = "--frf",
       .value = "IN:OUT,OUT",
       .help = "responses to a unit force along IN, all channels of positions or angles: "
               "a/position/y",
       .is_repeated = true,
       .set = to(at(&LineariseRequest::responses), responses_of)},
      {.name = "--band",
       .value = "F-F",
       .help = "with --frf: frequencies from and to, 0.1-50Hz",
       .set = to(at(&LineariseRequest::band), modal::parse_band)},
      {.name = "--points",
       .value = "N",
       .help = "with --band: how many, evenly spaced on a logarithmic axis",
       .fallback = "50",
       .set = to(at(&LineariseRequest::points), frequency_count)},
      {.name = "--at",
       .value = "LIST",
       .help = "with --frf: these frequencies, 0.5,1,11 [Hz]",
       .unit = "Hz",
       .set = to(at(&LineariseRequest::at_hz), frequencies_of)},
      {.name = "--about",
       .value = "R.h5",
       .help = "linearise about a stored state of this result (simulate --keep-states), as one of "
               "steady rolling or cornering; default: its last one",
       .set = to(at(&LineariseRequest::about))},
      {.name = "--from",
       .value = "T",
       .help = "with --about: time of the stored state",
       .unit = "s",
       .set = to(&LineariseRequest::from)},
      {.name = "--no-statics",
       .help = "linearise about the assembled initial state instead of the equilibrium",
       .set = means(at(&LineariseRequest::about_equilibrium), false)},
  };
}

std::vector<Option> state_space_options() {
  return {
      {.name = "--state-space",
       .value = "FILE",
       .help = "writes A, B, C, D with the names of states, inputs, outputs: .mat .npz .csv",
       .is_output = true,
       .set = to(&LineariseRequest::state_space)},
      {.name = "--mat73",
       .help = "with --state-space: .mat of level 7.3 (HDF5)",
       .set = to(&LineariseRequest::mat73)},
      {.name = "--state-inputs",
       .value = "LIST",
       .help = "with --state-space: inputs of the system, blocks, forces along positions or angles",
       .is_repeated = true,
       .set = to(at(&LineariseRequest::inputs), names_at_commas)},
      {.name = "--state-outputs",
       .value = "LIST",
       .help = "with --state-space: channels; default: the outputs of the system",
       .is_repeated = true,
       .set = to(at(&LineariseRequest::outputs), names_at_commas)},
      {.name = "--sample-time",
       .value = "S",
       .help = "with --state-space: from sample to sample, inputs held between",
       .unit = "s",
       .set = to(at(&LineariseRequest::sample_time), positive)},
      {.name = "--order",
       .value = "N",
       .help = "with --state-space: keeps N states by balanced truncation",
       .set = to(&LineariseRequest::order)},
  };
}

}  // namespace

Verb linearise_verb() {
  return {
      .name = "linearise",
      .summary = "equilibrium, frequencies and damping of an assembled system",
      .inputs = "SYSTEM",
      .fewest_inputs = 1,
      .most_inputs = 1,
      .options = joined({eigenvalue_options(),
                         response_options(),
                         state_space_options(),
                         document_rows(&LineariseRequest::document)}),
      .examples = {"femflex linearise truck.json --up-to 60",
                   "femflex linearise pendulum.json --frf bar/tip/position/x:bar/tip/position/x "
                   "--band 0.1-10Hz",
                   "femflex linearise servo.json --state-space servo.mat --state-inputs motor "
                   "--state-outputs "
                   "pivot/angle"},
      .run = run_linearise,
      .takes_documents = true};
}

}  // namespace femflex::cli

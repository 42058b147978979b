// `femflex export`: writes a system or a body as an FMU. Defines the options, the JSON document and
// the text output.
#include <fmt/format.h>

#include "femflex/errors.h"

#include "arguments.h"
#include "body/inputs.h"
#include "commands/document_options.h"
#include "fields.h"
#include "verbs/export_fmu.h"

namespace femflex::cli {
namespace {

using verbs::ExportRequest;

/// True if the input is a flexible body, as a value or a file.
bool is_body(const Value& value) {
  try {
    const tools::DocumentInput input = document_input(value);
    const auto* path = std::get_if<std::filesystem::path>(&input);
    return path != nullptr && tools::kind_of(*path) == tools::FileKind::body;
  } catch (const UsageError&) {
    return true;  // if it is not a body, load() reports its kind
  }
}

ExportRequest::Kind kind_of_text(const std::string& text) {
  return text == "co-simulation" ? ExportRequest::Kind::co_simulation
                                 : ExportRequest::Kind::model_exchange;
}

Outcome run_export(const Arguments& arguments, Session& session) {
  static_cast<void>(arguments.need("--output"));
  auto request = request_of<ExportRequest>(arguments);
  if (is_body(arguments.input_value()))
    request.what = body_input(arguments.input_value());
  else
    request.what = document_input(arguments.input_value());
  request.units = session.units;
  request.document.units = arguments.text("--units");
  const verbs::ExportOutcome done =
      verbs::export_fmu(request, session.diagnostics, *session.progress);
  const std::string output = request.output.string();
  Outcome out;
  const int version = request.fmi.value_or(2);
  out.document["fmi"] = version;
  out.document["kind"] = done.is_linear ? "model-exchange" : "co-simulation";
  out.document["inputs"] = done.inputs;
  out.document["parameters"] = done.parameters;
  out.document["constants"] = done.constants;
  out.document["channels"] = done.outputs;
  out.document["states"] = done.states;
  out.document["bytes"] = done.bytes;
  out.document["outputs"] = std::vector<std::string>{output};
  if (done.has_matrices) {
    out.document["kind"] = "state-space";
    out.text = fmt::format("{}: A, B, C, D of {} states, {} inputs, {} outputs\n",
                           output,
                           done.states,
                           done.inputs,
                           done.outputs);
    return out;
  }
  out.text = fmt::format("{}: FMI {}.0 {}, {} inputs, {} parameters, {} outputs, {} states\n",
                         output,
                         version,
                         done.is_linear ? "model exchange" : "co-simulation",
                         done.inputs,
                         done.parameters,
                         done.outputs,
                         done.states);
  return out;
}

std::vector<Option> export_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "FILE.fmu",
       .help = "the FMU to write; .mat, .npz, .csv: A, B, C, D",
       .is_output = true,
       .set = to(&ExportRequest::output)},
      {.name = "--fmi",
       .value = "N",
       .help = "version of the standard",
       .fallback = "2",
       .choices = {"2", "3"},
       .set = where_given(to(at(&ExportRequest::fmi), whole_int))},
      {.name = "--kind",
       .value = "NAME",
       .help = "default: co-simulation of a system, model exchange of a body",
       .choices = {"co-simulation", "model-exchange"},
       .set = to(at(&ExportRequest::kind), kind_of_text)},
      {.name = "--loads",
       .value = "LIST",
       .help = "inputs besides the system's: bar/tip/force/x, bar/torque/z, hinge/torque",
       .is_repeated = true,
       .set = to(&ExportRequest::inputs)},
      {.name = "--channels",
       .value = "LIST",
       .help = "outputs instead of those of the system",
       .is_repeated = true,
       .set = to(&ExportRequest::outputs)},
      {.name = "--step",
       .value = "SECONDS",
       .help = "time step inside; default: that of the dynamic analysis. Of A, B, C, D: between "
               "samples",
       .unit = "s",
       .set = to(at(&ExportRequest::step), positive)},
      {.name = "--mat73", .help = ".mat: level 7.3 (HDF5)", .set = to(&ExportRequest::mat73)},
      {.name = "--end",
       .value = "SECONDS",
       .help = "stop time that the FMU proposes",
       .unit = "s",
       .set = to(at(&ExportRequest::end), positive)},
  };
}

}  // namespace

Verb export_verb() {
  return {.name = "export",
          .summary = "writes a system or a body as an FMU for other simulators",
          .inputs = "SYSTEM|BODY",
          .fewest_inputs = 1,
          .most_inputs = 1,
          .options = joined({export_options(), document_rows(&ExportRequest::document)}),
          .examples = {"femflex export driven_chain.json -o chain.fmu",
                       "femflex export beam.fbm -o beam.fmu --fmi 3",
                       "femflex export beam.fbm -o beam.mat"},
          .run = run_export,
          .takes_values = true,
          .takes_documents = true};
}

}  // namespace femflex::cli

// `femflex import`: combines the files of an FE code into one FE model. Defines the options, the
// JSON document and the text output with the checks that matrices, modes and nodes are consistent.
#include <filesystem>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/modal/mass_properties.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "body/check_units.h"
#include "commands/import_outcome.h"
#include "commands/interface_options.h"
#include "document/table.h"
#include "fields.h"
#include "verbs/import_files.h"

namespace femflex::cli {
namespace {

namespace fs = std::filesystem;
using tools::Json;
using verbs::ImportFilesRequest;
using Parts = importer::ImportRequest;

// Parses "FILE:NAME"; a file name may itself contain a colon.
importer::MatrixPick parse_matrix_pick(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || fs::exists(text, ignored)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// Parses "FILE:KIND" or "FILE:KIND=1-5,7".
importer::ModesPick parse_modes_pick(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    throw UsageError("usage",
                     fmt::format("--modes: '{}' does not say of which kind its modes are", text),
                     {},
                     "write FILE:KIND or FILE:KIND=list with KIND dynamic, static, constraint or "
                     "inertia-relief");
  importer::ModesPick pick;
  pick.path = text.substr(0, colon);
  std::string kind = text.substr(colon + 1);
  if (const std::size_t equals = kind.find('='); equals != std::string::npos) {
    pick.numbers = parse_number_list(kind.substr(equals + 1));
    kind.erase(equals);
  }
  pick.kind = parse_mode_kind(kind);
  return pick;
}

std::vector<importer::ModesPick> modes_picks(const Given& given) {
  std::vector<importer::ModesPick> out;
  for (const Value& value : given.values)
    out.push_back(parse_modes_pick(text_of(value)));
  return out;
}

/// The number of a set of MPC cards.  @throws UsageError  less than 1
std::int64_t mpc_set(const Given& given) {
  const std::int64_t set = whole_number(given);
  if (set < 1)
    throw UsageError("usage",
                     fmt::format("--mpc: {} is not a set number", set),
                     {},
                     "give the number of a set of MPC cards, 1 or above");
  return set;
}

Json modes_json(const ModeSet& modes) {
  Json out = Json::list();
  for (const ModeInfo& mode : modes.modes) {
    Json item = Json::object();
    item["label"] = label_of(mode);
    item["eigenvalue"] = mode.eigenvalue;
    item["generalised_mass"] = mode.generalised_mass;
    item["source"] = mode.source;
    out.push_back(std::move(item));
  }
  return out;
}

Json proofs_json(const std::vector<importer::Proof>& proofs) {
  Json out = Json::list();
  for (const importer::Proof& proof : proofs) {
    Json item = Json::object();
    item["name"] = proof.name;
    item["value"] = proof.value;
    item["limit"] = proof.limit;
    item["passed"] = proof.passed;
    item["text"] = proof.text;
    out.push_back(std::move(item));
  }
  return out;
}

std::string proofs_text(const std::vector<importer::Proof>& proofs) {
  tools::TextTable table({"proof", "value", "limit", "", "figures"});
  for (const importer::Proof& proof : proofs)
    table.add({proof.name,
               tools::readable(proof.value, 3),
               tools::readable(proof.limit, 3),
               proof.passed ? "ok" : "FAILED",
               proof.text});
  return table.empty() ? "" : table.text();
}

/// Mass and size of the model in SI, and in the units of its file where these are others; a remark
/// where no real part has such figures. Empty without a mass matrix.
std::string figures_text(const FeModel& model, Json& document) {
  if (!model.mass || !model.units || model.nodes.empty()) return "";
  const double mass = modal::mass_properties(model).mass;
  Eigen::AlignedBox3d box;
  for (const Node& node : model.nodes)
    box.extend(node.position);
  const Units& units = *model.units;
  const auto sides = [&](double length) {
    const Eigen::Vector3d size = length * box.sizes();
    return fmt::format("{} x {} x {}",
                       tools::readable(size.x(), 3),
                       tools::readable(size.y(), 3),
                       tools::readable(size.z(), 3));
  };
  document["mass_kg"] = units.mass * mass;
  std::string out =
      fmt::format("  mass {} kg, {} m", tools::readable(units.mass * mass), sides(units.length));
  if (!(units == Units{}))
    out += fmt::format(
        " (in the file, {}: mass {}, {})", units.name, tools::readable(mass), sides(1.0));
  const bool can_judge = model.nodes.size() >= 4 && mass > 0.0;
  const std::string doubt =
      can_judge ? tools::implausible(tools::unit_figures(model, mass), units) : "";
  if (!doubt.empty())
    out += fmt::format(
        "\n  not plausible: {}; is '{}' the right set of units? 'femflex check' names "
        "those that would be",
        doubt,
        units.name);
  return out + "\n";
}

Outcome run_import(const Arguments& arguments, Session& session) {
  if (!arguments.is_script()) static_cast<void>(arguments.need("--output"));
  auto request = request_of<ImportFilesRequest>(arguments);
  for (const std::string& input : arguments.inputs())
    request.parts.files.emplace_back(input);
  request.parts.units = session.units;
  request.provenance = arguments.summary();
  importer::ImportResult result =
      verbs::import_files(request, session.diagnostics, *session.progress);
  return show_import(std::move(result), request.output);
}

std::vector<Option> import_options() {
  return {
      {.name = "--output",
       .short_name = "-o",
       .value = "M.fe.h5",
       .help = "the FE model to write",
       .is_output = true,
       .set = to(&ImportFilesRequest::output)},
      {.name = "--stiffness",
       .value = "FILE:NAME",
       .help = "the stiffness matrix K, if the files hold several",
       .set = to(at(&ImportFilesRequest::parts, &Parts::stiffness), parse_matrix_pick)},
      {.name = "--mass",
       .value = "FILE:NAME",
       .help = "the mass matrix M, likewise",
       .set = to(at(&ImportFilesRequest::parts, &Parts::mass), parse_matrix_pick)},
      {.name = "--damping",
       .value = "FILE:NAME",
       .help = "the damping matrix D, likewise",
       .set = to(at(&ImportFilesRequest::parts, &Parts::damping), parse_matrix_pick)},
      {.name = "--modes",
       .value = "FILE:KIND[=LIST]",
       .help = "shapes of a file and what they are: dynamic, static, constraint, inertia-relief",
       .is_repeated = true,
       .set = to(at(&ImportFilesRequest::parts, &Parts::modes), modes_picks)},
      {.name = "--dof-order",
       .value = "ORDER",
       .help = "DOFs of the matrix rows: sorted, cards, or a list 11/T3,12/R1",
       .set = to(at(&ImportFilesRequest::parts, &Parts::dof_order))},
      interface_option(at(&ImportFilesRequest::parts, &Parts::interface_nodes)),
      spider_option(at(&ImportFilesRequest::parts, &Parts::spiders)),
      {.name = "--keep-nodes",
       .value = "NODES",
       .help = "nodes at which shapes are kept, with the interface nodes, of large result files: "
               "1-20,25, set:NAME, or a file with ids",
       .set = to(at(&ImportFilesRequest::parts, &Parts::keep_nodes), importer::parse_kept_nodes)},
      {.name = "--mpc",
       .value = "SET",
       .help = "the set of multipoint constraints that holds, if not the one of the case control",
       .set = to(at(&ImportFilesRequest::parts, &Parts::mpc), mpc_set)},
      {.name = "--name",
       .value = "NAME",
       .help = "name of the model",
       .set = to(&ImportFilesRequest::name)},
      {.name = "--force",
       .help = "write the model although a proof failed",
       .set = to(at(&ImportFilesRequest::parts, &Parts::force))},
  };
}

}  // namespace

Outcome show_import(importer::ImportResult result, const std::optional<fs::path>& output) {
  const FeModel& model = result.model;

  Outcome out;
  Json& doc = out.document;
  Json matrices = Json::list();
  if (model.stiffness) matrices.push_back("stiffness");
  if (model.mass) matrices.push_back("mass");
  if (model.damping) matrices.push_back("damping");
  const std::vector<std::string> outputs =
      output ? std::vector{output->string()} : std::vector<std::string>{};
  out.text = fmt::format("{}: {} nodes, {} DOFs, {} matrices, {} modes, units {}\n",
                         outputs.empty() ? model.name : outputs.front(),
                         model.nodes.size(),
                         model.dofs.size(),
                         matrices.items().size(),
                         model.modes.count(),
                         model.units ? model.units->name : "not known");
  out.text += figures_text(model, doc);
  out.text += proofs_text(result.proofs);
  doc["nodes"] = model.nodes.size();
  doc["dofs"] = model.dofs.size();
  doc["units"] = model.units ? Json(model.units->name) : Json();
  doc["matrices"] = std::move(matrices);
  doc["modes"] = modes_json(model.modes);
  doc["interface_nodes"] = model.interface_nodes;
  doc["proofs"] = proofs_json(result.proofs);
  doc["outputs"] = outputs;
  out.model = std::make_shared<FeModel>(std::move(result.model));
  return out;
}

Verb import_verb() {
  return {.name = "import",
          .summary = "gathers files of an FE code into one FE model",
          .inputs = "FILE...",
          .fewest_inputs = 1,
          .options = import_options(),
          .examples = {"femflex import dms.bdf dms.ou1.op4 --modes dms.op2:dynamic --units m-kg-s "
                       "-o dms.fe.h5"},
          .run = run_import,
          .hands_over = true};
}

}  // namespace femflex::cli

#include <filesystem>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/importer/fe_model_file.h"
#include "femflex/importer/import_model.h"
#include "femflex/number_list.h"

#include "arguments.h"
#include "commands/commands.h"
#include "document/table.h"

namespace femflex::cli {
namespace {

namespace fs = std::filesystem;
using tools::Json;

// "FILE:NAME"; a file name may hold a colon itself.
importer::MatrixPick parse_matrix_pick(const std::string& text) {
  std::error_code ignored;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || fs::exists(text, ignored)) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// "FILE:KIND" or "FILE:KIND=1-5,7".
importer::ModesPick parse_modes_pick(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    throw UsageError("usage",
                     fmt::format("--modes: '{}' names no kind", text),
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

std::optional<importer::MatrixPick> pick_of(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return std::nullopt;
  return parse_matrix_pick(arguments.text(option));
}

Outcome run_import(const Arguments& arguments, Session& session) {
  const fs::path output = arguments.need("--output");
  importer::ImportRequest request;
  for (const std::string& input : arguments.inputs())
    request.files.emplace_back(input);
  request.stiffness = pick_of(arguments, "--stiffness");
  request.mass = pick_of(arguments, "--mass");
  request.damping = pick_of(arguments, "--damping");
  for (const std::string& text : arguments.texts("--modes"))
    request.modes.push_back(parse_modes_pick(text));
  request.dof_order = arguments.text("--dof-order");
  request.units = session.units;
  if (arguments.has("--interface"))
    request.interface_nodes = parse_number_list(arguments.text("--interface"));
  if (arguments.has("--mpc")) {
    request.mpc = arguments.integer("--mpc");
    if (*request.mpc < 1)
      throw UsageError("usage",
                       fmt::format("--mpc: {} is not the number of a set", *request.mpc),
                       {},
                       "name a set of MPC cards, from 1");
  }
  request.force = arguments.has("--force");

  importer::ImportResult result =
      importer::import_model(request, session.diagnostics, *session.progress);
  FeModel& model = result.model;
  if (arguments.has("--name")) model.name = arguments.text("--name");
  model.provenance.options = arguments.summary();
  importer::write_fe_model(model, output);

  Outcome out;
  Json& doc = out.document;
  doc["nodes"] = model.nodes.size();
  doc["freedoms"] = model.dofs.size();
  doc["units"] = model.units ? Json(model.units->name) : Json();
  Json matrices = Json::list();
  if (model.stiffness) matrices.push_back("stiffness");
  if (model.mass) matrices.push_back("mass");
  if (model.damping) matrices.push_back("damping");
  Json modes = Json::list();
  for (const ModeInfo& mode : model.modes.modes) {
    Json item = Json::object();
    item["label"] = label_of(mode);
    item["eigenvalue"] = mode.eigenvalue;
    item["generalised_mass"] = mode.generalised_mass;
    item["source"] = mode.source;
    modes.push_back(std::move(item));
  }
  Json proofs = Json::list();
  tools::Table table({"proof", "value", "limit", "", "figures"});
  for (const importer::Proof& proof : result.proofs) {
    Json item = Json::object();
    item["name"] = proof.name;
    item["value"] = proof.value;
    item["limit"] = proof.limit;
    item["passed"] = proof.passed;
    item["text"] = proof.text;
    proofs.push_back(std::move(item));
    table.add({proof.name,
               tools::readable(proof.value, 3),
               tools::readable(proof.limit, 3),
               proof.passed ? "ok" : "WANTING",
               proof.text});
  }
  out.text = fmt::format("{}: {} nodes, {} freedoms, {} matrices, {} modes, units {}\n",
                         output.string(),
                         model.nodes.size(),
                         model.dofs.size(),
                         matrices.items().size(),
                         model.modes.count(),
                         model.units ? model.units->name : "not known");
  if (!table.empty()) out.text += table.text();
  doc["matrices"] = std::move(matrices);
  doc["modes"] = std::move(modes);
  doc["interface_nodes"] = model.interface_nodes;
  doc["proofs"] = std::move(proofs);
  doc["outputs"] = std::vector<std::string>{output.string()};
  return out;
}

}  // namespace

Verb import_verb() {
  return {
      "import",
      "gathers files of an FE code into one FE model",
      "FILE...",
      1,
      -1,
      {writes({"--output", "-o", "M.fe.h5", "the FE model to write", ""}),
       {"--stiffness", "", "FILE:NAME", "where K stands, if it is not clear", ""},
       {"--mass", "", "FILE:NAME", "where M stands", ""},
       {"--damping", "", "FILE:NAME", "where D stands", ""},
       {"--modes",
        "",
        "FILE:KIND[=LIST]",
        "shapes of a file and what they are: dynamic, static, constraint, inertia-relief",
        "",
        true},
       {"--dof-order",
        "",
        "ORDER",
        "what the matrix rows are: sorted, cards, or a list 11/T3,12/R1",
        ""},
       {"--interface", "", "IDS", "nodes where the body will be held or loaded: 101,201-208", ""},
       {"--mpc",
        "",
        "SET",
        "the set of multipoint constraints that holds, if not the one of the case control",
        ""},
       {"--name", "", "NAME", "name of the model", ""},
       {"--force", "", "", "take the model although a proof failed", ""}},
      {"femflex import dms.bdf dms.ou1.op4 --modes dms.op2:dynamic --units m-kg-s -o dms.fe.h5"},
      run_import};
}

}  // namespace femflex::cli

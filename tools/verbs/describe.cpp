// Determines the kind of the file and lists its content (nodes, matrices, modes, channels, ...) as
// JSON. There is one function per kind of file; that for files of FE codes is in
// describe_source.cpp.
#include "verbs/describe.h"

#include <algorithm>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frequency.h"

#include "body/inputs.h"
#include "document/error_json.h"
#include "document/json_text.h"
#include "document/points_json.h"
#include "guests/guest_library.h"
#include "lattice/lattice_describe.h"
#include "results/results_file.h"
#include "runs/effects.h"
#include "runs/gradient.h"
#include "runs/run_journal.h"
#include "system/dads_system.h"
#include "verbs/describe_source.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

/// One entry per kind of mode.
/// @param per_second_squared  converts eigenvalues to 1/s^2
/// @param norm                norm of the shape of mode i
template <typename Modes, typename Norm>
Json mode_groups(const Modes& modes, double per_second_squared, std::size_t nodes, Norm norm) {
  Json out = Json::list();
  std::vector<ModeKind> kinds;
  for (const auto& mode : modes) {
    if (std::find(kinds.begin(), kinds.end(), mode.kind) == kinds.end()) kinds.push_back(mode.kind);
  }
  for (const ModeKind kind : kinds) {
    std::vector<double> eigenvalues, frequencies, norms;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      if (modes[i].kind != kind) continue;
      norms.push_back(norm(i));
      eigenvalues.push_back(modes[i].eigenvalue);
      const double lambda = modes[i].eigenvalue * per_second_squared;
      frequencies.push_back(frequency_hz(lambda));
    }
    Json item = Json::object();
    item["source"] = "femflex";
    item["kind"] = femflex::name_of(kind);
    item["subcase"] = 1;
    item["count"] = norms.size();
    item["nodes"] = nodes;
    item["frequencies_hz"] = frequencies;
    item["eigenvalues"] = eigenvalues;
    item["frobenius"] = norms;
    out.push_back(std::move(item));
  }
  return out;
}

Json sources_json(const Provenance& provenance) {
  Json out = Json::list();
  for (const Provenance::Source& source : provenance.sources) {
    Json item = Json::object();
    item["file"] = source.file;
    item["sha256"] = source.sha256;
    out.push_back(std::move(item));
  }
  return out;
}

Json describe_fe_model(const FeModel& model,
                       const std::vector<Sample>& samples,
                       Diagnostics& diagnostics) {
  Json out = Json::object();
  out["format"] = "femflex FE model";
  out["encoding"] = "binary";
  out["endian"] = Json();
  out["units"] = model.units ? Json(model.units->name) : Json();
  std::vector<Eigen::Vector3d> positions;
  for (const Node& node : model.nodes)
    positions.push_back(node.position);
  out["nodes"] = points_json(positions);
  out["coordinate_systems"] = model.systems.size();
  Json elements = Json::object();
  for (const ElementBlock& block : model.elements)
    elements[block.type] = block.ids.size();
  out["elements"] = std::move(elements);
  out["mass_elements"] = model.concentrated_masses.size();
  out["dofs"] = model.dofs.size();
  out["interface_nodes"] = model.interface_nodes;
  Json matrices = Json::list();
  if (model.stiffness) matrices.push_back(sparse_json("K", *model.stiffness, samples, diagnostics));
  if (model.mass) matrices.push_back(sparse_json("M", *model.mass, samples, diagnostics));
  if (model.damping) matrices.push_back(sparse_json("D", *model.damping, samples, diagnostics));
  out["matrices"] = std::move(matrices);
  out["modes"] = mode_groups(
      model.modes.modes,
      model.units ? model.units->eigenvalue() : 1.0,
      model.nodes.size(),
      [&](std::size_t i) { return model.modes.shapes.col(static_cast<Eigen::Index>(i)).norm(); });
  out["load_cases"] = model.loads.size();
  out["sources"] = sources_json(model.provenance);
  out["unread"] = Json::list();
  return out;
}

Json describe_body(const FlexBody& body, const std::string& format) {
  Json out = Json::object();
  out["format"] = format;
  const flexfile::Format* known = flexfile::find_format(format);
  out["encoding"] = known != nullptr && known->is_binary ? "binary" : "ascii";
  out["endian"] = Json();
  out["units"] = "m-kg-s";
  out["name"] = body.name;
  std::vector<Eigen::Vector3d> positions;
  for (const BodyNode& node : body.nodes)
    positions.push_back(node.position);
  out["nodes"] = points_json(positions);
  out["coordinate_systems"] = 0;
  Json elements = Json::object();
  for (const ElementBlock& block : body.elements)
    elements[block.type] = block.ids.size();
  out["elements"] = std::move(elements);
  out["mass_elements"] = 0;
  out["mass"] = body.invariants.mass;
  const Eigen::Vector3d centre = body.centre_of_mass();
  out["centre"] = Json::list_of(centre);
  out["interface_nodes"] = body.interface_nodes;
  out["matrices"] = Json::list();
  out["modes"] = mode_groups(body.modes, 1.0, body.nodes.size(), [&](std::size_t i) {
    return body.shapes.col(static_cast<Eigen::Index>(i)).norm();
  });
  out["orthogonalised"] = body.path.orthogonalised;
  out["scaled"] = body.path.scaled;
  out["back_transformation"] = body.back.has_value();
  out["rejected"] = body.rejected.size();
  out["sources"] = sources_json(body.provenance);
  out["unread"] = Json::list();
  return out;
}

Json describe_result(const ResultSeries& series) {
  Json out = Json::object();
  out["format"] = "femflex result";
  out["encoding"] = "binary";
  out["endian"] = Json();
  out["units"] = "m-kg-s";
  out["name"] = series.name;
  out["complete"] = series.is_complete;
  out["rows"] = series.time.size();
  out["end_time"] = series.time.size() > 0 ? Json(series.time(series.time.size() - 1)) : Json();
  Json channels = Json::list();
  for (const mbd_solver::Channel& channel : series.channels)
    channels.push_back(channel.unit.empty() ? channel.name
                                            : fmt::format("{} [{}]", channel.name, channel.unit));
  out["channels"] = std::move(channels);
  out["unread"] = Json::list();
  return out;
}

/// The members that the descriptions of all study tables have in common.
Json table_document(const std::string& format, const std::string& name, bool is_text) {
  Json out = Json::object();
  out["format"] = format;
  out["encoding"] = is_text ? "ascii" : "binary";
  out["endian"] = Json();
  out["units"] = Json();
  out["name"] = name;
  out["unread"] = Json::list();
  return out;
}

/// @param is_text  a journal
Json describe_runs(const RunTable& table, bool is_text) {
  Json out = table_document("femflex table of runs", table.name, is_text);
  const Json content = run_table_json(table, summaries_of(table));
  for (const Json::Member& member : content.members())
    if (member.key != "system") out[member.key] = member.value;
  out["complete"] = table.is_whole();
  return out;
}

Json describe_gradient(const RunGradient& gradient) {
  Json out = table_document("femflex gradient", gradient.name, false);
  const Json content = gradient_json(gradient, true);
  for (const char* key : {"parameters", "measures"})
    out[key] = *content.find(key);
  return out;
}

Json describe_json(const fs::path& path, FileKind kind) {
  const Json document = read_json_file(path);
  Json out = Json::object();
  out["format"] = document.find("houses") != nullptr ? "femflex directory"
                  : kind == FileKind::assembly       ? "femflex assembly"
                                                     : "femflex system";
  out["encoding"] = "ascii";
  out["endian"] = Json();
  const Json* units = document.find("units");
  out["units"] = units != nullptr && units->is_text() ? Json(units->text()) : Json("m-kg-s");
  for (const char* key : {"bodies", "joints", "forces", "motions", "parts", "houses", "analyses"}) {
    const Json* part = document.find(key);
    if (part == nullptr) continue;
    out[key] = part->is_object() ? part->members().size()
               : part->is_list() ? part->items().size()
                                 : 0;
  }
  out["unread"] = Json::list();
  return out;
}

bool is_fmu(const fs::path& path) {
  return path.extension() == ".fmu";
}

Json describe_fmu(const fs::path& path) {
  const guests::GuestDescription fmu = guests::description_of(path);
  Json out = Json::object();
  out["format"] = fmt::format("FMU of FMI {}", fmu.version);
  out["encoding"] = "binary";
  out["endian"] = Json();
  out["units"] = Json();  // each variable has its own
  out["name"] = fmu.name;
  out["kinds"] = Json::list();
  if (fmu.co_simulation) out["kinds"].push_back("co-simulation");
  if (fmu.model_exchange) out["kinds"].push_back("model-exchange");
  if (fmu.has_scheduled) out["kinds"].push_back("scheduled-execution");
  out["states"] = fmu.derivatives.size();
  if (fmu.step) out["step"] = *fmu.step;
  out["variables"] = Json::list();
  for (const guests::GuestVariable& each : fmu.variables) {
    Json variable = Json::object();
    variable["name"] = each.name;
    variable["causality"] = each.causality;
    variable["variability"] = each.variability;
    variable["unit"] = each.unit.empty() ? Json() : Json(each.unit);
    variable["count"] = each.count();
    out["variables"].push_back(std::move(variable));
  }
  out["unread"] = Json::list();
  return out;
}

/// The content of a file of a known kind.
Json describe_kind(const fs::path& path,
                   FileKind kind,
                   const std::vector<Sample>& samples,
                   const std::optional<Units>& units,
                   Diagnostics& file_diagnostics,
                   Progress& progress) {
  switch (kind) {
    case FileKind::fe_source:
    case FileKind::unknown:
      return describe_source(path, samples, file_diagnostics, progress);
    case FileKind::fe_model:
      return describe_fe_model(
          load_model(path, units, file_diagnostics, progress), samples, file_diagnostics);
    case FileKind::body:
      return describe_body(load_body(path, units, file_diagnostics, progress),
                           flexfile::detect_body_format(path));
    case FileKind::result:
      return describe_result(read_results(path));
    case FileKind::lattice:
      return describe_lattice(path, file_diagnostics);
    case FileKind::system:
    case FileKind::assembly:
      return describe_json(path, kind);
    case FileKind::dads:
      return describe_dads(path, file_diagnostics);
  }
  return {};
}

}  // namespace

Json describe(const fs::path& path,
              const std::vector<Sample>& samples,
              const std::optional<Units>& units,
              Diagnostics& diagnostics,
              Progress& progress) {
  const FileKind kind = kind_of(path);
  Diagnostics file_diagnostics;  // warnings about the file are part of the document
  Json inner;
  if (is_run_table(path))
    inner = describe_runs(read_run_table(path), is_run_journal(path));
  else if (is_gradient_file(path))
    inner = describe_gradient(read_gradient(path));
  else if (is_fmu(path))
    inner = describe_fmu(path);
  else
    inner = describe_kind(path, kind, samples, units, file_diagnostics, progress);
  Json out = Json::object();
  out["path"] = path.string();
  for (Json::Member& member : inner.members())
    out[member.key] = std::move(member.value);
  out["warnings"] = warnings_json(file_diagnostics);
  for (const Warning& warning : file_diagnostics.warnings())
    diagnostics.warn(warning.code, warning.message, warning.where);
  return out;
}

}  // namespace femflex::tools

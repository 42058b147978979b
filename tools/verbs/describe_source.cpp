// Lists the content of a file of an FE code: one entry for each matrix, set of shapes, table of
// eigenvalues and set of stresses.
#include "verbs/describe_source.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "femflex/fe_model.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "body/unread.h"
#include "document/points_json.h"

namespace femflex::tools {
namespace {

// eigenvalues with a smaller relative difference are equal, because tables may have only six digits
constexpr double kSameEigenvalue = 1e-5;

std::string_view kind_name(importer::RawModes::Kind kind) {
  switch (kind) {
    case importer::RawModes::Kind::normal:
      return "normal";
    case importer::RawModes::Kind::displacement:
      return "displacement";
    case importer::RawModes::Kind::complex:
      return "complex";
  }
  return "?";
}

Json modes_json(const importer::RawModes& modes) {
  Json out = Json::object();
  out["source"] = modes.source;
  out["kind"] = kind_name(modes.kind);
  out["subcase"] = modes.subcase;
  out["count"] = modes.shapes.cols();
  out["nodes"] = modes.points.size();
  out["frequencies_hz"] = modes.frequencies_hz;
  out["eigenvalues"] = modes.eigenvalues;
  out["generalised_mass"] = modes.generalised_mass;
  out["frobenius"] = importer::shape_norms(modes);
  return out;
}

Json stress_json(const importer::RawStress& stress) {
  Json out = Json::object();
  out["source"] = stress.source;
  out["quantity"] = stress.is_strain ? "strain" : "stress";
  out["type"] = stress.type;
  out["kind"] = kind_name(stress.kind);
  out["subcase"] = stress.subcase;
  out["count"] = stress.values.cols();
  out["places"] = stress.places.size();
  return out;
}

/// Eigenvalues of the table `list` without a shape in the file; null if each has one.
Json eigenvalues_json(const importer::RawEigenvalues& list,
                      const importer::FileContents& contents) {
  std::vector<double> with_shape;  // eigenvalues of the shapes of the file
  for (const importer::RawModes& modes : contents.modes)
    with_shape.insert(with_shape.end(), modes.eigenvalues.begin(), modes.eigenvalues.end());
  std::vector<double> eigenvalues, frequencies, masses;
  for (std::size_t i = 0; i < list.eigenvalue.size(); ++i) {
    const double value = list.eigenvalue[i];
    const auto same = std::find_if(with_shape.begin(), with_shape.end(), [&](double known) {
      return std::abs(known - value) <= kSameEigenvalue * std::abs(value);
    });
    if (same != with_shape.end()) {
      with_shape.erase(same);
      continue;
    }
    eigenvalues.push_back(value);
    if (i < list.frequency_hz.size()) frequencies.push_back(list.frequency_hz[i]);
    if (i < list.generalised_mass.size()) masses.push_back(list.generalised_mass[i]);
  }
  if (eigenvalues.empty()) return {};
  Json out = Json::object();
  out["source"] = list.source;
  out["kind"] = "normal";
  out["subcase"] = list.subcase;
  out["count"] = 0;
  out["nodes"] = 0;
  out["frequencies_hz"] = frequencies;
  out["eigenvalues"] = eigenvalues;
  out["generalised_mass"] = masses;
  out["frobenius"] = Json::list();
  return out;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

}  // namespace

Json describe_source(const std::filesystem::path& path,
                     const std::vector<Sample>& samples,
                     Diagnostics& diagnostics,
                     Progress& progress) {
  const importer::FileContents contents = importer::read_contents(path, {}, diagnostics, progress);
  Json out = Json::object();
  out["format"] = contents.format;
  out["encoding"] = contents.encoding;
  out["endian"] = text_or_null(contents.endian);
  out["program"] = text_or_null(contents.program);
  out["title"] = text_or_null(contents.title);
  out["units"] = contents.units ? Json(contents.units->name) : Json();
  const std::vector<CoordinateSystem> systems = importer::resolve_systems(contents, diagnostics);
  out["nodes"] = points_json(importer::basic_positions(contents, systems, diagnostics));
  if (contents.grids.empty() && contents.matrices.empty() && !contents.row_map.empty()) {
    std::set<std::int64_t> nodes;  // for a list of DOFs without nodes: the nodes of these DOFs
    for (const Dof& dof : contents.row_map)
      nodes.insert(dof.node);
    out["nodes"]["count"] = nodes.size();
  }
  out["scalar_points"] = contents.scalar_points.size();
  out["coordinate_systems"] = contents.systems.size();
  Json elements = Json::object();
  for (const auto& [name, count] : contents.element_counts)
    elements[name] = count;
  out["elements"] = std::move(elements);
  out["mass_elements"] = contents.masses.size();
  std::set<std::int64_t> load_sets;
  for (const importer::RawForce& force : contents.loads.forces)
    load_sets.insert(force.set);
  for (const importer::RawGravity& gravity : contents.loads.gravity)
    load_sets.insert(gravity.set);
  Json loads = Json::list();
  for (const std::int64_t set : load_sets)
    loads.push_back(set);
  out["load_sets"] = std::move(loads);
  Json matrices = Json::list();
  for (const importer::RawMatrix& matrix : contents.matrices) {
    progress.step(0);
    matrices.push_back(matrix_json(matrix, samples, diagnostics));
  }
  out["matrices"] = std::move(matrices);
  Json modes = Json::list();
  for (const importer::RawModes& each : contents.modes)
    modes.push_back(modes_json(each));
  for (const importer::RawEigenvalues& list : contents.eigenvalues) {
    Json entry = eigenvalues_json(list, contents);
    if (!entry.is_null()) modes.push_back(std::move(entry));
  }
  out["modes"] = std::move(modes);
  Json stresses = Json::list();
  for (const importer::RawStress& each : contents.stresses)
    stresses.push_back(stress_json(each));
  out["stresses"] = std::move(stresses);
  Json unread = Json::list();
  for (const importer::Unread& each : contents.unread) {
    Json item = Json::object();
    item["what"] = each.what;
    item["count"] = each.count;
    item["kind"] = unread_kind(each.what);
    unread.push_back(std::move(item));
  }
  out["unread"] = std::move(unread);
  return out;
}

}  // namespace femflex::tools

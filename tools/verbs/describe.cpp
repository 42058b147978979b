// Determines the kind of the file and lists its content (nodes, matrices, modes, channels, ...) as
// JSON. There is one function per kind of file.
#include "verbs/describe.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>

#include <Eigen/Core>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/frequency.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "body/inputs.h"
#include "body/unread.h"
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

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

// eigenvalues with a smaller relative difference are equal, because tables may have only six digits
constexpr double kSameEigenvalue = 1e-5;

/// A number, or [real, imaginary].
Json number_or_pair(const std::complex<double>& value, bool is_complex) {
  if (!is_complex) return value.real();
  return std::vector<double>{value.real(), value.imag()};
}

/// The requested entries that a matrix has; warns of the others.
std::vector<Sample> samples_within(const std::vector<Sample>& samples,
                                   const std::string& name,
                                   std::int64_t rows,
                                   std::int64_t cols,
                                   Diagnostics& diagnostics) {
  std::vector<Sample> out;
  for (const Sample& each : samples) {
    if (each.row >= 1 && each.row <= rows && each.col >= 1 && each.col <= cols)
      out.push_back(each);
    else
      diagnostics.warn("no-entry",
                       fmt::format("--samples: {} is {} x {} and has no entry {},{}",
                                   name,
                                   rows,
                                   cols,
                                   each.row,
                                   each.col));
  }
  return out;
}

/// A matrix of a file, with the entries that the user requested.
Json matrix_json(const importer::RawMatrix& matrix,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics) {
  const importer::MatrixStatistics figures = importer::statistics_of(matrix);
  Json out = Json::object();
  out["name"] = matrix.name;
  out["rows"] = matrix.rows;
  out["cols"] = matrix.cols;
  out["nnz"] = figures.nonzeros;
  out["type"] = matrix.is_complex ? "complex" : "real";
  out["precision"] = matrix.is_single ? "single" : "double";
  out["form"] = importer::text_of(matrix.form);
  out["layout"] = importer::text_of(matrix.layout);
  out["frobenius"] = figures.frobenius;
  out["sum"] = number_or_pair(figures.sum, matrix.is_complex);
  Json shown = Json::list();
  for (const Sample& sample :
       samples_within(samples, matrix.name, matrix.rows, matrix.cols, diagnostics)) {
    Json entry = Json::list();
    entry.push_back(sample.row);
    entry.push_back(sample.col);
    entry.push_back(number_or_pair(importer::entry_of(matrix, sample.row - 1, sample.col - 1),
                                   matrix.is_complex));
    shown.push_back(std::move(entry));
  }
  out["samples"] = std::move(shown);
  return out;
}

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

/// Eigenvalues of the table `list` without a shape in the file; null if there are none.
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

Json describe_source(const fs::path& path,
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

/// A symmetric matrix of a model, of which the lower triangle is stored.
Json sparse_json(const std::string& name,
                 const SparseMatrix& lower,
                 const std::vector<Sample>& samples,
                 Diagnostics& diagnostics) {
  double squares = 0.0;
  double sum = 0.0;
  std::int64_t nonzeros = 0;
  for (int col = 0; col < lower.outerSize(); ++col) {
    for (SparseMatrix::InnerIterator entry(lower, col); entry; ++entry) {
      const double copies = entry.row() == entry.col() ? 1.0 : 2.0;
      squares += copies * entry.value() * entry.value();
      sum += copies * entry.value();
      nonzeros += static_cast<std::int64_t>(copies);
    }
  }
  Json out = Json::object();
  out["name"] = name;
  out["rows"] = lower.rows();
  out["cols"] = lower.cols();
  out["nnz"] = nonzeros;
  out["type"] = "real";
  out["precision"] = "double";
  out["form"] = "symmetric";
  out["layout"] = "sparse";
  out["frobenius"] = std::sqrt(squares);
  out["sum"] = sum;
  Json shown = Json::list();
  for (const Sample& sample :
       samples_within(samples, name, lower.rows(), lower.cols(), diagnostics)) {
    const auto row = static_cast<int>(std::max(sample.row, sample.col) - 1);
    const auto col = static_cast<int>(std::min(sample.row, sample.col) - 1);
    Json entry = Json::list();
    entry.push_back(sample.row);
    entry.push_back(sample.col);
    entry.push_back(lower.coeff(row, col));
    shown.push_back(std::move(entry));
  }
  out["samples"] = std::move(shown);
  return out;
}

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
  out["encoding"] = format == "fbm" || format.starts_with("exudyn") ? "binary" : "ascii";
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

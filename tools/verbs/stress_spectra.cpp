// Damage from power spectral densities: of plain signals, and of all places of a body in a system
// with stationary random inputs.
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "femflex/durability/spectra.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/parallel.h"

#include "document/csv.h"
#include "document/durability_json.h"
#include "document/nearest_name.h"
#include "document/table.h"
#include "results/signal_heads.h"
#include "results/stress_tables.h"
#include "system/run_system.h"
#include "verbs/random_inputs.h"
#include "verbs/random_response.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::ModalMoments;
using durability::SpectralMoments;
using tools::Json;

Json moments_json(const SpectralMoments& moments) {
  Json out = Json::object();
  out["rms"] = moments.rms();
  out["crossings_per_s"] = moments.crossings();
  out["peaks_per_s"] = moments.peaks();
  out["regularity"] = moments.regularity();
  return out;
}

/// The flexible body that the request refers to, and its file.
std::pair<std::string, BodyInput> body_of(const tools::SystemDocument& document,
                                          const StressRequest& request) {
  std::vector<std::string> names;
  for (const auto& each : document.flex_files)
    names.push_back(each.first);
  if (names.empty())
    throw UsageError("no-flexible-body",
                     "the system has no flexible body with a file",
                     {},
                     "stresses need a body with \"flex\": FILE");
  if (request.body.empty() && names.size() > 1)
    throw UsageError("which-body",
                     "the system has several flexible bodies",
                     {},
                     "choose with --body; " + tools::suggestion("", names));
  const auto found =
      request.body.empty() ? names.begin() : std::find(names.begin(), names.end(), request.body);
  if (found == names.end())
    throw UsageError("no-such-body",
                     fmt::format("the system has no flexible body '{}' with a file", request.body),
                     {},
                     tools::suggestion(request.body, names));
  const auto& file = document.flex_files[static_cast<std::size_t>(found - names.begin())].second;
  return {*found, request.flex ? *request.flex : BodyInput(file)};
}

/// Linearises the system about its equilibrium, with the modal coordinates of a body as outputs.
mbd_solver::LinearSystem linear_to_modes(const tools::SystemDocument& document,
                                         const std::string& body,
                                         const std::vector<std::string>& inputs,
                                         Diagnostics& diagnostics,
                                         Progress& progress) {
  mbd_solver::Results row;
  const mbd_solver::StaticSummary statics =
      mbd_solver::solve_statics(document.system, {}, row, diagnostics, progress);
  if (!statics.converged)
    throw NumericalError("no-equilibrium", fmt::format("statics: {}", statics.reason));
  mbd_solver::System asked = document.system;
  asked.outputs = {body + "/zeta"};
  return mbd_solver::linear_system(asked, statics.state, inputs, diagnostics);
}

struct RandomStress {
  durability::StressLocation location;
  SpectralMoments moments;
  double damage_rate = 0.0;  ///< [1/s]
};

std::vector<RandomStress> random_stresses(const durability::StressSource& source,
                                          const ModalMoments& moments,
                                          const std::optional<tools::CurveFile>& curve,
                                          const StressRequest& request) {
  constexpr std::size_t kBlock = 256;  // number of elements whose stresses each thread holds at
                                       // once
  const std::size_t blocks = (source.size() + kBlock - 1) / kBlock;
  std::vector<std::vector<RandomStress>> parts(blocks);
  run_parallel(std::max(1, request.threads), static_cast<int>(blocks), [&](int b) {
    const std::size_t first = static_cast<std::size_t>(b) * kBlock;
    const durability::ModalStress stress =
        source.stress(first, std::min(source.size(), first + kBlock));
    const std::vector<SpectralMoments> found = durability::von_mises_moments(stress, moments);
    for (std::size_t k = 0; k < found.size(); ++k)
      parts[static_cast<std::size_t>(b)].push_back(
          {stress.locations[k],
           found[k],
           curve ? durability::damage_rate(found[k], curve->curve, request.spectral_method) : 0.0});
  });
  std::vector<RandomStress> out;
  for (const std::vector<RandomStress>& part : parts)
    out.insert(out.end(), part.begin(), part.end());
  return out;
}

/// Adds the table and the rows of the document: the places with the largest damage, or the largest
/// stress if there is no curve.
void show_random_stresses(std::vector<RandomStress> found,
                          const durability::StressSource& source,
                          const StressRequest& request,
                          StressOutcome& out) {
  const bool with_damage = request.curve.has_value();
  if (request.csv) {
    tools::StressCsv csv(*request.csv, source);
    csv.add_random_header(with_damage);
    for (const RandomStress& each : found)
      csv.add(each.location,
              each.moments,
              with_damage ? std::optional<double>(each.damage_rate) : std::nullopt);
    csv.commit();
  }
  const auto shown =
      static_cast<std::ptrdiff_t>(std::min(found.size(), static_cast<std::size_t>(request.top)));
  std::partial_sort(found.begin(),
                    found.begin() + shown,
                    found.end(),
                    [&](const RandomStress& a, const RandomStress& b) {
                      return with_damage && a.damage_rate != b.damage_rate
                                 ? a.damage_rate > b.damage_rate
                                 : a.moments.m0 > b.moments.m0;
                    });
  std::vector<std::string> heads = {
      "element", "type", "place", "face", "rms [Pa]", "crossings [1/s]"};
  if (with_damage) heads.emplace_back("damage [1/s]");
  tools::TextTable table(heads);
  Json rows = Json::list();
  for (const RandomStress& each : std::span(found).first(static_cast<std::size_t>(shown))) {
    Json row = tools::place_json(source, each.location);
    row["von_mises"] = moments_json(each.moments);
    if (with_damage) row["damage_per_s"] = each.damage_rate;
    rows.push_back(std::move(row));
    std::vector<std::string> cells = {element_of(source, each.location),
                                      source.type(each.location.element),
                                      place_of(each.location),
                                      durability::face_of(each.location),
                                      tools::readable(each.moments.rms()),
                                      tools::readable(each.moments.crossings())};
    if (with_damage) cells.push_back(tools::readable(each.damage_rate));
    table.add(std::move(cells));
  }
  out.document["rows"] = std::move(rows);
  out.text += table.text();
}

}  // namespace

StressOutcome damage_of_spectra(const StressRequest& request) {
  const tools::ResultSeries spectra = read_spectra(*request.spectrum);
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
  StressOutcome out;
  out.document["subject"] = "spectra";
  out.document["unit"] = curve ? curve->unit_name : "";
  if (curve) out.document["curve"] = curve->curve.name;
  std::vector<std::string> heads = {"signal", "rms", "crossings [1/s]", "peaks [1/s]"};
  if (curve) heads.emplace_back("damage [1/s]");
  tools::TextTable table(heads);
  Json signals = Json::list();
  std::string csv = fmt::format("signal,unit,rms,crossings_per_s,peaks_per_s,regularity{}\n",
                                curve ? ",damage_per_s" : "");
  for (Eigen::Index c = 0; c < spectra.values.cols(); ++c) {
    const std::string& name = spectra.channels[static_cast<std::size_t>(c)].name;
    const mbd_solver::Channel& channel = spectra.channels[static_cast<std::size_t>(c)];
    const double factor =
        curve ? tools::density_factor(channel, curve->unit_name, *request.spectrum) : 1.0;
    const SpectralMoments moments =
        durability::moments_of(spectra.time, factor * spectra.values.col(c));
    const std::string unit = curve ? curve->unit_name : tools::unit_of_signal(channel);
    Json item = moments_json(moments);
    item["name"] = name;
    item["unit"] = unit;
    std::vector<std::string> cells = {name,
                                      tools::readable(moments.rms()),
                                      tools::readable(moments.crossings()),
                                      tools::readable(moments.peaks())};
    csv += fmt::format("{},{},{},{},{},{}",
                       csv_cell(name),
                       csv_cell(unit),
                       moments.rms(),
                       moments.crossings(),
                       moments.peaks(),
                       moments.regularity());
    if (curve) {
      const double square = curve->unit * curve->unit;
      const SpectralMoments in_pascal{
          square * moments.m0, square * moments.m1, square * moments.m2, square * moments.m4};
      const double rate = durability::damage_rate(in_pascal, curve->curve, request.spectral_method);
      item["damage_per_s"] = rate;
      cells.push_back(tools::readable(rate));
      csv += fmt::format(",{}", rate);
    }
    csv += "\n";
    signals.push_back(std::move(item));
    table.add(std::move(cells));
  }
  out.document["signals"] = std::move(signals);
  out.text = table.text();
  if (request.csv) io::write_file(*request.csv, csv);
  return out;
}

StressOutcome stress_of_random_inputs(const StressRequest& request,
                                      const tools::DocumentInput& input,
                                      Diagnostics& diagnostics,
                                      Progress& progress) {
  if (!request.spectrum)
    throw UsageError("usage",
                     "random stresses of a system need the spectra of its inputs",
                     {},
                     "add --spectrum INPUTS.csv, or give the result of a simulation");
  RandomInputs inputs = read_random_inputs(*request.spectrum);
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
  const tools::SystemDocument document = tools::read_any_system(input, {}, diagnostics, progress);
  set_factors(document.system, *request.spectrum, inputs);
  const auto [name, flex] = body_of(document, request);
  const mbd_solver::LinearSystem linear =
      linear_to_modes(document, name, inputs.names, diagnostics, progress);
  const Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  const Loaded<FeModel> model = model_for(request, *body, folder_of(flex), diagnostics, progress);
  const durability::ShapeSet shapes = durability::shapes_of(*body);
  const Recovery recovery = recovery_of(request, *model, shapes, request.elements);
  tell_left_out(*recovery.source, diagnostics);
  const ModalMoments moments = moments_of_outputs(linear, inputs, *request.spectrum, progress);
  StressOutcome out;
  out.document = subject_json(recovery, "random");
  out.document["body"] = name;
  out.text = recovery.text();
  if (curve) out.document["curve"] = curve->curve.name;
  std::vector<RandomStress> found = random_stresses(*recovery.source, moments, curve, request);
  out.document["locations"] = found.size();
  show_random_stresses(std::move(found), *recovery.source, request, out);
  return out;
}

}  // namespace femflex::verbs

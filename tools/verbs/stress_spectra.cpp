// Damage from power spectral densities: of plain signals, and of all places of a body in a system
// with stationary random inputs. H is the response of modal coordinates to the inputs.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/durability/spectra.h"
#include "femflex/errors.h"
#include "femflex/io/atomic_file.h"
#include "femflex/mbd_solver/linear_system.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/parallel.h"
#include "femflex/unit_constants.h"

#include "document/csv.h"
#include "document/durability_json.h"
#include "document/number_text.h"
#include "document/table.h"
#include "results/signal_heads.h"
#include "results/stress_tables.h"
#include "system/run_system.h"
#include "verbs/stress_subjects.h"

namespace femflex::verbs {
namespace {

using durability::ModalMoments;
using durability::SpectralMoments;
using tools::Json;

/// Reads one-sided densities over frequency, one column each.
tools::ResultSeries read_spectra(const std::filesystem::path& path) {
  tools::ResultSeries table = tools::read_csv(path);
  tools::split_heads(table);
  tools::check_frequency_head(path);
  try {
    for (Eigen::Index c = 0; c < table.values.cols(); ++c)
      static_cast<void>(durability::moments_of(table.time, table.values.col(c)));
  } catch (const UsageError& error) {
    throw UsageError(error.code(),
                     error.message(),
                     {path.string()},
                     "columns are frequency [Hz] and densities [unit^2/Hz]");
  }
  if (table.channels.empty())
    throw UsageError("no-spectrum", "there is no column of densities", {path.string()});
  return table;
}

Json moments_json(const SpectralMoments& moments) {
  Json out = Json::object();
  out["rms"] = moments.rms();
  out["crossings_per_s"] = moments.crossings();
  out["peaks_per_s"] = moments.peaks();
  out["regularity"] = moments.regularity();
  return out;
}

/// An input of the system that is driven by a column of the densities, with a delay.
struct DrivenInput {
  Eigen::Index input = 0;
  double delay = 0.0;  ///< [s]
};

/// The inputs that the names of columns refer to: "road", or "front+rear@0.25" for a process that
/// acts on the second input 0.25 s later. Columns are statistically independent of each other.
struct Drives {
  std::vector<std::string> inputs;  ///< without repetition
  std::vector<std::vector<DrivenInput>> columns;
};

Drives drives_of(const tools::ResultSeries& spectra, const std::filesystem::path& path) {
  Drives out;
  for (const mbd_solver::Channel& channel : spectra.channels) {
    std::vector<DrivenInput> column;
    std::string_view rest = channel.name;
    while (!rest.empty()) {
      const std::size_t plus = std::min(rest.find('+'), rest.size());
      std::string_view term = rest.substr(0, plus);
      rest.remove_prefix(std::min(plus + 1, rest.size()));
      DrivenInput driven;
      if (const std::size_t at = term.find('@'); at != std::string_view::npos) {
        const std::string_view text = term.substr(at + 1);
        const auto delay = tools::number_of_text(text, "s");
        if (!delay)
          throw UsageError(
              "no-spectrum",
              fmt::format("column '{}': '{}' is not a delay in seconds", channel.name, text),
              {path.string()},
              "write INPUT+OTHER@0.25");
        driven.delay = *delay;
        term = term.substr(0, at);
      }
      const auto known = std::find(out.inputs.begin(), out.inputs.end(), term);
      driven.input = known - out.inputs.begin();
      if (known == out.inputs.end()) out.inputs.emplace_back(term);
      column.push_back(driven);
    }
    out.columns.push_back(std::move(column));
  }
  return out;
}

/// Converts the densities to the units in which the inputs of the system are declared; those that
/// are not declared are channels along which a unit force or moment acts.
void to_units_of_inputs(const mbd_solver::System& system,
                        const Drives& drives,
                        const std::filesystem::path& path,
                        tools::ResultSeries& spectra) {
  for (std::size_t c = 0; c < drives.columns.size(); ++c) {
    std::string unit;
    for (const DrivenInput& driven : drives.columns[c])
      for (const mbd_solver::Input& input : system.inputs)
        if (input.name == drives.inputs[static_cast<std::size_t>(driven.input)]) unit = input.unit;
    spectra.values.col(static_cast<Eigen::Index>(c)) *=
        tools::density_factor(spectra.channels[c], unit, path);
  }
}

/// Frequency responses of the outputs of a linear system, computed from its eigenvalues.
class FrequencyResponses {
 public:
  /// @throws NumericalError  the system can move freely
  explicit FrequencyResponses(const mbd_solver::LinearSystem& system) : D_(system.D) {
    constexpr double kWorstCondition = 1e-12;
    const Eigen::EigenSolver<Eigen::MatrixXd> solver(system.A);
    lambda_ = solver.eigenvalues();
    const Eigen::MatrixXcd V = solver.eigenvectors();
    const Eigen::PartialPivLU<Eigen::MatrixXcd> factor(V);
    if (system.A.rows() > 0 && !(factor.rcond() > kWorstCondition))
      throw NumericalError("free-motion",
                           "the system has motions that nothing resists: it has no stationary "
                           "random response",
                           {},
                           "hold them by springs or joints");
    left_ = system.C * V;
    right_ = factor.solve(system.B.cast<std::complex<double>>());
  }
  /// The responses at a frequency (outputs x inputs).
  Eigen::MatrixXcd at(double hz) const {
    const std::complex<double> s(0.0, 2.0 * std::numbers::pi * hz);
    const Eigen::VectorXcd gain = (s - lambda_.array()).inverse().matrix();
    return left_ * (gain.asDiagonal() * right_) + D_;
  }
  /// Frequencies that resolve the resonances between two limits.
  std::vector<double> resonances(double from_hz, double to_hz) const {
    // Points on each flank of a resonance at equal steps of the angle whose tangent is the distance
    // from the peak divided by half its width. All pieces then have the same area, and linear
    // interpolation misses 0.1 % of it.
    constexpr int kPoints = 40;
    constexpr double kReach = 88.0 * kDegree;
    std::vector<double> out;
    for (const std::complex<double>& each : lambda_) {
      const double peak = each.imag() / (2.0 * std::numbers::pi);
      const double width = std::abs(each.real()) / (2.0 * std::numbers::pi);
      if (peak <= 0.0) continue;
      for (int k = -kPoints; k <= kPoints; ++k) {
        const double hz = peak + width * std::tan(kReach * k / kPoints);
        if (hz > from_hz && hz < to_hz) out.push_back(hz);
      }
    }
    return out;
  }

 private:
  Eigen::VectorXcd lambda_;
  Eigen::MatrixXcd left_, right_;
  Eigen::MatrixXd D_;
};

/// Integrals of the spectral densities of all outputs over the band of `spectra`.
ModalMoments moments_of_outputs(const mbd_solver::LinearSystem& linear,
                                const tools::ResultSeries& spectra,
                                const Drives& drives) {
  const FrequencyResponses responses(linear);
  const Eigen::VectorXd& given = spectra.time;
  std::vector<double> hz = responses.resonances(given(0), given(given.size() - 1));
  hz.insert(hz.end(), given.data(), given.data() + given.size());
  // between resonances, responses decrease as powers of the frequency
  constexpr double kRatio = 1.02;
  constexpr double kLowest = 1e-3;  // lowest point, relative to the highest frequency
  const double highest = given(given.size() - 1);
  double between = std::max(given(0), kLowest * highest) * kRatio;
  while (between < highest) {
    hz.push_back(between);
    between *= kRatio;
  }
  std::sort(hz.begin(), hz.end());
  hz.erase(std::unique(hz.begin(), hz.end()), hz.end());
  const auto columns = static_cast<Eigen::Index>(drives.columns.size());
  Eigen::Index row = 0;
  const auto at = [&](double f) {
    while (row + 2 < given.size() && given(row + 1) < f)
      ++row;
    const double share = (f - given(row)) / (given(row + 1) - given(row));
    const Eigen::RowVectorXd G =
        (1.0 - share) * spectra.values.row(row) + share * spectra.values.row(row + 1);
    const Eigen::MatrixXcd H = responses.at(f);
    Eigen::MatrixXcd out = Eigen::MatrixXcd::Zero(H.rows(), columns);
    for (Eigen::Index c = 0; c < columns; ++c)
      for (const DrivenInput& each : drives.columns[static_cast<std::size_t>(c)])
        out.col(c) += H.col(each.input) * std::polar(std::sqrt(std::max(0.0, G(c))),
                                                     -2.0 * std::numbers::pi * f * each.delay);
    return out;
  };
  ModalMoments moments;
  Eigen::MatrixXcd before = at(hz.front());
  for (std::size_t k = 1; k < hz.size(); ++k) {
    Eigen::MatrixXcd now = at(hz[k]);
    durability::add_band(hz[k - 1], before, hz[k], now, moments);
    before = std::move(now);
  }
  return moments;
}

/// The flexible body that the request refers to, and its file.
std::pair<std::string, BodyInput> body_of(const tools::SystemDocument& document,
                                          const StressRequest& request) {
  std::vector<std::pair<std::string, std::filesystem::path>> found;
  for (const auto& each : document.flex_files)
    if (request.body.empty() || each.first == request.body) found.push_back(each);
  if (found.size() != 1)
    throw UsageError("no-such-body",
                     found.empty() ? "the system has no such flexible body with a file"
                                   : "the system has several flexible bodies",
                     {},
                     "name one: --body");
  return {found.front().first, request.flex ? *request.flex : BodyInput(found.front().second)};
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
                                          const StressRequest& request) {
  std::optional<tools::CurveFile> curve;
  if (request.curve) curve = tools::read_curve(*request.curve);
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
                     "a system has random stresses under spectra of its inputs",
                     {},
                     "add --spectrum INPUTS.csv, or give the result of a simulation");
  tools::ResultSeries spectra = read_spectra(*request.spectrum);
  const Drives drives = drives_of(spectra, *request.spectrum);
  const tools::SystemDocument document = tools::read_any_system(input, {}, diagnostics, progress);
  to_units_of_inputs(document.system, drives, *request.spectrum, spectra);
  const auto [name, flex] = body_of(document, request);
  const mbd_solver::LinearSystem linear =
      linear_to_modes(document, name, drives.inputs, diagnostics, progress);
  const Loaded<FlexBody> body = load(flex, request.units, diagnostics, progress);
  const Loaded<FeModel> model = model_for(request, *body, folder_of(flex), diagnostics, progress);
  const durability::ShapeSet shapes = durability::shapes_of(*body);
  const Recovery recovery = recovery_of(request, *model, shapes, request.elements);
  tell_left_out(*recovery.source, diagnostics);
  const ModalMoments moments = moments_of_outputs(linear, spectra, drives);
  StressOutcome out;
  out.document = subject_json(recovery, "random");
  out.document["body"] = name;
  out.text = recovery.text();
  if (request.curve) out.document["curve"] = tools::read_curve(*request.curve).curve.name;
  std::vector<RandomStress> found = random_stresses(*recovery.source, moments, request);
  out.document["locations"] = found.size();
  show_random_stresses(std::move(found), *recovery.source, request, out);
  return out;
}

}  // namespace femflex::verbs

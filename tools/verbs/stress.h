// stress(): the verb stress. Stresses, strains of gauges, section forces, load cycles and damage:
// of shapes, of a run or a schedule of runs, of a randomly excited system, or of plain signals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/durability/run_stress.h"
#include "femflex/durability/spectra.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/document.h"
#include "results/results_file.h"
#include "verbs/input.h"
#include "viewer/stress_view.h"

namespace femflex::verbs {

/// Source of the stresses of shapes.
enum class StressWay : std::uint8_t {
  automatic,  ///< read if the tables cover the shapes, elements and places wanted, else computed
  read,       ///< tables of the FE code
  computed,   ///< from displacements, materials and sections
};

/// A constant state of stress: one shape of a model.
struct PreloadInput {
  ModelInput model;
  std::int64_t shape = 0;  ///< counted from 1; 0: the only one
};

/// Input of stress().
struct StressRequest {
  /// A model or body (stresses of its shapes), a run of a body, or a system that is excited by the
  /// densities of `spectrum`.
  /// Absent for `schedule`, `signals`, and a `spectrum` of plain signals.
  std::optional<std::variant<ModelInput, BodyInput, ResultInput, tools::DocumentInput>> subject;
  std::string body;               ///< name of the body in the run; empty: the only flexible one
  std::optional<BodyInput> flex;  ///< body file; absent: the one to which the run refers
  /// Model with materials and sections; absent: found by model_file_of() in the body's folder.
  std::optional<ModelInput> model;
  /// Constant stress added to that of a run, or of each run of a schedule, not to gauges or section
  /// forces.
  std::optional<PreloadInput> preload;
  std::optional<Units> units;  ///< units of files that give none
  durability::StressPlaces places = durability::StressPlaces::centre;
  StressWay source = StressWay::automatic;
  std::vector<std::int64_t> elements;   ///< elements to evaluate; empty: all
  std::vector<std::int64_t> histories;  ///< elements whose histories are computed
  std::vector<std::int64_t> forces;     ///< bars and beams whose section forces are computed
  std::optional<std::filesystem::path> gauges;  ///< virtual gauges, docs/formats/stress.md
  std::optional<std::filesystem::path> curve;   ///< Woehler curve, docs/formats/woehler.md
  durability::Criterion criterion = durability::Criterion::signed_von_mises;
  durability::Residue residue = durability::Residue::half_cycles;
  std::optional<std::filesystem::path> schedule;  ///< runs and how often, docs/formats/stress.md
  std::optional<std::filesystem::path> signals;   ///< table of signals to count
  /// spectral densities over frequency, of the inputs of a system or of plain signals
  std::optional<std::filesystem::path> spectrum;
  durability::SpectralMethod spectral_method = durability::SpectralMethod::dirlik;
  std::vector<std::string> channels;  ///< columns of `signals`; empty: all
  /// add what disabled modes would contribute; needs a run with the channels BODY/left_out_zeta
  bool with_left_out = false;
  std::int64_t top = 10;  ///< largest number of rows in the tables of StressOutcome::document
  int threads = 1;
  std::optional<std::filesystem::path> csv;      ///< table of all rows
  std::optional<std::filesystem::path> output;   ///< result file with histories, forces and gauges
  std::optional<std::filesystem::path> page;     ///< view page with colours and hot spots
  std::optional<std::filesystem::path> picture;  ///< `.vtu`, or `.pvd` with one `.vtu` per frame
  bool with_report = false;                      ///< set StressOutcome::page
  std::optional<std::filesystem::path> coordinates;  ///< modal coordinates as RPC III
  std::vector<double> loads_at;                      ///< instants of load cases [s]
  std::optional<std::filesystem::path> loads;        ///< file for the load cases: `.inp`, `.bdf`
  std::string provenance;                            ///< how the result was made; stored in it
};

/// Content of the printable page of a run.
struct StressPage {
  std::string title;
  std::string body;
  std::string source;  ///< how the stresses were obtained
  std::string curve;   ///< name of the Woehler curve; empty: no damage is computed
  std::size_t places = 0;
  std::vector<viewer::PageSpot> spots;
  Eigen::VectorXd time;  ///< [s] of the histories
};

/// Outcome of stress().
struct StressOutcome {
  tools::Json document = tools::Json::object();  ///< docs/formats/stress.md
  std::string text;
  /// Histories of elements, section forces and gauges over the run; null without any.
  std::shared_ptr<tools::ResultSeries> series;
  std::vector<std::string> outputs;  ///< files written
  std::optional<StressPage> page;    ///< set for a run if the request has `with_report`
};

/// Does what the request asks for; see the head of this file.
/// @throws UsageError  options that cannot be used with the subject; see load(), flex_file_of(),
/// model_file_of(), place_gauge()
/// @throws ModelError  see StressMesh, check_model_of_body(); no element has stresses
StressOutcome stress(const StressRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

// tyre(): the verb tyre. Evaluates forces and moments of a `.tir` file at slips and loads.
#pragma once

#include <filesystem>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"
#include "femflex/tyres/read_tyre.h"

namespace femflex::verbs {

/// Input of tyre().
struct TyreRequest {
  std::filesystem::path file;
  /// CSV with a head line and these columns in any order: longitudinal slip kappa, slip angle alpha
  /// [rad] or alpha_deg, inclination angle gamma [rad] or gamma_deg, load [N], speed [m/s],
  /// pressure [Pa]. Empty: the values below are used.
  std::filesystem::path table;
  std::vector<double> kappa = {0.0};
  std::vector<double> alpha_deg = {0.0};
  std::vector<double> gamma_deg = {0.0};
  std::vector<double> load;   ///< [N]; empty: the nominal load of the file
  double speed = 20.0;        ///< [m/s]
  bool is_right = false;      ///< true: mounted on the right-hand side
  std::filesystem::path csv;  ///< table of the results; empty: not written
};

/// One evaluation.
struct TyreRow {
  tyres::TyreState state;
  tyres::TyreForces forces;
};

struct TyreOutcome {
  tyres::ReadTyre read;
  double nominal_load = 0.0;  ///< [N]
  std::vector<TyreRow> rows;
};

/// Evaluates a tyre at the rows of a table, or at all combinations of the given slips and loads.
/// @throws UsageError  the table has no known column, or there are too many combinations
/// @throws ParseError, ModelError  the tyre's file or the table cannot be read
TyreOutcome tyre(const TyreRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

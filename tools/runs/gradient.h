// Gradients of the measures of a run: their derivatives by parameters of the system, at the values
// that the system has.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/json.h"
#include "document/table.h"
#include "runs/run_many.h"

namespace femflex::tools {

/// One parameter of a gradient.
struct GradientParameter {
  std::string name, path;
  double value = 0.0;  ///< in the system, in its units
};

/// Measures of one run and their derivatives.
struct RunGradient {
  std::string name;   ///< of the system
  std::string model;  ///< digest, as RunTable::model
  std::vector<GradientParameter> parameters;
  std::vector<RunMeasure> measures;
  std::vector<std::string> units;  ///< of the measures
  std::vector<double> values;      ///< of the measures
  Eigen::MatrixXd slopes;  ///< (measures x parameters), per unit of the file; NaN: see reasons
  std::vector<std::vector<std::string>> reasons;  ///< why there is no derivative; empty: there is
  double cpu_seconds = 0.0;                       ///< of all
  double run_seconds = 0.0;                       ///< of the run itself
  std::int64_t extra_runs = 0;  ///< runs and modal analyses of which differences were taken

  /// Relative change of a measure over that of a parameter; NaN where either is 0.
  double relative(std::size_t measure, std::size_t parameter) const;
};

/// Runs the system once, with its derivatives by the parameters. Measures of the dynamic analysis
/// follow the steps that it takes (simulate_with_tangents); those of modes, and of systems without
/// a dynamic analysis, are differences of fourth order.
/// @param options  `vary` holds names alone; samples, table, shards and histories have no meaning
/// @throws UsageError, ParseError, ModelError, NumericalError
RunGradient gradient_of(const DocumentInput& system,
                        const RunsOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress);

/// @param is_reproducible  without processor times
Json gradient_json(const RunGradient& gradient, bool is_reproducible);
TextTable gradient_table(const RunGradient& gradient);
std::string gradient_text(const RunGradient& gradient, bool is_reproducible);
/// A line of names, then one line per measure: name, value, unit, derivatives.
void write_gradient_csv(const RunGradient& gradient, const std::filesystem::path& path);
/// HDF5: the same bytes for the same gradient.
void write_gradient(const RunGradient& gradient, const std::filesystem::path& path);
/// Whether a file holds a gradient.
bool is_gradient_file(const std::filesystem::path& path);
/// @throws UsageError  no such file;  ParseError
RunGradient read_gradient(const std::filesystem::path& path);

}  // namespace femflex::tools

// Gradients: derivatives of the measures of a run with respect to parameters of the system. The
// verb study --gradient uses them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
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
  double value = 0.0;  ///< value in the system, in the units of the file
};

/// Measures of one run and their derivatives.
struct RunGradient {
  std::string name;   ///< name of the system
  std::string model;  ///< digest of the model, as RunTable::model
  std::vector<GradientParameter> parameters;
  std::vector<RunMeasure> measures;
  std::vector<std::string> units;  ///< of the measures
  std::vector<double> values;      ///< of the measures
  Eigen::MatrixXd slopes;  ///< (measures x parameters), per unit of the file; NaN: see `reasons`
  std::vector<std::vector<std::string>> reasons;  ///< why a derivative does not exist; empty if it
                                                  ///< does
  double cpu_seconds = 0.0;                       ///< total
  double run_seconds = 0.0;                       ///< of the run itself
  std::int64_t extra_runs = 0;  ///< number of runs and modal analyses used for differences

  /// Relative change of a measure divided by that of a parameter; NaN if one of them is 0.
  double relative(std::size_t measure, std::size_t parameter) const;
};

/// What a gradient costs, as far as it is known before. It grows with the number of parameters.
struct GradientCost {
  std::int64_t parameters = 0;
  double runs = 0.0;          ///< processor time over that of the run, the run included: an
                              ///< estimate, good to a factor of 1.5; 0: no steps are followed
  std::int64_t analyses = 0;  ///< modal and static analyses with other values
};
/// "3 parameters: about 5.5 runs of processor time and 12 other analyses".
std::string cost_text(const GradientCost& cost);

/// Runs the system once and computes the derivatives with respect to the parameters. For measures
/// of the dynamic analysis they follow its steps (simulate_with_tangents). For measures of modes,
/// and for systems without a dynamic analysis, they are differences of fourth order.
/// @param options  `vary` contains only names; samples, table, shards and histories are not used
/// @param tell     is told the cost once everything is checked, before the work; empty: nobody is
/// @throws UsageError, ParseError, ModelError, NumericalError
RunGradient gradient_of(const DocumentInput& system,
                        const RunsOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress,
                        const std::function<void(const GradientCost&)>& tell = {});

/// @param is_reproducible  true: omits processor times
Json gradient_json(const RunGradient& gradient, bool is_reproducible);
TextTable gradient_table(const RunGradient& gradient);
std::string gradient_text(const RunGradient& gradient, bool is_reproducible);
/// Writes a line of names, then one line per measure: name, value, unit, derivatives.
void write_gradient_csv(const RunGradient& gradient, const std::filesystem::path& path);
/// Writes HDF5; equal gradients give equal bytes.
void write_gradient(const RunGradient& gradient, const std::filesystem::path& path);
/// Whether the file contains a gradient.
bool is_gradient_file(const std::filesystem::path& path);
/// @throws UsageError  no such file
/// @throws ParseError  the file is not a gradient
RunGradient read_gradient(const std::filesystem::path& path);

}  // namespace femflex::tools

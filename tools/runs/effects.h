// Statistics of a table of runs: spread of each measure, correlations, main and total effects of
// the parameters, worst runs. The verb study uses them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "document/json.h"
#include "document/table.h"
#include "runs/run_table.h"

namespace femflex::tools {

/// The effect of one parameter on one measure; NaN if these runs do not give it.
struct RunEffect {
  double correlation = 0.0;       ///< Pearson's
  double rank_correlation = 0.0;  ///< Spearman's
  /// share of the variance that would vanish if this parameter were fixed: the first-order index of
  /// Sobol'
  double main = 0.0;
  double main_error = 0.0;  ///< standard deviation of `main`; NaN: unknown
  /// share of the variance that remains if all other parameters are fixed: the total index of
  /// Sobol'; known only for the design "saltelli"
  double total = 0.0;
  double total_error = 0.0;
};

/// One measure over all runs that did not fail.
struct MeasureSummary {
  std::size_t count = 0;
  double mean = 0.0, deviation = 0.0, min = 0.0, max = 0.0;
  double p05 = 0.0, median = 0.0, p95 = 0.0;
  std::vector<RunEffect> effects;  ///< one per parameter
  std::vector<std::size_t> worst;  ///< indices in RunTable::rows of the most extreme values
  bool is_worst_low = false;       ///< true for measures "min", whose smallest values are the worst
};

/// One summary per measure.
std::vector<MeasureSummary> summaries_of(const RunTable& table);

/// JSON for --json: parameters, measures with their effects, failed runs.
Json run_table_json(const RunTable& table, const std::vector<MeasureSummary>& summaries);
/// As text: one table of the measures, then one table of effects per measure.
std::string run_table_text(const RunTable& table, const std::vector<MeasureSummary>& summaries);
TextTable spread_table(const RunTable& table, const std::vector<MeasureSummary>& summaries);
TextTable effect_table(const RunTable& table, const MeasureSummary& summary);

/// Samples of one parameter in the runs that did not fail; values_of_measure(): values of one
/// measure.
std::vector<double> samples_of_parameter(const RunTable& table, std::size_t parameter);
std::vector<double> values_of_measure(const RunTable& table, std::size_t measure);

}  // namespace femflex::tools

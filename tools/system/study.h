// run_study(): compares variants of a system with a reference, and finds the variant with the
// fewest modes whose error is within a limit. The verb study calls it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "document/document.h"
#include "results/compare_results.h"
#include "system/run_system.h"

namespace femflex::tools {

/// Error of a vector or scalar quantity: rms |a - b| / rms |a|, with a of the reference and b of
/// the variant.
struct StudyPoint {
  std::string name;  ///< "chassis/51/acceleration"
  double error = 0.0;
};

/// One variant of a system and its errors relative to the reference.
struct StudyCase {
  std::string variant;
  Eigen::Index modes = 0;   ///< active modal coordinates of all flexible bodies
  double error = 0.0;       ///< largest error of the points
  double peak_error = 0.0;  ///< largest |difference|, relative to the largest value of its channel
  /// Channels that are round-off in both results, compared with others of their kind; they do not
  /// count in the errors.
  std::vector<std::string> round_off;
  /// The run's own estimate: what modes that do not act would add at the worst node of those
  /// compared, relative to its displacement; absent where the body carries none (reduce
  /// --left-out).
  std::optional<double> left_out;
  double cpu_seconds = 0.0;
  double real_time_factor = 0.0;  ///< simulated time divided by CPU time
  std::vector<StudyPoint> points;
  std::vector<FigureValue> figures;  ///< values of the figures of Study::page
  ResultSeries series;               ///< unfiltered, for the plots of the page; empty without a
                                     ///< page
  ResultComparison comparison;       ///< the reference (A) compared with this variant (B)
};

struct StudyOptions {
  DocumentOptions document;  ///< the member variant is set for each case
  RunOverrides overrides;
  std::string reference;               ///< variant or result file used as reference
  std::vector<std::string> variants;   ///< variants to compare with the reference
  std::vector<std::string> channels;   ///< channels to compare; see compare_results()
  double below_hz = 0.0;               ///< compares content below this frequency; 0: all
  double limit = 0.05;                 ///< largest relative rms that is acceptable
  std::filesystem::path folder = ".";  ///< folder of the results VARIANT.h5
};

struct Study {
  std::string name;
  StudyOptions options;
  double reference_cpu_seconds = 0.0;  ///< 0: the reference is a stored result
  double reference_real_time_factor = 0.0;
  Eigen::Index reference_modes = 0;
  std::vector<StudyCase> cases;
  RunPage page;  ///< page of the system file
  std::vector<FigureValue> reference_figures;
  ResultSeries reference_series;  ///< unfiltered; empty without a page
  int best = -1;  ///< the case with the fewest modes within the limit; of several, the most
                  ///< accurate; -1: none
};

/// Runs the reference and each variant, and compares.
Study run_study(const DocumentInput& system,
                const StudyOptions& options,
                Diagnostics& diagnostics,
                Progress& progress);

Json study_json(const Study& study, bool is_reproducible);
TextTable study_table(const Study& study, bool is_reproducible);
/// The figures of the page, with the reference first; no rows if the system has no page.
TextTable study_figures(const Study& study);

}  // namespace femflex::tools

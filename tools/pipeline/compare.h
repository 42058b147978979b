#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"
#include "femflex/flexfile/body_difference.h"

#include "json.h"
#include "results_file.h"
#include "table.h"

namespace femflex::pipeline {

struct ChannelDifference {
  std::string name;  ///< in A; "a = b" where the names differ
  std::string unit;
  double rms = 0.0;           ///< of A - B over the common time
  double max = 0.0;           ///< largest |A - B|
  double relative_rms = 0.0;  ///< rms over the rms of A
  double correlation = 0.0;   ///< of A and B about their means; NaN where one does not move
};

struct ResultComparison {
  std::vector<ChannelDifference> channels;
  Eigen::VectorXd time;  ///< rows of A inside the time of both
  Eigen::MatrixXd a, b;  ///< (rows x channels), B interpolated linearly where times differ
  std::vector<std::string> names_a, names_b;
  bool passes = false;
  double tolerance = 0.0;
};

/// @param channels  names, beginnings of names ("dms/eta"), or pairs "a=b"; empty: all common names
/// @param tolerance  largest relative_rms that passes
/// @throws UsageError  no channel in common, or a name that is not there (names the nearest)
ResultComparison compare_results(const ResultSeries& a,
                                 const ResultSeries& b,
                                 const std::vector<std::string>& channels,
                                 double tolerance);
Json comparison_json(const ResultComparison& comparison);
Table comparison_table(const ResultComparison& comparison);

/// `t, channels of A, channels of B`, for plots.
ResultSeries side_by_side(const ResultComparison& comparison);

/// Removes what lies above `cut_hz` from every channel: fourth-order Butterworth, forwards and
/// backwards, so that nothing moves in time. Rows must be equally spaced.
/// @throws UsageError  they are not, or `cut_hz` is not below half their rate
void low_pass(ResultSeries& series, double cut_hz);

struct BodyComparison {
  struct Mode {
    double a_hz = 0.0;
    double b_hz = 0.0;
    double error_percent = 0.0;
    double mac = 0.0;
  };
  /// Each mode of A with its best partner in B; modes of one frequency count as a whole.
  std::vector<Mode> modes;
  double mass_error = 0.0;     ///< relative
  double centre_error = 0.0;   ///< [m]
  double inertia_error = 0.0;  ///< relative
  Eigen::MatrixXd mac;         ///< of the eigenmodes of both
  /// Nodes, shapes, invariants, damping, back-transformation, ...
  std::vector<flexfile::BodyAspect> aspects;
  bool passes = false;
  double tolerance = 0.0;
};

/// Eigenmodes of (k, m) of both bodies on their common nodes, with MAC; mass properties; aspects.
/// @param tolerance  largest relative difference of frequencies, mass and aspects, and of 1 - MAC
/// @param lacking    aspects that a file format of the two has no room for: told, no failure
/// @throws ModelError  no node in common
BodyComparison compare_bodies(const FlexBody& a,
                              const FlexBody& b,
                              double tolerance,
                              const std::vector<std::string>& lacking = {});
Json comparison_json(const BodyComparison& comparison);
Table comparison_table(const BodyComparison& comparison);
Table aspect_table(const BodyComparison& comparison);

}  // namespace femflex::pipeline

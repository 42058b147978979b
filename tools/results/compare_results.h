// Differences of two results channel by channel, and the low-pass filter that may be applied
// before.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "document/json.h"
#include "document/table.h"
#include "results/results_file.h"

namespace femflex::tools {

/// Differences of one channel in two results.
struct ChannelDifference {
  std::string name;  ///< name in A; "a = b" if the names differ
  std::string unit;
  double rms = 0.0;           ///< rms of A - B in the common time
  double max = 0.0;           ///< largest |A - B|
  double relative_rms = 0.0;  ///< rms divided by the rms of A
  double correlation = 0.0;   ///< correlation of A and B about their means; NaN if one is constant
};

struct ResultComparison {
  std::vector<ChannelDifference> channels;
  Eigen::VectorXd time;  ///< times of the rows of A in the common time
  Eigen::MatrixXd a, b;  ///< (rows x channels); B interpolated linearly if times differ
  std::vector<std::string> names_a, names_b;
  bool passes = false;
  double tolerance = 0.0;
};

/// @param channels  names, beginnings of names ("dms/eta"), or pairs "a=b"; empty: all common names
/// @param tolerance  largest relative_rms that passes
/// @throws UsageError  no channel in common, or an unknown name (the message gives the nearest)
ResultComparison compare_results(const ResultSeries& a,
                                 const ResultSeries& b,
                                 const std::vector<std::string>& channels,
                                 double tolerance);
Json comparison_json(const ResultComparison& comparison);
Table comparison_table(const ResultComparison& comparison);

/// `t, channels of A, channels of B`, for plots.
ResultSeries side_by_side(const ResultComparison& comparison);

/// Removes the content above `cut_hz` from every channel: fourth-order Butterworth filter, forwards
/// and backwards, so that there is no phase shift. Rows must be equally spaced.
/// @throws UsageError  they are not, or `cut_hz` is not below half their rate
void low_pass(ResultSeries& series, double cut_hz);

}  // namespace femflex::tools

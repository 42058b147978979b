// compare_results(): differences of two results channel by channel. low_pass(): filter to apply
// before. The verb compare uses both.
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
  double rms = 0.0;           ///< root mean square of A - B in the common time
  double max = 0.0;           ///< largest |A - B|
  double relative_rms = 0.0;  ///< rms divided by the rms of A
  double correlation = 0.0;   ///< correlation coefficient of A and B; NaN if one of them is
                              ///< constant
};

/// Outcome of compare_results().
struct ResultComparison {
  std::vector<ChannelDifference> channels;
  Eigen::VectorXd time;  ///< times of the rows of A within the common time
  Eigen::MatrixXd a, b;  ///< (rows x channels); B at the times of A, interpolated linearly
  std::vector<std::string> names_a, names_b;
  bool passes = false;
  double tolerance = 0.0;
};

/// Compares channels of two results in the time interval covered by both.
/// @param channels  names, beginnings of names ("dms/eta"), or pairs "a=b"; empty: all common names
/// @param tolerance  largest relative_rms that passes
/// @throws UsageError  no common channel, or an unknown name (the message suggests the most
/// similar)
ResultComparison compare_results(const ResultSeries& a,
                                 const ResultSeries& b,
                                 const std::vector<std::string>& channels,
                                 double tolerance);
Json comparison_json(const ResultComparison& comparison);
TextTable comparison_table(const ResultComparison& comparison);

/// Both results as one series: channels of A as "a:NAME", then channels of B as "b:NAME".
ResultSeries side_by_side(const ResultComparison& comparison);

/// Removes the content above `cut_hz` from every channel by a fourth-order Butterworth filter,
/// applied forwards and backwards, so that there is no phase shift.
/// @throws UsageError  fewer than eight rows, rows not equally spaced in time, or a `cut_hz` that
/// is not between 0 and half the rate of the rows
void low_pass(ResultSeries& series, double cut_hz);

}  // namespace femflex::tools

// compare(): the verb compare. Computes the differences of two results or two bodies.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "body/compare_bodies.h"
#include "results/compare_results.h"
#include "results/results_file.h"

namespace femflex::verbs {

/// The file of a body or result, or a value that the caller keeps until the verb has finished.
using BodyOrResult =
    std::variant<std::filesystem::path, const FlexBody*, const tools::ResultSeries*>;

/// Input of compare().
struct CompareRequest {
  BodyOrResult a, b;
  std::optional<Units> units;  ///< units of body files that give none
  double tolerance = 1e-6;     ///< largest relative difference that passes
  /// Channels of results to compare, see compare_results(); empty: all common ones.
  std::vector<std::string> channels;
  std::optional<double> below_hz;  ///< frequency of a low-pass filter for results; absent: no
                                   ///< filter
};

/// Outcome of compare(), according to the kind of the inputs.
using CompareOutcome = std::variant<tools::ResultComparison, tools::BodyComparison>;

/// Compares two results or two bodies.
/// @throws UsageError  a body and a result, or a file of another kind; see compare_results(),
/// load()
/// @throws ModelError  see compare_bodies()
CompareOutcome compare(const CompareRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

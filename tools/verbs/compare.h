// The verb compare as a function: two results or two bodies in, their differences out.
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

/// A file of a body or a result, or a value that the caller keeps until the verb is done.
using BodyOrResult =
    std::variant<std::filesystem::path, const FlexBody*, const tools::ResultSeries*>;

/// Input of compare().
struct CompareRequest {
  BodyOrResult a, b;
  std::optional<Units> units;  ///< units of body files that give none
  double tolerance = 1e-6;     ///< largest relative difference that passes
  /// Channels of results, see compare_results(); empty: all common ones.
  std::vector<std::string> channels;
  std::optional<double> below_hz;  ///< results are low-pass filtered at this frequency; absent: not
};

/// Outcome of compare(), by the kind of the inputs.
using CompareOutcome = std::variant<tools::ResultComparison, tools::BodyComparison>;

/// Compares two results or two bodies.
/// @throws UsageError  a body and a result, another kind of file; see compare_results(), load()
/// @throws ModelError  see compare_bodies()
CompareOutcome compare(const CompareRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

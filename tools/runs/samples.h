// Parameters of many runs and their values in each run, for the verb study. Values come from Latin
// hypercube, random, grid, Sobol' points, the design of Saltelli for main and total effects, or a
// table of the user.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/name_table.h"

#include "document/json.h"

namespace femflex::tools {

/// A number or text of a system that differs between the runs.
struct RunParameter {
  enum class Kind : std::uint8_t {
    range,        ///< from `low` to `high` with equal probability
    logarithmic,  ///< from `low` to `high`; the logarithm has equal probability
    normal,       ///< normal distribution with mean `low` and standard deviation `high`
    choices,      ///< one of `choices`; a sample is its index, counted from 0
    table,        ///< numbers of a table, between `low` and `high`
  };
  std::string name;  ///< a parameter of the system, or the path of one of its numbers
  Kind kind = Kind::range;
  double low = 0.0, high = 0.0;
  bool is_relative = false;  ///< `low` and `high` are percentages of the number in the system
  std::vector<Json> choices;
  /// path in the system, as in --set; VariedSystem sets it. Empty for "variant".
  std::string path;

  /// The value for a sample.
  Json value(double sample) const;
};

inline constexpr auto kVaryKinds =
    name_table<RunParameter::Kind>({{RunParameter::Kind::range, "range"},
                                    {RunParameter::Kind::logarithmic, "log"},
                                    {RunParameter::Kind::normal, "normal"},
                                    {RunParameter::Kind::choices, "choices"},
                                    {RunParameter::Kind::table, "table"}});

/// Reads "k=1e5:3e5", "k=90%:110%", "k=log:1e3:1e6", "k=normal:2e5:1e4" or "k=1,2,full".
/// @throws UsageError
RunParameter parse_vary(const std::string& text);

/// The number of runs, and the rule for the samples of the parameters.
struct SampleRule {
  enum class Kind : std::uint8_t { lhs, random, grid, sobol, saltelli, table };
  Kind kind = Kind::lhs;
  std::vector<std::int64_t> counts;  ///< one number; for a grid also one per parameter
  std::uint64_t seed = 1;
};
inline constexpr auto kSampleRules =
    name_table<SampleRule::Kind>({{SampleRule::Kind::lhs, "lhs"},
                                  {SampleRule::Kind::random, "random"},
                                  {SampleRule::Kind::grid, "grid"},
                                  {SampleRule::Kind::sobol, "sobol"},
                                  {SampleRule::Kind::saltelli, "saltelli"},
                                  {SampleRule::Kind::table, "table"}});

/// Reads "lhs:100", "grid:5", "grid:3x5", "saltelli:512".
/// @throws UsageError
SampleRule parse_sample(const std::string& text);

/// One row per run, one column per parameter.
using RunSamples = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The samples of a rule. Those of "saltelli" are blocks of k + 2 rows for k parameters: A; then
/// for each parameter i the row A with column i taken from B; then B.
/// @throws UsageError  too many runs, or a grid with a wrong number of counts
RunSamples samples_of(const SampleRule& rule, const std::vector<RunParameter>& parameters);

/// A table of the user: a line of names, then one line per run. A column "row" is ignored.
struct SampleTable {
  std::vector<RunParameter> parameters;
  RunSamples values;
};
/// @throws UsageError, ParseError
SampleTable read_sample_table(const std::filesystem::path& path);

}  // namespace femflex::tools

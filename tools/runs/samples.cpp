// Draws the values of the parameters of many runs. Every sample is a point of the unit cube, mapped
// to the ranges of the parameters. The numbers of std::mt19937_64 are converted here instead of by
// distributions of the standard library, so that all libraries give the same samples.
#include "runs/samples.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/normal_quantile.h"
#include "femflex/text.h"

#include "document/csv.h"
#include "document/nearest_name.h"
#include "document/typed_value.h"
#include "runs/sobol_points.h"

namespace femflex::tools {
namespace {

using VaryKind = RunParameter::Kind;

constexpr std::int64_t kMaxRuns = 10'000'000;  // a larger table takes several GB of memory

[[noreturn]] void refuse_vary(const std::string& text, const std::string& why) {
  throw UsageError("vary",
                   fmt::format("--vary {}: {}", text, why),
                   {},
                   "write NAME=LOW:HIGH, NAME=90%:110%, NAME=log:LOW:HIGH, NAME=normal:MEAN:SD or "
                   "NAME=VALUE,VALUE,...");
}

std::vector<std::string> parts_between(std::string_view text, char separator) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t end = text.find(separator);
    out.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

/// Splits a text at commas outside brackets and quotes, because values may be lists.
std::vector<std::string> values_between_commas(std::string_view text) {
  std::vector<std::string> out(1);
  int depth = 0;
  bool is_quoted = false;
  for (const char c : text) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && (c == '[' || c == '{' || c == '(')) ++depth;
    if (!is_quoted && (c == ']' || c == '}' || c == ')')) --depth;
    if (c == ',' && depth == 0 && !is_quoted)
      out.emplace_back();
    else
      out.back() += c;
  }
  for (std::string& each : out)
    each = std::string(trimmed(each));
  return out;
}

/// Reads one end of a range: a number or a percentage.
double end_of_range(const std::string& text, const std::string& end, bool& is_relative) {
  std::string_view digits = end;
  is_relative = digits.ends_with('%');
  if (is_relative) digits.remove_suffix(1);
  const auto number = number_of_text(digits);
  if (!number) refuse_vary(text, fmt::format("'{}' is not a number", end));
  return *number;
}

void check_range(const RunParameter& parameter, const std::string& text) {
  if (parameter.kind == VaryKind::normal) {
    if (!(parameter.high > 0.0)) refuse_vary(text, "the standard deviation is not above 0");
  } else if (!(parameter.low < parameter.high)) {
    refuse_vary(text, "the lower end is not below the upper one");
  }
  if (parameter.kind == VaryKind::logarithmic && !(parameter.low > 0.0))
    refuse_vary(text, "a logarithmic range begins above 0");
}

/// The value of a parameter at u, 0 to 1, of its cumulative distribution.
double sample_at(const RunParameter& parameter, double u) {
  switch (parameter.kind) {
    case VaryKind::range:
    case VaryKind::table:
      return parameter.low + u * (parameter.high - parameter.low);
    case VaryKind::logarithmic:
      return std::exp(std::log(parameter.low) +
                      u * (std::log(parameter.high) - std::log(parameter.low)));
    case VaryKind::normal:
      return parameter.low + parameter.high * normal_quantile(u);
    case VaryKind::choices:
      break;
  }
  const auto count = static_cast<double>(parameter.choices.size());
  return std::min(std::floor(u * count), count - 1.0);
}

double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11) + 0.5, -53);
}

std::uint64_t below(std::mt19937_64& random, std::uint64_t count) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() / count * count;
  while (true)
    if (const std::uint64_t each = random(); each < most) return each % count;
}

RunSamples latin_hypercube(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RunSamples out(rows, columns);
  std::mt19937_64 random(seed);
  std::vector<Eigen::Index> order(static_cast<std::size_t>(rows));
  for (Eigen::Index c = 0; c < columns; ++c) {
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[below(random, i)]);
    for (Eigen::Index r = 0; r < rows; ++r)
      out(r, c) = (static_cast<double>(order[static_cast<std::size_t>(r)]) + uniform(random)) /
                  static_cast<double>(rows);
  }
  return out;
}

RunSamples random_points(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  RunSamples out(rows, columns);
  std::mt19937_64 random(seed);
  for (Eigen::Index r = 0; r < rows; ++r)
    for (Eigen::Index c = 0; c < columns; ++c)
      out(r, c) = uniform(random);
  return out;
}

RunSamples sobol_rows(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
  const SobolPoints points(static_cast<int>(columns), seed);
  RunSamples out(rows, columns);
  for (Eigen::Index r = 0; r < rows; ++r)
    for (Eigen::Index c = 0; c < columns; ++c)
      out(r, c) = points.at(static_cast<std::uint64_t>(r), static_cast<int>(c));
  return out;
}

RunSamples saltelli_rows(Eigen::Index blocks, Eigen::Index columns, std::uint64_t seed) {
  constexpr Eigen::Index kMostColumns = SobolPoints::kMaxDimensions / 2;  // of two sets of rows
  if (columns > kMostColumns)
    throw UsageError("sample",
                     fmt::format("saltelli takes at most {} parameters, here are {}; the others "
                                 "could be fixed",
                                 kMostColumns,
                                 columns),
                     {},
                     "find those that matter with --sample lhs:N first");
  const SobolPoints points(static_cast<int>(2 * columns), seed);
  RunSamples out(blocks * (columns + 2), columns);
  for (Eigen::Index b = 0; b < blocks; ++b) {
    const Eigen::Index first = b * (columns + 2);
    for (Eigen::Index c = 0; c < columns; ++c) {
      const double in_a = points.at(static_cast<std::uint64_t>(b), static_cast<int>(c));
      const double in_b = points.at(static_cast<std::uint64_t>(b), static_cast<int>(columns + c));
      out.block(first, c, columns + 1, 1).setConstant(in_a);
      out(first + 1 + c, c) = in_b;
      out(first + columns + 1, c) = in_b;
    }
  }
  return out;
}

/// Values of a parameter at the points of a grid: a range with both ends, the middles of equal
/// shares of a normal distribution, or all choices.
std::vector<double> grid_values(const RunParameter& parameter, std::int64_t count) {
  if (parameter.kind == VaryKind::choices)
    count = static_cast<std::int64_t>(parameter.choices.size());
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<double>(i);
    const auto number = static_cast<double>(count);
    if (parameter.kind == VaryKind::choices)
      out.push_back(place);
    else if (parameter.kind == VaryKind::normal || count == 1)
      out.push_back(sample_at(parameter, (place + 0.5) / number));
    else if (i + 1 == count)
      out.push_back(parameter.high);
    else
      out.push_back(i == 0 ? parameter.low : sample_at(parameter, place / (number - 1.0)));
  }
  return out;
}

[[noreturn]] void refuse_number_of_runs() {
  throw UsageError("sample",
                   fmt::format("more than {} runs", kMaxRuns),
                   {},
                   "take fewer, or --sample lhs:N instead of a grid");
}

RunSamples grid_rows(const SampleRule& rule, const std::vector<RunParameter>& parameters) {
  for (const RunParameter& each : parameters)
    if (rule.counts.empty() && each.kind != VaryKind::choices)
      throw UsageError("sample",
                       fmt::format("--sample grid gives no number of values for '{}'", each.name),
                       {},
                       "write grid:5");
  if (rule.counts.size() > 1 && rule.counts.size() != parameters.size())
    throw UsageError("sample",
                     fmt::format("--sample grid has {} numbers for {} parameters",
                                 rule.counts.size(),
                                 parameters.size()),
                     {},
                     "give one for all, or one for each: grid:3x5");
  std::vector<std::vector<double>> values;
  double total = 1.0;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::int64_t count = rule.counts.empty()       ? 0  // choices have their own number
                               : rule.counts.size() == 1 ? rule.counts[0]
                                                         : rule.counts[p];
    values.push_back(grid_values(parameters[p], count));
    total *= static_cast<double>(values.back().size());
  }
  if (total > static_cast<double>(kMaxRuns)) refuse_number_of_runs();
  RunSamples out(static_cast<Eigen::Index>(total), static_cast<Eigen::Index>(parameters.size()));
  for (Eigen::Index r = 0; r < out.rows(); ++r) {
    auto rest = static_cast<std::size_t>(r);
    for (std::size_t p = parameters.size(); p-- > 0; rest /= values[p].size())
      out(r, static_cast<Eigen::Index>(p)) = values[p][rest % values[p].size()];
  }
  return out;
}

/// Samples of one column: its numbers; or, if it contains texts, the index of each text in the
/// order of first appearance.
std::vector<double> column_samples(const std::vector<std::string>& cells, RunParameter& parameter) {
  std::vector<double> out;
  parameter.kind = VaryKind::table;
  for (const std::string& cell : cells) {
    const auto number = number_of_text(cell);
    if (!number) parameter.kind = VaryKind::choices;
    out.push_back(number.value_or(0.0));
  }
  if (parameter.kind == VaryKind::table) {
    const auto [low, high] = std::minmax_element(out.begin(), out.end());
    parameter.low = *low;
    parameter.high = *high;
    return out;
  }
  std::vector<std::string> known;
  for (std::size_t r = 0; r < cells.size(); ++r) {
    const auto found = std::find(known.begin(), known.end(), cells[r]);
    out[r] = static_cast<double>(found - known.begin());
    if (found != known.end()) continue;
    known.push_back(cells[r]);
    parameter.choices.push_back(typed_value(cells[r], "--vary"));
  }
  return out;
}

/// True for nan, inf and the like, which number_of_text() does not take.
bool is_nan_or_infinite(const std::string& text) {
  double number = 0.0;
  const char* last = text.data() + text.size();
  const auto [end, fault] = std::from_chars(text.data(), last, number);
  return fault == std::errc() && end == last && !std::isfinite(number);
}

}  // namespace

Json RunParameter::value(double sample) const {
  return kind == VaryKind::choices ? choices.at(static_cast<std::size_t>(sample)) : Json(sample);
}

RunParameter parse_vary(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse_vary(text, "no name before '='");
  RunParameter out;
  out.name = std::string(trimmed(std::string_view(text).substr(0, equals)));
  const std::string rest(trimmed(std::string_view(text).substr(equals + 1)));
  if (rest.empty()) refuse_vary(text, "no values after '='");
  std::vector<std::string> ends = parts_between(rest, ':');
  const std::vector<std::string> values = values_between_commas(rest);
  const bool is_json = rest.front() == '[' || rest.front() == '{' || rest.front() == '"';
  if (ends.size() == 1 || values.size() > 1 || is_json) {
    out.kind = VaryKind::choices;
    for (const std::string& value : values) {
      if (value.empty()) refuse_vary(text, "an empty value between commas");
      out.choices.push_back(typed_value(value, "--vary"));
    }
    return out;
  }
  if (ends.size() == 3) {
    if (ends[0] != "log" && ends[0] != "normal")
      refuse_vary(text, fmt::format("'{}' is none of log and normal", ends[0]));
    out.kind = ends[0] == "log" ? VaryKind::logarithmic : VaryKind::normal;
    ends.erase(ends.begin());
  }
  if (ends.size() != 2) refuse_vary(text, fmt::format("{} colons", ends.size() - 1));
  bool is_low_relative = false, is_high_relative = false;
  out.low = end_of_range(text, ends[0], is_low_relative);
  out.high = end_of_range(text, ends[1], is_high_relative);
  if (is_low_relative != is_high_relative)
    refuse_vary(text, "one of the two is in per cent and the other is not");
  out.is_relative = is_low_relative;
  check_range(out, text);
  return out;
}

SampleRule parse_sample(const std::string& text) {
  using Rule = SampleRule::Kind;
  SampleRule out;
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  std::vector<std::string> names;
  for (const std::string& each : kSampleRules.names())
    if (each != kSampleRules.name_of(Rule::table)) names.push_back(each);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UsageError("sample",
                     fmt::format("--sample {}: '{}' is not a way to sample", text, name),
                     {},
                     suggestion(name, names));
  out.kind = kSampleRules.find(name).value();
  if (out.kind == Rule::grid && colon == std::string::npos) return out;
  const std::string numbers = colon == std::string::npos ? std::string() : text.substr(colon + 1);
  for (const std::string& each : parts_between(numbers, out.kind == Rule::grid ? 'x' : '\n')) {
    const auto count = parse_integer(each);
    if (!count || *count < 1)
      throw UsageError("sample",
                       fmt::format("--sample {}: '{}' is not a number of runs", text, each),
                       {},
                       fmt::format("write {}:{}", name, out.kind == Rule::grid ? "5" : "1000"));
    if (*count > kMaxRuns) refuse_number_of_runs();
    out.counts.push_back(*count);
  }
  return out;
}

RunSamples samples_of(const SampleRule& rule, const std::vector<RunParameter>& parameters) {
  using Rule = SampleRule::Kind;
  if (rule.kind == Rule::grid) return grid_rows(rule, parameters);
  const auto rows = static_cast<Eigen::Index>(rule.counts.at(0));
  const auto columns = static_cast<Eigen::Index>(parameters.size());
  if (rule.kind == Rule::saltelli && rows * (columns + 2) > kMaxRuns) refuse_number_of_runs();
  RunSamples out = rule.kind == Rule::lhs      ? latin_hypercube(rows, columns, rule.seed)
                   : rule.kind == Rule::random ? random_points(rows, columns, rule.seed)
                   : rule.kind == Rule::sobol  ? sobol_rows(rows, columns, rule.seed)
                                               : saltelli_rows(rows, columns, rule.seed);
  for (Eigen::Index r = 0; r < out.rows(); ++r)
    for (Eigen::Index c = 0; c < columns; ++c)
      out(r, c) = sample_at(parameters[static_cast<std::size_t>(c)], out(r, c));
  return out;
}

SampleTable read_sample_table(const std::filesystem::path& path) {
  const io::MappedFile file(path);
  std::string_view text = without_byte_order_mark(file.bytes());
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> columns;
  for (std::int64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view words = trimmed(text.substr(0, end), is_white_space);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty() || words.front() == '#') continue;
    const CsvCells split(words);
    const std::vector<std::string> cells(split.begin(), split.end());
    if (heads.empty()) {
      heads = cells;
      columns.resize(heads.size());
      continue;
    }
    if (cells.size() != heads.size())
      throw ParseError(
          "row-size",
          fmt::format("{} cells where the first line has {} names", cells.size(), heads.size()),
          {path.string(), line});
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].empty())
        throw ParseError(
            "empty-cell", fmt::format("column '{}' is empty", heads[c]), {path.string(), line});
      if (is_nan_or_infinite(cells[c]))
        throw ParseError("not-finite",
                         fmt::format("column '{}': {} is not a finite number", heads[c], cells[c]),
                         {path.string(), line},
                         "give a number, or leave the line out");
      columns[c].push_back(cells[c]);
    }
  }
  if (columns.empty() || columns.front().empty())
    throw ParseError("no-rows",
                     "the table has no rows",
                     {path.string()},
                     "write a line of names, then one line of values per run");
  SampleTable out;
  std::vector<std::vector<double>> samples;
  for (std::size_t c = 0; c < heads.size(); ++c) {
    if (heads[c] == "row") continue;
    if (heads[c].empty())
      throw ParseError("no-name",
                       fmt::format("column {} has no name", c + 1),
                       {path.string()},
                       "name the parameter, or call a column that counts the rows 'row'");
    if (std::count(heads.begin(), heads.end(), heads[c]) > 1)
      throw ParseError(
          "two-columns", fmt::format("two columns are called '{}'", heads[c]), {path.string()});
    if (heads[c].ends_with(']'))
      throw ParseError("unit",
                       fmt::format("column '{}' names a unit", heads[c]),
                       {path.string()},
                       fmt::format("call it '{}', with values in the units of the system",
                                   trimmed(heads[c].substr(0, heads[c].find('[')))));
    RunParameter parameter;
    parameter.name = heads[c];
    samples.push_back(column_samples(columns[c], parameter));
    out.parameters.push_back(std::move(parameter));
  }
  out.values.resize(static_cast<Eigen::Index>(columns.front().size()),
                    static_cast<Eigen::Index>(samples.size()));
  for (std::size_t c = 0; c < samples.size(); ++c)
    for (std::size_t r = 0; r < samples[c].size(); ++r)
      out.values(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = samples[c][r];
  return out;
}

}  // namespace femflex::tools

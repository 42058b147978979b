// Units in the heads of signal columns. A density of the unit u has the unit u^2/Hz.
#include "results/signal_heads.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "femflex/csv.h"
#include "femflex/errors.h"
#include "femflex/io/mapped_file.h"
#include "femflex/text.h"
#include "femflex/unit_constants.h"

#include "document/base_unit.h"

namespace femflex::tools {
namespace {

bool same_kind(const BaseUnit& a, const BaseUnit& b) {
  return std::equal(std::begin(a.exponents), std::end(a.exponents), std::begin(b.exponents));
}

/// The unit of a density, u^2/Hz.
BaseUnit density_of(const BaseUnit& unit) {
  BaseUnit out = *base_unit("1/Hz");
  for (std::size_t k = 0; k < std::size(out.exponents); ++k)
    out.exponents[k] += 2 * unit.exponents[k];
  out.factor *= unit.factor * unit.factor;
  return out;
}

std::optional<BaseUnit> density_unit(const std::string& text) {
  if (text.starts_with("g^2") || text.starts_with("g2") || text.starts_with("(g)^2")) {
    const std::string rest = text.substr(text.find('2') + 1);
    std::optional<BaseUnit> out = base_unit("m^2/s^4 " + rest);
    if (out) out->factor *= kStandardGravity * kStandardGravity;
    return out;
  }
  return base_unit(text);
}

[[noreturn]] void bad_unit(const mbd_solver::Channel& signal,
                           const std::string& expected,
                           const std::filesystem::path& file) {
  throw UsageError(
      "unit",
      fmt::format("column '{}': '{}' is not a unit of {}", signal.name, signal.unit, expected),
      {file.string()},
      "correct the unit in brackets in the first line, or leave the column out");
}

/// Whether brackets hold an index, as in `x[1]`, and no unit.
bool is_index(std::string_view inside) {
  return !inside.empty() && inside.find_first_not_of("0123456789, ") == std::string_view::npos;
}

/// A head as a name and its unit, which is empty without brackets.
struct HeadParts {
  std::string_view name;
  std::string_view unit;
};

/// Whether round brackets at the end of a head hold a unit of stress, of frequency or of a density;
/// other texts, as in `x(t)`, belong to the name.
bool is_round_unit(std::string_view inside) {
  const std::optional<BaseUnit> unit = density_unit(std::string(inside));
  if (!unit || inside.empty() || is_index(inside)) return false;
  return inside.find("Hz") != std::string_view::npos || same_kind(*unit, *base_unit("Pa")) ||
         same_kind(*unit, *base_unit("rad/s"));
}

/// Where the bracket that ends a text is opened; npos if it is not.
std::size_t opening_of(std::string_view text) {
  int depth = 0;
  for (std::size_t k = text.size(); k-- > 0;) {
    if (text[k] == ')') ++depth;
    if (text[k] == '(' && --depth == 0) return k;
  }
  return std::string_view::npos;
}

HeadParts parts_of(std::string_view head) {
  const std::size_t last = head.find_last_not_of(" \t");
  if (last == std::string_view::npos || (head[last] != ']' && head[last] != ')')) return {head, {}};
  const bool is_round = head[last] == ')';
  const std::size_t open = is_round ? opening_of(head.substr(0, last + 1)) : head.rfind('[');
  if (open == std::string_view::npos) return {head, {}};
  const std::string_view inside = head.substr(open + 1, last - open - 1);
  if (is_round ? open == 0 || !is_round_unit(inside) : is_index(inside)) return {head, {}};
  const std::size_t end =
      open == 0 ? std::string_view::npos : head.find_last_not_of(" \t", open - 1);
  return {end == std::string_view::npos ? head : head.substr(0, end + 1), inside};
}

}  // namespace

std::string head_of(const mbd_solver::Channel& channel) {
  return fmt::format("{} [{}]", channel.name, channel.unit.empty() ? "-" : channel.unit);
}

void split_heads(ResultSeries& table) {
  for (mbd_solver::Channel& channel : table.channels) {
    const HeadParts parts = parts_of(channel.name);
    if (parts.unit.empty() && parts.name.size() == channel.name.size()) continue;
    channel.unit = parts.unit;
    channel.name = std::string(parts.name);  // after the unit, which is a part of it
  }
}

Eigen::Index column_without_unit(const ResultSeries& table, std::string_view head) {
  const HeadParts wanted = parts_of(head);
  Eigen::Index found = -1;
  for (std::size_t c = 0; c < table.channels.size(); ++c) {
    const mbd_solver::Channel& channel = table.channels[c];
    if (!channel.name.starts_with(wanted.name)) continue;
    const HeadParts own = parts_of(channel.name);
    const std::string_view unit = own.unit.empty() ? std::string_view(channel.unit) : own.unit;
    const bool is_same =
        own.name == wanted.name && (wanted.unit.empty() || unit.empty() || unit == wanted.unit);
    if (!is_same) continue;
    if (found >= 0) return -1;
    found = static_cast<Eigen::Index>(c);
  }
  return found;
}

void check_frequency_head(const std::filesystem::path& file) {
  const io::MappedFile bytes(file);
  CsvRows rows(bytes.bytes(), file.string());
  if (!rows.next()) return;
  ResultSeries head;
  head.channels.push_back({std::string(rows.cells()[0]), ""});
  split_heads(head);
  const mbd_solver::Channel& first = head.channels.front();
  if (first.unit.empty() || lower_case(first.unit) == "hz" || first.unit == "1/s") return;
  throw UsageError(
      "unit",
      fmt::format(
          "the first column '{}' is in {}: expected frequencies in Hz", first.name, first.unit),
      {file.string()},
      "convert the frequencies, and densities over them: over Hz they are 2 pi times those over "
      "rad/s");
}

void check_times(const Eigen::VectorXd& time, const TimesOf& of) {
  for (Eigen::Index row = 0; row < time.size(); ++row) {
    const Where where{of.file};
    if (!std::isfinite(time(row)))
      throw UsageError("time-order",
                       fmt::format("{} is {} in row {}", of.column, time(row), row + 1),
                       where,
                       of.remedy);
    if (row == 0 || time(row) >= time(row - 1)) continue;
    throw UsageError(
        "time-order",
        fmt::format(
            "{} falls from {} to {} in row {}", of.column, time(row - 1), time(row), row + 1),
        where,
        of.remedy);
  }
}

void check_times(const ResultSeries& table, const std::filesystem::path& file) {
  check_times(table.time,
              {"the first column",
               file.string(),
               "it is time: put a column of rising times or of row numbers before the signals, and "
               "sort the rows by it"});
}

std::string unit_of_signal(const mbd_solver::Channel& density) {
  const std::size_t end = density.unit.rfind("^2/Hz");
  if (end == std::string::npos || end + 5 != density.unit.size()) return "";
  const std::string unit = density.unit.substr(0, end);
  return unit.size() > 2 && unit.front() == '(' && unit.back() == ')'
             ? unit.substr(1, unit.size() - 2)
             : unit;
}

double stress_factor(const mbd_solver::Channel& signal,
                     double otherwise,
                     const std::filesystem::path& file) {
  if (signal.unit.empty()) return otherwise;
  const std::optional<BaseUnit> unit = base_unit(signal.unit);
  if (!unit || !same_kind(*unit, *base_unit("Pa"))) bad_unit(signal, "stress", file);
  return unit->factor;
}

double density_factor(const mbd_solver::Channel& density,
                      const std::string& unit,
                      const std::filesystem::path& file) {
  if (density.unit.empty()) return 1.0;
  const std::optional<BaseUnit> given = density_unit(density.unit);
  const std::optional<BaseUnit> own = unit.empty() ? std::nullopt : base_unit(unit);
  if (!given || (own && !same_kind(*given, density_of(*own))))
    bad_unit(density,
             own ? fmt::format("spectral density of {}: expected one like ({})^2/Hz", unit, unit)
                 : std::string("spectral density"),
             file);
  return own ? given->factor / density_of(*own).factor : given->factor;
}

}  // namespace femflex::tools

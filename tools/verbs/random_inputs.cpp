// Splits the heads of the columns into inputs and delays, and converts units input by input.
#include "verbs/random_inputs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "femflex/durability/spectra.h"
#include "femflex/errors.h"

#include "document/base_unit.h"
#include "document/number_text.h"
#include "results/signal_heads.h"

namespace femflex::verbs {
namespace {

/// Reads "INPUT" or "INPUT@DELAY".
std::pair<std::string_view, double> input_and_delay(std::string_view term,
                                                    const std::string& column,
                                                    const std::filesystem::path& path) {
  const std::size_t at = std::min(term.find('@'), term.size());
  const std::string_view name = term.substr(0, at);
  if (name.empty())
    throw UsageError("no-spectrum",
                     fmt::format("column '{}' names no input in '{}'", column, term),
                     {path.string()},
                     "write INPUT+OTHER@0.25");
  if (at == term.size()) return {name, 0.0};
  const std::string_view text = term.substr(at + 1);
  const auto delay = tools::number_of_text(text, "s");
  if (!delay)
    throw UsageError("no-spectrum",
                     fmt::format("column '{}': '{}' is not a delay in seconds", column, text),
                     {path.string()},
                     "write INPUT+OTHER@0.25");
  return {name, *delay};
}

/// The declared unit of an input or of an output of a block, empty if none is declared; nothing for
/// a channel, along which a unit force or moment in SI acts.
std::optional<std::string> unit_of_input(const mbd_solver::System& system,
                                         const std::string& name) {
  for (const mbd_solver::Input& input : system.inputs)
    if (input.name == name) return input.unit;
  for (const mbd_solver::Block& block : system.blocks) {
    if (block.name == name) return block.unit;
    for (std::size_t k = 0; k < block.output_units.size(); ++k) {
      const bool is_named = k < block.output_names.size();
      const std::string output = is_named ? block.output_names[k] : std::to_string(k + 1);
      if (name == block.name + "/" + output) return block.output_units[k];
    }
  }
  return std::nullopt;
}

/// Throws if the inputs of a column without a unit have different ones; "" is a channel's, which is
/// that of SI.
void check_same_unit(const std::vector<std::string>& units,
                     const std::string& column,
                     const std::filesystem::path& path) {
  const auto is_same = [](const std::string& a, const std::string& b) {
    const auto is_si = [](const std::string& unit) {
      const auto base = tools::base_unit(unit);
      return base && base->factor == 1.0;
    };
    return a == b || (a.empty() && is_si(b)) || (b.empty() && is_si(a));
  };
  for (const std::string& unit : units) {
    if (is_same(unit, units.front())) continue;
    const auto name_of = [](const std::string& each) { return each.empty() ? "SI" : each; };
    const std::string& named = unit.empty() ? units.front() : unit;
    throw UsageError(
        "unit",
        fmt::format("column '{}' has no unit, and its inputs are in {} and {}",
                    column,
                    name_of(units.front()),
                    name_of(unit)),
        {path.string()},
        fmt::format("name the unit in the first line: '{} [({})^2/Hz]'", column, named));
  }
}

}  // namespace

double RandomInputs::widest_delay() const {
  double widest = 0.0;
  for (const std::vector<DrivenInput>& column : columns) {
    const auto [first, last] = std::minmax_element(
        column.begin(), column.end(), [](const DrivenInput& a, const DrivenInput& b) {
          return a.delay < b.delay;
        });
    widest = std::max(widest, last->delay - first->delay);
  }
  return widest;
}

tools::ResultSeries read_spectra(const std::filesystem::path& path) {
  tools::ResultSeries table = tools::read_csv(path);
  tools::split_heads(table);
  tools::check_frequency_head(path);
  try {
    for (Eigen::Index c = 0; c < table.values.cols(); ++c)
      static_cast<void>(durability::moments_of(table.time, table.values.col(c)));
  } catch (const UsageError& error) {
    throw UsageError(error.code(),
                     error.message(),
                     {path.string()},
                     "columns are frequency [Hz] and densities [unit^2/Hz]");
  }
  if (table.channels.empty())
    throw UsageError("no-spectrum", "the table has no column of densities", {path.string()});
  for (std::size_t c = 0; c < table.channels.size(); ++c)
    if (table.channels[c].name.empty())
      throw UsageError("no-spectrum",
                       fmt::format("column {} has no name", c + 2),
                       {path.string()},
                       "name its signal or input in the first line, or leave the column out");
  return table;
}

RandomInputs read_random_inputs(const std::filesystem::path& path) {
  RandomInputs out;
  out.densities = read_spectra(path);
  for (const mbd_solver::Channel& channel : out.densities.channels) {
    std::vector<DrivenInput> column;
    for (std::size_t from = 0; from <= channel.name.size();) {
      const std::size_t plus = std::min(channel.name.find('+', from), channel.name.size());
      const std::string_view term = std::string_view(channel.name).substr(from, plus - from);
      const auto [name, delay] = input_and_delay(term, channel.name, path);
      const auto known = std::find(out.names.begin(), out.names.end(), name);
      column.push_back({known - out.names.begin(), delay});
      if (known == out.names.end()) out.names.emplace_back(name);
      from = plus + 1;
    }
    out.columns.push_back(std::move(column));
  }
  return out;
}

void set_factors(const mbd_solver::System& system,
                 const std::filesystem::path& path,
                 RandomInputs& inputs) {
  for (std::size_t c = 0; c < inputs.columns.size(); ++c) {
    const mbd_solver::Channel& column = inputs.densities.channels[c];
    std::vector<std::string> declared;  // without units that are not known to be SI
    for (DrivenInput& driven : inputs.columns[c]) {
      const std::string& name = inputs.names[static_cast<std::size_t>(driven.input)];
      const std::optional<std::string> found = unit_of_input(system, name);
      const std::string unit = found.value_or("");
      if (!found || !unit.empty()) declared.push_back(unit);
      if (!column.unit.empty() && !unit.empty() && !tools::base_unit(unit))
        throw UsageError("unit",
                         fmt::format("the unit '{}' of input {} is not known", unit, name),
                         {path.string()},
                         fmt::format("leave out the unit of column '{}' and give its numbers in "
                                     "that of the input",
                                     column.name));
      driven.factor = std::sqrt(tools::density_factor(column, unit, path));
    }
    if (column.unit.empty()) check_same_unit(declared, column.name, path);
  }
}

}  // namespace femflex::verbs

// Makes the system of each run. Parameters are members of the input document; the system is read
// from a copy of the document with the values of the run. Files are read through a cache.
#include "runs/vary_system.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"
#include "femflex/io/sha256.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/version.h"

#include "body/inputs.h"
#include "document/document_path.h"
#include "document/file_kind.h"
#include "document/nearest_name.h"
#include "document/parameter_names.h"
#include "document/parameter_values.h"
#include "results/stored_states.h"

namespace femflex::tools {
namespace {

[[noreturn]] void refuse_name(const std::string& name,
                              const std::string& key,
                              const std::vector<std::string>& known) {
  throw UsageError("vary",
                   fmt::format("'{}' cannot be varied: the system has no '{}'", name, key),
                   {},
                   suggestion(key, known));
}

/// The value at a path, which must exist, because varying an absent value would have no effect.
const Json& value_at(const Json& document, const std::string& name, const std::string& path) {
  const DocumentPath way(path);
  const Json* at = &document;
  for (const std::string& step : way.steps()) {
    const Json* next = member_at(*at, step);
    if (next == nullptr) refuse_name(name, step, steps_from(*at));
    at = next;
  }
  return *at;
}

/// Converts a range in per cent to a range of numbers.
void scale_range(RunParameter& parameter, const Json& nominal) {
  if (!parameter.is_relative) return;
  if (!nominal.is_number() || nominal.number() == 0.0)
    throw UsageError("vary",
                     fmt::format("'{}' cannot be varied in per cent: its value is {}",
                                 parameter.name,
                                 nominal.is_number() ? "0" : nominal.dump_line()),
                     {},
                     "give the range in numbers");
  const double ends[] = {parameter.low / 100.0 * nominal.number(),
                         parameter.high / 100.0 * nominal.number()};
  const bool is_normal = parameter.kind == RunParameter::Kind::normal;
  parameter.low = is_normal ? ends[0] : std::min(ends[0], ends[1]);
  parameter.high = is_normal ? std::abs(ends[1]) : std::max(ends[0], ends[1]);
  parameter.is_relative = false;
}

void check_value_kind(const RunParameter& parameter, const Json& nominal) {
  const bool is_number = nominal.is_number() || is_formula(nominal);
  if (parameter.kind == RunParameter::Kind::choices || is_number) return;
  // a formula in t may be replaced by a constant
  if (nominal.is_text()) return;
  throw UsageError("vary",
                   fmt::format("'{}' is {} in the system; a range varies numbers",
                               parameter.name,
                               name_of(nominal.kind())),
                   {},
                   nominal.is_list()     ? "add the index: NAME.0=LOW:HIGH"
                   : nominal.is_object() ? suggestion("", steps_from(nominal))
                                         : "give the values to choose from: NAME=true,false");
}

const RunParameter* variant_choice(const RunTable& table) {
  for (const RunParameter& each : table.parameters)
    if (each.name == kVariantName) return &each;
  return nullptr;
}

bool holds_name(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_character(text[at - 1])) &&
        (end == text.size() || !is_name_character(text[end])))
      return true;
  }
  return false;
}

/// Whether a text of the value, such as a formula, holds the name of a parameter.
bool is_named_in(const Json& value, std::string_view name) {
  if (value.is_text()) return holds_name(value.text(), name);
  if (value.is_list())
    return std::any_of(value.items().begin(), value.items().end(), [&](const Json& item) {
      return is_named_in(item, name);
    });
  if (!value.is_object()) return false;
  return std::any_of(value.members().begin(),
                     value.members().end(),
                     [&](const Json::Member& member) { return is_named_in(member.value, name); });
}

std::map<std::string, std::string> units_of(const mbd_solver::System& system) {
  std::map<std::string, std::string> out;
  for (const mbd_solver::Channel& channel : mbd_solver::channels_of(system))
    out[channel.name] = channel.unit;
  return out;
}

std::string unit_of_channel(const RunMeasure& measure,
                            const std::map<std::string, std::string>& units) {
  const auto found = units.find(measure.channel);
  if (found != units.end()) return found->second;
  std::vector<std::string> parts;
  for (const auto& [name, unit] : units)
    if (name.starts_with(measure.channel + "/")) parts.push_back(name);
  throw UsageError(
      "measure",
      fmt::format("--measure {}: '{}' is not one channel", measure.text, measure.channel),
      {},
      parts.empty() ? "" : fmt::format("choose one of {}", fmt::join(parts, ", ")));
}

/// The units of the measures in one variant.
/// @param variant  its name for messages; empty if the system is not varied by variants
/// @throws UsageError, ModelError  the system has not all channels of the measures
std::vector<std::string> units_in_variant(const RunTable& table,
                                          const mbd_solver::System& system,
                                          const std::string& variant) {
  try {
    const auto units = units_of(system);
    std::vector<std::string> out;
    for (const RunMeasure& measure : table.measures)
      out.push_back(unit_of(measure, measure.is_of_modes() ? "" : unit_of_channel(measure, units)));
    return out;
  } catch (const ModelError& error) {
    if (variant.empty()) throw;
    throw UsageError("measure",
                     fmt::format("variant '{}': {}", variant, error.message()),
                     error.where(),
                     error.fix());
  }
}

std::string name_of_choice(const Json& choice) {
  return choice.is_text() ? choice.text() : choice.dump_line();
}

/// Sets the outputs of a system to the channels of the measures; with `keeps_outputs`, adds them to
/// the existing outputs.
void set_outputs(Json& document,
                 const mbd_solver::System& nominal,
                 const RunTable& table,
                 bool keeps_outputs) {
  Json outputs = Json::list();
  if (keeps_outputs)
    for (const mbd_solver::Channel& channel : mbd_solver::channels_of(nominal))
      outputs.push_back(channel.name);
  bool has_channel = false;
  for (const RunMeasure& measure : table.measures) {
    if (measure.is_of_modes()) continue;
    outputs.push_back(measure.channel);
    has_channel = true;
  }
  if (has_channel) document["outputs"] = std::move(outputs);
}

/// The path of a number of a part, "parts.front.track": the parameter front_track of the document,
/// in which parts are written out.
std::string path_in_part(const Json* parameters, const std::string& name) {
  std::string word = name.substr(std::string_view("parts.").size());
  std::replace(word.begin(), word.end(), name[std::string_view("parts").size()], '_');
  const std::vector<std::string> known =
      parameters == nullptr ? std::vector<std::string>() : steps_from(*parameters);
  if (std::find(known.begin(), known.end(), word) == known.end())
    throw UsageError("vary",
                     fmt::format("'{}' cannot be varied: it is not a number of a part, which would "
                                 "be the parameter {}",
                                 name,
                                 word),
                     {},
                     suggestion(word, known));
  return "parameters." + word;
}

/// The path for --set of a parameter name: "k" means parameters.k if the system has this parameter.
std::string path_of(const Json& document, const std::string& name) {
  const Json* parameters = document.find("parameters");
  if (name.starts_with("parts.") || name.starts_with("parts/"))
    return path_in_part(parameters, name);
  if (parameters != nullptr && parameters->is_object() && parameters->find(name) != nullptr)
    return name.find('.') == std::string::npos ? "parameters." + name : "parameters/" + name;
  if (name.find('.') != std::string::npos || name.find('/') != std::string::npos) return name;
  std::vector<std::string> known =
      parameters == nullptr ? std::vector<std::string>() : steps_from(*parameters);
  if (document.find(name) == nullptr && known.empty())
    throw UsageError("vary",
                     fmt::format("'{}' cannot be varied: the system has no \"parameters\"", name),
                     {},
                     "give the path of a number: forces.spring.stiffness");
  if (document.find(name) == nullptr) refuse_name(name, name, known);
  return name;
}

}  // namespace

void check_overrides(const RunTable& table, const RunOverrides& overrides) {
  for (const RunParameter& each : table.parameters) {
    const DocumentPath path(each.path);
    if (path.steps().front() != "analyses") continue;
    const std::string& member = path.steps().back();
    const bool is_set = (member == "end" && overrides.end) ||
                        (member == "step" && overrides.step) ||
                        (member == "output_step" && overrides.output_step) ||
                        (member == "integrator" && !overrides.integrator.empty());
    if (is_set)
      throw UsageError("vary",
                       fmt::format("'{}' is varied, and --{} gives all runs the same",
                                   each.name,
                                   member == "output_step" ? "output-step" : member),
                       {},
                       "leave one of them out");
  }
}

VariedSystem::VariedSystem(const DocumentInput& input,
                           const DocumentOptions& options,
                           bool keeps_outputs,
                           RunTable& table,
                           Diagnostics& diagnostics,
                           Progress& progress)
    : input_(input), options_(options) {
  if (const auto* path = std::get_if<std::filesystem::path>(&input_)) {
    const FileKind kind = kind_of(*path);
    if (kind != FileKind::system) refuse_kind(*path, kind, "a system (JSON)");
  }
  const RunParameter* variants = variant_choice(table);
  if (variants == nullptr) {
    bases_.push_back(load_document(input_, options_));
  } else {
    if (!options_.variant.empty())
      throw UsageError("vary",
                       "'variant' is varied, and --variant gives all runs the same",
                       {},
                       "leave one of them out");
    if (variants->kind != RunParameter::Kind::choices)
      throw UsageError("vary", "'variant' is varied by names", {}, "write variant=rigid,full");
    for (const Json& each : variants->choices) {
      DocumentOptions one = options_;
      one.variant = name_of_choice(each);
      bases_.push_back(load_document(input_, one));
    }
  }
  find_paths(table);
  warn_of_unused(table, diagnostics);
  std::string model = std::string(kVersion) + "\n" + digest_of_files(table);
  for (Json& base : bases_) {
    const SystemDocument nominal = read(base, diagnostics, progress);
    Json counted = base;
    for (const char* without_effect : {"outputs", "variants"})
      counted.erase(without_effect);
    model += counted.dump_line() + "\n" + state_fingerprint(nominal.system) + "\n";
    for (const Provenance::Source& source : nominal.sources)
      model += source.file + " " + source.sha256 + "\n";
    table.name = nominal.system.name;
    set_outputs(base, nominal.system, table, keeps_outputs);
  }
  table.model = io::sha256_of(model);
  set_units(table, progress);
}

void VariedSystem::set_units(RunTable& table, Progress& progress) {
  const RunParameter* variants = variant_choice(table);
  Diagnostics told_before;
  for (std::size_t v = 0; v < bases_.size(); ++v) {
    const SystemDocument nominal = read(bases_[v], told_before, progress);
    const std::string variant = variants == nullptr ? "" : name_of_choice(variants->choices[v]);
    const std::vector<std::string> units = units_in_variant(table, nominal.system, variant);
    if (v == 0) table.units = units;
    for (std::size_t m = 0; m < units.size(); ++m)
      if (units[m] != table.units[m])
        throw UsageError("measure",
                         fmt::format("--measure {}: it is in '{}' in the first variant and in '{}' "
                                     "in variant '{}'",
                                     table.measures[m].text,
                                     table.units[m],
                                     units[m],
                                     variant),
                         {},
                         "run the variants one by one");
  }
}

void VariedSystem::find_paths(RunTable& table) const {
  std::map<std::string, std::string> names;  // by path
  for (RunParameter& parameter : table.parameters) {
    if (parameter.name != kVariantName) parameter.path = path_of(bases_.front(), parameter.name);
    std::string path = parameter.path;
    std::replace(path.begin(), path.end(), '/', '.');
    const auto [found, is_new] = names.emplace(path, parameter.name);
    if (!is_new)
      throw UsageError(
          "vary", fmt::format("'{}' is varied twice", parameter.name), {}, "name it once");
    if (parameter.name == kVariantName) continue;
    for (const Json& base : bases_)
      check_value_kind(parameter, value_at(base, parameter.name, parameter.path));
    const Json nominal = value_at(bases_.front(), parameter.name, parameter.path);
    for (const Json& base : bases_)
      if (const Json other = value_at(base, parameter.name, parameter.path);
          parameter.is_relative && other.dump_line() != nominal.dump_line())
        throw UsageError("vary",
                         fmt::format("'{}' cannot be varied in per cent: it is {} in one variant "
                                     "and {} in another",
                                     parameter.name,
                                     nominal.dump_line(),
                                     other.dump_line()),
                         {},
                         "give the range in numbers, or run the variants one by one");
    scale_range(parameter, nominal);
  }
}

void VariedSystem::warn_of_unused(const RunTable& table, Diagnostics& diagnostics) const {
  for (const RunParameter& each : table.parameters) {
    const std::string_view of_parameters = each.path;
    if (!of_parameters.starts_with("parameters.") && !of_parameters.starts_with("parameters/"))
      continue;
    const std::string name = each.path.substr(std::string_view("parameters.").size());
    if (std::none_of(bases_.begin(), bases_.end(), [&](const Json& base) {
          return is_named_in(base, name);
        }))
      diagnostics.warn("unused-parameter",
                       fmt::format("'{}' is varied, and no formula of the system names it: it "
                                   "changes nothing",
                                   each.name));
  }
}

/// Digests of the files among the values to choose from, so that rows of a file that has changed
/// are not taken over.
std::string VariedSystem::digest_of_files(const RunTable& table) {
  const auto* path = std::get_if<std::filesystem::path>(&input_);
  const std::filesystem::path folder =
      path != nullptr ? path->parent_path() : std::get<const DocumentValue*>(input_)->folder;
  std::string out;
  for (const RunParameter& each : table.parameters)
    for (const Json& value : each.choices) {
      if (!value.is_text() || each.path.empty()) continue;
      const std::filesystem::path file = folder / value.text();
      std::error_code ignored;
      if (!std::filesystem::is_regular_file(file, ignored)) continue;
      out += value.text() + " " + file_digest(&cache_, file) + "\n";
    }
  return out;
}

SystemDocument VariedSystem::read(const Json& document,
                                  Diagnostics& diagnostics,
                                  Progress& progress) {
  return read_loaded_system(document, input_, options_, &cache_, diagnostics, progress);
}

double VariedSystem::nominal(const RunParameter& parameter) const {
  const Json& value = value_at(bases_.front(), parameter.name, parameter.path);
  if (value.is_number()) return value.number();
  throw UsageError(
      "vary",
      fmt::format("'{}' is {} in the system, not a number",
                  parameter.name,
                  value.is_text() ? "'" + value.text() + "'" : std::string(name_of(value.kind()))),
      {},
      value.is_text() ? "vary a parameter that the formula names" : "");
}

SystemDocument VariedSystem::at(const RunTable& table,
                                const std::vector<double>& samples,
                                Diagnostics& diagnostics,
                                Progress& progress) {
  std::size_t base = 0;
  for (std::size_t p = 0; p < samples.size(); ++p)
    if (table.parameters[p].path.empty()) base = static_cast<std::size_t>(samples[p]);
  Json document = bases_[base];
  for (std::size_t p = 0; p < samples.size(); ++p)
    if (!table.parameters[p].path.empty())
      apply_change(document, {table.parameters[p].path, table.parameters[p].value(samples[p])});
  return read(document, diagnostics, progress);
}

}  // namespace femflex::tools

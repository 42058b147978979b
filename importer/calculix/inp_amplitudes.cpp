// Interpolates amplitudes at the end of static steps. Measured against CalculiX 2.20: loads kept by
// a later step, steps of several durations, shifts, times outside the table.
#include "calculix/inp_amplitudes.h"

#include <algorithm>
#include <cmath>

#include "femflex/number.h"

namespace femflex::importer {

namespace {

/// A parameter in upper case, without blanks; empty if it is not given.
std::string parameter_in(const InpParameters& parameters, const char* name) {
  std::string out;
  for (const char c : parameters.word(name))
    if (c != ' ') out += c;
  return out;
}

}  // namespace

std::string InpAmplitudes::name_in(const InpParameters& parameters) {
  const std::string name = parameter_in(parameters, "AMPLITUDE");
  const std::string delay = parameter_in(parameters, "TIMEDELAY");
  return name.empty() || delay.empty() ? name : name + " with TIME DELAY";  // which is not read
}

void InpAmplitudes::begin(const std::string& keyword,
                          const InpParameters& parameters,
                          std::int64_t step) {
  open_ = Open::nothing;
  step_ = step;
  const auto text = [&](const char* name) { return parameter_in(parameters, name); };
  if (keyword == "STEP" && parameters.has("PERTURBATION")) perturbations_.insert(step);
  if (keyword == "AMPLITUDE") {
    open_ = Open::amplitude;
    name_ = text("NAME");
    Amplitude& amplitude = amplitudes_[name_] = {};
    amplitude.is_over_total_time = text("TIME") == "TOTALTIME";
    amplitude.time_shift = parse_real(text("SHIFTX")).value_or(0.0);
    amplitude.factor_shift = parse_real(text("SHIFTY")).value_or(0.0);
    const std::string law = text("DEFINITION"), value = text("VALUE");
    amplitude.is_table = (law.empty() || law == "TABULAR") &&
                         (value.empty() || value == "RELATIVE") && !parameters.has("USER") &&
                         !parameters.has("SMOOTH");
  } else if (keyword == "STATIC" && !parameters.has("RIKS")) {
    open_ = Open::duration;
    durations_[step] = 1.0;
    static_steps_.insert(step);
  } else if (keyword == "FREQUENCY") {
    durations_[step] = 0.0;
  }
}

void InpAmplitudes::data(const std::vector<std::string_view>& fields) {
  if (open_ == Open::amplitude) {
    Amplitude& amplitude = amplitudes_[name_];
    for (const std::string_view field : fields) {
      const auto value = parse_real(field);
      amplitude.is_table = amplitude.is_table && value && std::isfinite(*value);
      amplitude.numbers.push_back(value.value_or(0.0));
    }
  } else if (open_ == Open::duration) {
    open_ = Open::nothing;
    const auto value = fields.size() > 1 ? parse_real(fields[1]) : std::nullopt;
    if (value && *value > 0.0) durations_[step_] = *value;
  }
}

bool InpAmplitudes::is_over_total_time(const std::string& name) const {
  const auto found = amplitudes_.find(name);
  return found != amplitudes_.end() && found->second.is_over_total_time;
}

/// The end of a static step, from its beginning or from that of the first step.
std::optional<double> InpAmplitudes::end_of(std::int64_t step, bool is_total) const {
  if (!static_steps_.contains(step)) return std::nullopt;
  double time = 0.0;
  for (std::int64_t k = is_total ? 1 : step; k <= step; ++k) {
    const auto found = durations_.find(k);
    if (found == durations_.end()) return std::nullopt;
    time += found->second;
  }
  return time;
}

std::optional<double> InpAmplitudes::at_end(const std::string& name, std::int64_t step) const {
  if (name.empty()) return 1.0;
  const auto found = amplitudes_.find(name);
  const bool is_kept = static_steps_.size() > 1 || perturbations_.contains(step);
  if (found == amplitudes_.end() || (is_abaqus_ && is_kept)) return std::nullopt;
  const Amplitude& amplitude = found->second;
  const std::vector<double>& pairs = amplitude.numbers;
  const std::optional<double> end = end_of(step, amplitude.is_over_total_time);
  if (!amplitude.is_table || pairs.size() < 2 || pairs.size() % 2 != 0 || !end) return std::nullopt;
  const double time = *end - amplitude.time_shift;
  std::size_t k = 0;  // the last pair not after the time
  while (k + 2 < pairs.size() && pairs[k + 2] <= time)
    k += 2;
  double factor = pairs[k + 1];
  if (k + 2 < pairs.size() && time > pairs[k])
    factor += (pairs[k + 3] - pairs[k + 1]) * (time - pairs[k]) / (pairs[k + 2] - pairs[k]);
  return factor + amplitude.factor_shift;
}

double InpAmplitudes::factor(const std::string& name, std::int64_t step) {
  const std::optional<double> known = at_end(name, step);
  if (!known && !unknown_) unknown_ = {name, step};
  return known.value_or(1.0);
}

double InpAmplitudes::factor_to(const std::string& name,
                                std::int64_t step,
                                std::int64_t last_step) {
  if (step == last_step || !is_over_total_time(name)) return factor(name, step);
  if (!unknown_) unknown_ = {name, last_step};
  return 1.0;
}

}  // namespace femflex::importer

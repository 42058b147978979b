// Amplitudes of loads over time (*AMPLITUDE) and the times of steps, by which the loads at the end
// of static steps are known.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "calculix/inp_keyword.h"

namespace femflex::importer {

/// Reads these keyword lines; what their data lines hold is on the right:
///
///   *AMPLITUDE, NAME=, TIME=TOTAL TIME, SHIFTX=, SHIFTY=      pairs of time and factor
///   *STATIC                                                   first increment, duration (1)
///
/// Between the pairs the factor is interpolated, outside it is that of the first or last pair.
/// Loads of a later step keep the factor that they had at the end of their own step, except along
/// total time, which goes on; *FREQUENCY takes no time. So in CalculiX; of Abaqus, which scales
/// kept loads otherwise, the loads of a single general step are known.
class InpAmplitudes {
 public:
  /// The amplitude that a keyword line names; empty: none.
  static std::string name_in(const InpParameters& parameters);
  /// Takes a keyword line in step `step` (0: before the first) with its parameters, names in upper
  /// case.
  void begin(const std::string& keyword, const InpParameters& parameters, std::int64_t step);
  /// Takes a data line below the keyword line.
  void data(const std::vector<std::string_view>& fields);
  /// To be called once all lines are read.
  /// @param is_abaqus  the deck is one of Abaqus
  void finish(bool is_abaqus) { is_abaqus_ = is_abaqus; }

  /// Factor of a load at the end of a step: 1 without an amplitude, or if it is not known, which is
  /// noted.
  double factor(const std::string& name, std::int64_t step);
  /// As factor(), of a load that is made once, for its own step and all those up to `last_step`.
  double factor_to(const std::string& name, std::int64_t step, std::int64_t last_step);
  bool is_static(std::int64_t step) const { return static_steps_.contains(step); }
  /// Factor at the end of step `step` of what a line of step `own` gives; empty: not known.
  std::optional<double> known_factor(const std::string& name,
                                     std::int64_t own,
                                     std::int64_t step) const {
    return at_end(name, is_over_total_time(name) ? step : own);
  }
  /// True if the amplitude goes on over the steps.
  bool is_over_total_time(const std::string& name) const;
  /// Name and step of the first factor that was not known.
  const std::optional<std::pair<std::string, std::int64_t>>& unknown() const { return unknown_; }

 private:
  enum class Open : std::uint8_t { nothing, amplitude, duration };
  struct Amplitude {
    std::vector<double> numbers;  ///< times and factors by turns
    bool is_over_total_time = false;
    bool is_table = true;  ///< no other law, and each number is one
    double time_shift = 0.0, factor_shift = 0.0;
  };
  std::optional<double> end_of(std::int64_t step, bool is_total) const;
  std::optional<double> at_end(const std::string& name, std::int64_t step) const;

  std::map<std::string, Amplitude> amplitudes_;
  std::map<std::int64_t, double> durations_;  // of static steps, 0 of *FREQUENCY
  std::set<std::int64_t> static_steps_, perturbations_;
  std::optional<std::pair<std::string, std::int64_t>> unknown_;
  std::string name_;
  Open open_ = Open::nothing;
  std::int64_t step_ = 0;
  bool is_abaqus_ = false;
};

}  // namespace femflex::importer

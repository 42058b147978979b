// Measures: numbers that characterise a run, computed from the history of one channel or from the
// modes of the system. run_many() and gradient_of() use them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/mbd_solver/linearise.h"

namespace femflex::tools {

/// One number of a run.
struct RunMeasure {
  enum class Kind : std::uint8_t {
    max,
    min,
    absmax,  ///< largest magnitude
    range,   ///< maximum minus minimum
    mean,    ///< over time
    rms,     ///< over time
    std,     ///< standard deviation over time
    first,
    final,
    percentile,    ///< value not exceeded by `number` per cent of the rows
    psd,           ///< largest power spectral density (Welch)
    frequency,     ///< frequency of the largest density [Hz]
    rainflow,      ///< (sum n range^number)^(1/number): the range of one cycle with the same damage
    mode_hz,       ///< frequency of mode `number` of the last modal analysis [Hz]
    mode_damping,  ///< damping ratio of mode `number`
  };
  std::string name;  ///< the text before '='; without '=', the whole text
  std::string text;  ///< without the name: "max:chassis/301/position/z@0-50Hz"
  Kind kind = Kind::max;
  double number = 0.0;
  std::string channel;  ///< empty for modes
  double low_hz = 0.0;
  std::optional<double> high_hz;  ///< end of the frequency band; absent: no band
  std::optional<double> from;     ///< [s] start of the time window
  std::optional<double> until;    ///< [s] end of the time window

  bool is_of_modes() const { return kind == Kind::mode_hz || kind == Kind::mode_damping; }
};

/// Reads "max:CHANNEL", "comfort=rms:CHANNEL@1-80Hz", "p95:CHANNEL@0.5-3s", "rainflow5:CHANNEL",
/// "mode-hz:1".
/// @throws UsageError
RunMeasure parse_measure(const std::string& text);

/// The unit of a measure of a channel with unit `unit`.
std::string unit_of(const RunMeasure& measure, const std::string& unit);

/// The measure of a channel with values `y` at the times `t`.
/// @throws UsageError  no run can give the measure, because its rows are unevenly spaced or too few
/// @throws ModelError  this run has no row in the time window
double measure_of(const RunMeasure& measure,
                  const std::vector<double>& t,
                  const std::vector<double>& y);
/// The derivative of a measure if the values move by `tangent` per unit of a parameter, without
/// round-off of differences; nothing for measures without a closed derivative (frequency,
/// rainflow). Where several rows are equally extreme, that of one of them.
/// @param tangent  one number per row, all finite
std::optional<double> measure_slope(const RunMeasure& measure,
                                    const std::vector<double>& t,
                                    const std::vector<double>& y,
                                    const std::vector<double>& tangent);
/// A measure of the modes of a system.
/// @throws UsageError  there are no modes
/// @throws ModelError  this run has fewer modes
double measure_of(const RunMeasure& measure, const std::vector<mbd_solver::SystemMode>& modes);

/// Frequencies [Hz] and one-sided power spectral density of evenly spaced samples, averaged over
/// Hann windows that overlap by half. Each window has at least a quarter of the rows, and its mean
/// is subtracted [Welch 1967].
struct Spectrum {
  std::vector<double> frequency, density;
};
Spectrum welch(const std::vector<double>& y, double step);

}  // namespace femflex::tools

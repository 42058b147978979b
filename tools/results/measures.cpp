// Parses measures and computes them: statistics over time, spectra, cycles. low_pass() first
// filters a history to the band of the measure.
#include "results/measures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <unsupported/Eigen/FFT>

#include "femflex/durability/rainflow.h"
#include "femflex/errors.h"
#include "femflex/number.h"

#include "document/nearest_name.h"
#include "results/compare_results.h"
#include "results/quantiles.h"

namespace femflex::tools {
namespace {

using MeasureKind = RunMeasure::Kind;

constexpr double kUsualSlope = 5.0;  // slope of the S-N curve (stress against number of cycles) of
                                     // welded details at many cycles

const std::vector<std::pair<std::string, MeasureKind>>& plain_names() {
  static const std::vector<std::pair<std::string, MeasureKind>> names = {
      {"max", MeasureKind::max},
      {"min", MeasureKind::min},
      {"absmax", MeasureKind::absmax},
      {"range", MeasureKind::range},
      {"mean", MeasureKind::mean},
      {"rms", MeasureKind::rms},
      {"std", MeasureKind::std},
      {"first", MeasureKind::first},
      {"final", MeasureKind::final},
      {"psd", MeasureKind::psd},
      {"frequency", MeasureKind::frequency},
      {"rainflow", MeasureKind::rainflow},
      {"mode-hz", MeasureKind::mode_hz},
      {"mode-damping", MeasureKind::mode_damping}};
  return names;
}

[[noreturn]] void refuse_measure(const std::string& text,
                                 const std::string& why,
                                 const std::string& fix) {
  throw UsageError("measure", fmt::format("--measure {}: {}", text, why), {}, fix);
}

/// The number after `word` in `name`, as in p95 and rainflow5.
std::optional<double> number_behind(std::string_view name, std::string_view word) {
  if (!name.starts_with(word)) return std::nullopt;
  return parse_real(name.substr(word.size()));
}

void read_kind(const std::string& name, const std::string& text, RunMeasure& out) {
  std::vector<std::string> names;
  for (const auto& [each, kind] : plain_names()) {
    names.push_back(each);
    if (each != name) continue;
    out.kind = kind;
    if (kind == MeasureKind::rainflow) out.number = kUsualSlope;
    return;
  }
  if (const auto percent = number_behind(name, "p"); percent) {
    if (!(*percent >= 0.0 && *percent <= 100.0))
      refuse_measure(text, "a percentile is 0 to 100", "");
    out.kind = MeasureKind::percentile;
    out.number = *percent;
    return;
  }
  if (const auto slope = number_behind(name, "rainflow"); slope) {
    if (!(*slope >= 1.0 && *slope <= 30.0))
      refuse_measure(text, "the slope of a curve is 1 to 30", "3 and 5 are usual");
    out.kind = MeasureKind::rainflow;
    out.number = *slope;
    return;
  }
  names.insert(names.end(), {"p95", "rainflow3"});
  refuse_measure(text, fmt::format("'{}' is not a measure", name), suggestion(name, names));
}

/// Reads "0.5-80Hz" or "1-3s" after '@'. "-80Hz" begins at 0, "1-s" has no end.
void read_limits(std::string_view limits, const std::string& text, RunMeasure& out) {
  const bool is_time = limits.ends_with('s');
  const bool is_band = limits.ends_with("Hz");
  const std::size_t dash =
      limits.find('-', 1) == std::string_view::npos ? limits.find('-') : limits.find('-', 1);
  const char* fix = "write @0.5-80Hz or @1-3s";
  if ((!is_time && !is_band) || dash == std::string_view::npos)
    refuse_measure(text, fmt::format("'@{}' is neither a band nor a time", limits), fix);
  const std::string_view first = limits.substr(0, dash);
  const std::string_view second =
      limits.substr(dash + 1, limits.size() - dash - 1 - (is_time ? 1 : 2));
  const auto low = first.empty() ? std::optional<double>(0.0) : parse_real(first);
  const auto high = parse_real(second);
  if (!low || *low < 0.0 || (!high && !(second.empty() && is_time)))
    refuse_measure(text, fmt::format("'@{}' has no two numbers", limits), fix);
  if (high && !(*low < *high)) refuse_measure(text, fmt::format("'@{}' has no width", limits), fix);
  if (is_band) {
    out.low_hz = *low;
    out.high_hz = high;
  } else {
    out.from = low;
    out.until = high;
  }
}

double step_of(const RunMeasure& measure, const std::vector<double>& t) {
  constexpr std::size_t kFewestRows = 16;  // with fewer rows, a filter or spectrum is meaningless
  constexpr double kUnevenness = 1e-6;     // relative deviation of a step; a larger one is not
                                           // round-off of times
  if (t.size() < kFewestRows)
    refuse_measure(measure.text,
                   fmt::format("{} rows; frequencies need {} or more", t.size(), kFewestRows),
                   "set a shorter \"output_step\" in the system");
  const double step = (t.back() - t.front()) / static_cast<double>(t.size() - 1);
  for (std::size_t r = 1; r < t.size(); ++r)
    if (!(std::abs(t[r] - t[r - 1] - step) <= kUnevenness * step))
      refuse_measure(measure.text,
                     "the rows are not equally spaced in time, which frequencies need",
                     "set \"output_step\" in the system");
  return step;
}

/// Keeps only the rows in the time window of a measure.
void cut_to_window(const RunMeasure& measure, std::vector<double>& t, std::vector<double>& y) {
  if (!measure.from && !measure.until) return;
  // a row at the end of the window is included despite round-off
  const double slack = 1e-9 * (t.back() - t.front());
  std::size_t kept = 0;
  for (std::size_t r = 0; r < t.size(); ++r) {
    if (measure.from && t[r] < *measure.from - slack) continue;
    if (measure.until && t[r] > *measure.until + slack) continue;
    t[kept] = t[r];
    y[kept++] = y[r];
  }
  if (kept == 0)  // the parameters of this run may have shortened it
    throw ModelError("measure", fmt::format("--measure {}: no row is in this time", measure.text));
  t.resize(kept);
  y.resize(kept);
}

/// Filters the history to the band of the measure.
void filter_band(const RunMeasure& measure, const std::vector<double>& t, std::vector<double>& y) {
  const double step = step_of(measure, t);
  const double highest = 0.5 / step;
  if (!(*measure.high_hz < highest))
    refuse_measure(
        measure.text,
        fmt::format("the band ends at {} Hz, and rows every {} s show frequencies below {} Hz",
                    *measure.high_hz,
                    step,
                    highest),
        "set a shorter \"output_step\" in the system");
  ResultSeries series;
  series.time = Eigen::Map<const Eigen::VectorXd>(t.data(), static_cast<Eigen::Index>(t.size()));
  series.channels.resize(1);
  series.values = Eigen::Map<const Eigen::VectorXd>(y.data(), static_cast<Eigen::Index>(y.size()));
  low_pass(series, *measure.high_hz);
  if (measure.low_hz > 0.0) {
    ResultSeries below = series;
    low_pass(below, measure.low_hz);
    series.values -= below.values;
  }
  for (std::size_t r = 0; r < y.size(); ++r)
    y[r] = series.values(static_cast<Eigen::Index>(r), 0);
}

/// Mean of f(y) over time by the trapezoidal rule; for a single row, f of its value.
template <class Function>
double time_mean(const std::vector<double>& t, const std::vector<double>& y, Function f) {
  const double span = t.back() - t.front();
  if (!(span > 0.0)) return f(y.back());
  double sum = 0.0;
  for (std::size_t r = 1; r < t.size(); ++r)
    sum += 0.5 * (t[r] - t[r - 1]) * (f(y[r]) + f(y[r - 1]));
  return sum / span;
}

double percentile(std::vector<double> y, double percent) {
  std::sort(y.begin(), y.end());
  return quantile(y, percent / 100.0);
}

double damage_equivalent_range(const std::vector<double>& y, double slope) {
  const auto cycles = durability::rainflow(y, durability::Residue::half_cycles);
  double largest = 0.0;
  for (const durability::Cycle& cycle : cycles)
    largest = std::max(largest, cycle.range);
  if (!(largest > 0.0)) return 0.0;
  double sum = 0.0;  // of ranges divided by the largest one, so that the sum cannot overflow
  for (const durability::Cycle& cycle : cycles)
    sum += cycle.count * std::pow(cycle.range / largest, slope);
  return largest * std::pow(sum, 1.0 / slope);
}

/// Index of the largest density in the band of the measure.
std::size_t spectral_peak(const RunMeasure& measure, const Spectrum& spectrum) {
  std::size_t best = spectrum.frequency.size();
  for (std::size_t k = 0; k < spectrum.frequency.size(); ++k) {
    const double hz = spectrum.frequency[k];
    if (measure.high_hz && (hz < measure.low_hz || hz > *measure.high_hz)) continue;
    if (best == spectrum.frequency.size() || spectrum.density[k] > spectrum.density[best]) best = k;
  }
  if (best == spectrum.frequency.size())
    refuse_measure(measure.text,
                   fmt::format("no line of the spectrum is in this band; they are {} Hz apart",
                               spectrum.frequency.size() > 1 ? spectrum.frequency[1] : 0.0),
                   "widen the band, or simulate longer");
  return best;
}

/// Index of the row for which `is_less` holds against no other.
template <class Less>
std::size_t extreme_row(const std::vector<double>& y, Less is_less) {
  return static_cast<std::size_t>(std::max_element(y.begin(), y.end(), is_less) - y.begin());
}

/// A history as a measure takes it: filtered to its band, cut to its window.
struct MeasuredRows {
  MeasuredRows(const RunMeasure& measure,
               const std::vector<double>& times,
               const std::vector<double>& values)
      : t(times), y(values) {
    if (times.empty()) refuse_measure(measure.text, "the run has no rows", "");
    const bool is_spectral =
        measure.kind == MeasureKind::psd || measure.kind == MeasureKind::frequency;
    // filtered before it is cut, so that the filter's transient is outside the window
    if (measure.high_hz && !is_spectral) filter_band(measure, t, y);
    cut_to_window(measure, t, y);
  }
  std::vector<double> t, y;
};

/// Time mean of the product of two histories.
double mean_product(const std::vector<double>& t,
                    const std::vector<double>& a,
                    const std::vector<double>& b) {
  std::vector<double> product(a);
  for (std::size_t r = 0; r < a.size(); ++r)
    product[r] *= b[r];
  return time_mean(t, product, [](double v) { return v; });
}

/// The density is quadratic in the values: P(y + c d) - P(y - c d) = 4 c B(y, d) for any c, and the
/// derivative is 2 B. With c d as large as y, no digits cancel.
double density_slope(const RunMeasure& measure,
                     const MeasuredRows& rows,
                     const std::vector<double>& tangent) {
  const double step = step_of(measure, rows.t);
  const std::size_t peak = spectral_peak(measure, welch(rows.y, step));
  const auto largest = [](const std::vector<double>& v) {
    return std::abs(
        v[extreme_row(v, [](double a, double b) { return std::abs(a) < std::abs(b); })]);
  };
  const double size = largest(tangent);
  if (!(size > 0.0)) return 0.0;
  const double c = std::max(largest(rows.y), std::numeric_limits<double>::min()) / size;
  const auto density = [&](double amount) {
    std::vector<double> moved(rows.y);
    for (std::size_t r = 0; r < moved.size(); ++r)
      moved[r] += amount * tangent[r];
    return welch(moved, step).density[peak];
  };
  return (density(c) - density(-c)) / (2.0 * c);
}

double percentile_slope(const MeasuredRows& rows, const std::vector<double>& d, double percent) {
  const std::vector<std::size_t> order = ascending_order(rows.y);
  std::vector<double> sorted(d.size());
  for (std::size_t r = 0; r < d.size(); ++r)
    sorted[r] = d[order[r]];
  return quantile(sorted, percent / 100.0);
}

}  // namespace

RunMeasure parse_measure(const std::string& text) {
  RunMeasure out;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos)
    refuse_measure(text, "no ':' between measure and channel", "write max:chassis/301/position/z");
  const std::size_t equals = text.substr(0, colon).find('=');
  out.text = equals == std::string::npos ? text : text.substr(equals + 1);
  out.name = equals == std::string::npos ? text : text.substr(0, equals);
  if (out.name.empty()) refuse_measure(text, "no name before '='", "");
  const std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
  read_kind(text.substr(begin, colon - begin), text, out);
  std::string rest = text.substr(colon + 1);
  if (out.is_of_modes()) {
    const auto number = parse_integer(rest);
    if (!number || *number < 1)
      refuse_measure(
          text, fmt::format("'{}' is not the number of a mode", rest), "modes count from 1");
    out.number = static_cast<double>(*number);
    return out;
  }
  for (std::size_t at = rest.rfind('@'); at != std::string::npos; at = rest.rfind('@')) {
    read_limits(std::string_view(rest).substr(at + 1), text, out);
    rest.resize(at);
  }
  if (rest.empty())
    refuse_measure(text, "no channel after ':'", "write max:chassis/301/position/z");
  out.channel = rest;
  return out;
}

std::string unit_of(const RunMeasure& measure, const std::string& unit) {
  if (measure.kind == MeasureKind::mode_hz || measure.kind == MeasureKind::frequency) return "Hz";
  if (measure.kind == MeasureKind::mode_damping) return "";
  if (measure.kind == MeasureKind::psd)
    return unit.empty() ? "1/Hz" : fmt::format("({})^2/Hz", unit);
  return unit;
}

double measure_of(const RunMeasure& measure,
                  const std::vector<double>& times,
                  const std::vector<double>& values) {
  auto [t, y] = MeasuredRows(measure, times, values);
  const auto value = [](double v) { return v; };
  switch (measure.kind) {
    case MeasureKind::max:
      return *std::max_element(y.begin(), y.end());
    case MeasureKind::min:
      return *std::min_element(y.begin(), y.end());
    case MeasureKind::absmax:
      return std::abs(*std::max_element(
          y.begin(), y.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    case MeasureKind::range: {
      const auto [low, high] = std::minmax_element(y.begin(), y.end());
      return *high - *low;
    }
    case MeasureKind::mean:
      return time_mean(t, y, value);
    case MeasureKind::rms:
      return std::sqrt(time_mean(t, y, [](double v) { return v * v; }));
    case MeasureKind::std: {
      const double mean = time_mean(t, y, value);
      return std::sqrt(time_mean(t, y, [mean](double v) { return (v - mean) * (v - mean); }));
    }
    case MeasureKind::first:
      return y.front();
    case MeasureKind::final:
      return y.back();
    case MeasureKind::percentile:
      return percentile(std::move(y), measure.number);
    case MeasureKind::psd:
    case MeasureKind::frequency: {
      const Spectrum spectrum = welch(y, step_of(measure, t));
      const std::size_t peak = spectral_peak(measure, spectrum);
      return measure.kind == MeasureKind::psd ? spectrum.density[peak] : spectrum.frequency[peak];
    }
    case MeasureKind::rainflow:
      return damage_equivalent_range(y, measure.number);
    case MeasureKind::mode_hz:
    case MeasureKind::mode_damping:
      break;
  }
  return std::nan("");
}

std::optional<double> measure_slope(const RunMeasure& measure,
                                    const std::vector<double>& times,
                                    const std::vector<double>& values,
                                    const std::vector<double>& tangent) {
  const MeasuredRows rows(measure, times, values);
  const std::vector<double> d = MeasuredRows(measure, times, tangent).y;
  const std::vector<double>& y = rows.y;
  const auto value = [](double v) { return v; };
  const auto over = [](double product, double size) { return size > 0.0 ? product / size : 0.0; };
  switch (measure.kind) {
    case MeasureKind::max:
      return d[extreme_row(y, std::less<>())];
    case MeasureKind::min:
      return d[extreme_row(y, std::greater<>())];
    case MeasureKind::absmax: {
      const std::size_t row =
          extreme_row(y, [](double a, double b) { return std::abs(a) < std::abs(b); });
      return y[row] < 0.0 ? -d[row] : d[row];
    }
    case MeasureKind::range:
      return d[extreme_row(y, std::less<>())] - d[extreme_row(y, std::greater<>())];
    case MeasureKind::mean:
      return time_mean(rows.t, d, value);
    case MeasureKind::rms:
      return over(mean_product(rows.t, y, d), std::sqrt(mean_product(rows.t, y, y)));
    case MeasureKind::std: {
      std::vector<double> deviation(y);
      const double mean = time_mean(rows.t, y, value);
      for (double& each : deviation)
        each -= mean;
      return over(mean_product(rows.t, deviation, d),
                  std::sqrt(mean_product(rows.t, deviation, deviation)));
    }
    case MeasureKind::first:
      return d.front();
    case MeasureKind::final:
      return d.back();
    case MeasureKind::percentile:
      return percentile_slope(rows, d, measure.number);
    case MeasureKind::psd:
      return density_slope(measure, rows, d);
    default:
      return std::nullopt;
  }
}

double measure_of(const RunMeasure& measure, const std::vector<mbd_solver::SystemMode>& modes) {
  const auto number = static_cast<std::size_t>(measure.number);
  if (modes.empty())
    refuse_measure(measure.text,
                   "the system has no modal analysis",
                   "add { \"type\": \"modal\" } to \"analyses\"");
  if (number > modes.size())  // the number of modes depends on the parameters
    throw ModelError(
        "measure",
        fmt::format("--measure {}: the modal analysis lists {} modes", measure.text, modes.size()));
  const mbd_solver::SystemMode& mode = modes[number - 1];
  return measure.kind == MeasureKind::mode_hz ? mode.frequency_hz : mode.damping_ratio;
}

Spectrum welch(const std::vector<double>& y, double step) {
  // the smallest power of two above 3/8 of the rows, but not more than all rows
  std::size_t size = 8;
  while (8 * size <= 3 * y.size())
    size *= 2;
  size = std::min(size, y.size() / 2 * 2);
  std::vector<double> window(size);
  double power = 0.0;
  for (std::size_t k = 0; k < size; ++k) {
    window[k] = 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(k) /
                                     static_cast<double>(size));
    power += window[k] * window[k];
  }
  Spectrum out;
  out.density.assign(size / 2 + 1, 0.0);
  Eigen::FFT<double> transform;
  std::vector<double> piece(size);
  std::vector<std::complex<double>> lines;
  int pieces = 0;
  for (std::size_t start = 0; start + size <= y.size(); start += size / 2, ++pieces) {
    double mean = 0.0;
    for (std::size_t k = 0; k < size; ++k)
      mean += y[start + k] / static_cast<double>(size);
    for (std::size_t k = 0; k < size; ++k)
      piece[k] = window[k] * (y[start + k] - mean);
    transform.fwd(lines, piece);
    for (std::size_t k = 0; k < out.density.size(); ++k)
      out.density[k] += std::norm(lines[k]);
  }
  for (std::size_t k = 0; k < out.density.size(); ++k) {
    const double sides = k == 0 || 2 * k == size ? 1.0 : 2.0;  // positive and negative frequencies
    out.density[k] *= sides * step / (power * pieces);
    out.frequency.push_back(static_cast<double>(k) / (static_cast<double>(size) * step));
  }
  return out;
}

}  // namespace femflex::tools

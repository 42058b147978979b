// Chooses the frequencies at which a response is evaluated, in geometric steps, at resonances and
// at even steps. Refines a peak by halving intervals.
#include "methods/response_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace femflex::modal {

ResponseEnvelope::ResponseEnvelope(std::vector<Point> points) : points_(std::move(points)) {
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
    return a.frequency < b.frequency;
  });
}

double ResponseEnvelope::at(double frequency, double own) const {
  const double half_band = std::exp2(1.0 / 6.0);  // half of a third octave
  auto point = std::lower_bound(
      points_.begin(), points_.end(), frequency / half_band, [](const Point& each, double f) {
        return each.frequency < f;
      });
  double largest = own;
  for (; point != points_.end() && point->frequency <= frequency * half_band; ++point)
    largest = std::max(largest, point->size);
  return largest;
}

std::vector<double> response_frequencies(const ResponseSearch& search) {
  // start of the search as a share of the width of the band, unless half the first resonance is
  // lower
  constexpr double kFirstShare = 0.01;
  constexpr double kSparseRatio = 1.5;  // ratio of frequencies beyond all resonances
  const FrequencyBand& band = search.band;
  std::vector<double> hz;
  for (const double resonance : search.resonances)
    if (resonance > band.from_hz && resonance < band.to_hz) hz.push_back(resonance);
  double f = kFirstShare * (band.to_hz - band.from_hz);
  if (!hz.empty()) f = std::min(f, 0.5 * *std::min_element(hz.begin(), hz.end()));
  f = std::max(band.from_hz, f);
  while (f < band.to_hz) {
    hz.push_back(f);
    f *= f < 2.0 * search.last_resonance ? 1.0 + search.relative_step : kSparseRatio;
  }
  for (int k = 1; k < search.even_steps; ++k)
    hz.push_back(band.from_hz + (band.to_hz - band.from_hz) * k / search.even_steps);
  if (band.from_hz > 0.0) hz.push_back(band.from_hz);
  std::sort(hz.begin(), hz.end());
  std::vector<double> separated;
  for (const double each : hz)
    if ((separated.empty() || each > separated.back() * (1.0 + search.nearest)) &&
        each * (1.0 + search.nearest) < band.to_hz)
      separated.push_back(each);
  separated.push_back(band.to_hz);
  return separated;
}

Peak refine_peak(const std::function<double(double)>& f, double low, double middle, double high) {
  // each round halves the gaps, so the error falls with their square
  constexpr int kRefinements = 5;
  Peak best{f(middle), middle};
  for (int round = 0; round < kRefinements; ++round) {
    const double left = 0.5 * (low + middle);
    const double right = 0.5 * (middle + high);
    const double at_left = f(left);
    const double at_right = f(right);
    if (at_left > best.value && at_left >= at_right) {
      high = std::exchange(middle, left);
    } else if (at_right > best.value) {
      low = std::exchange(middle, right);
    } else {
      low = left;
      high = right;
    }
    best = {std::max({best.value, at_left, at_right}), middle};
  }
  return best;
}

}  // namespace femflex::modal

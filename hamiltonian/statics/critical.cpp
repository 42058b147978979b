// Locates points on a smooth stretch of a path: singular tangents and springs at their limit.
#include <algorithm>
#include <cmath>

#include "statics/path.h"

namespace femflex::hamiltonian {
namespace {

// maximum number of iterations; bisection and regula falsi need fewer than sixty
constexpr int kMostHalvings = 100;
// accuracy of a point, relative to the arc or the load; a few roundings of an equilibrium
constexpr double kPlaceOnArc = 1e-11;
// zero for an eigenvalue, relative to that at the start of the search
constexpr double kZeroOfFirst = 1e-13;
// critical points closer than this, relative to the load, count as one
constexpr double kApart = 1e-9;
// share of the arc used as scale if the load is near zero
constexpr double kLeastScale = 1e-3;
constexpr int kMostWidenings = 20;

/// Finds where a function of the arc changes sign, by regula falsi that halves the weight of an end
/// that stays (Illinois), and by bisection if that does not halve the bracket.
/// @param value  function of the arc, positive before the change and negative after it
/// @param is_done  takes the bracket and the last value; returns whether the search may end
template <typename Value, typename Done>
void close_in(double& low,
              double& high,
              double value_low,
              double value_high,
              const Value& value,
              const Done& is_done) {
  int stayed = 0;
  double reference = high - low;
  for (int i = 0; i < kMostHalvings; ++i) {
    const double width = high - low;
    double at = low + 0.5 * width;
    if (i % 3 != 2 || width < 0.5 * reference) {
      const double part = value_low / (value_low - value_high);
      if (part > 0.0 && part < 1.0) at = low + part * width;
    }
    if (i % 3 == 2) reference = width;
    if (!(at > low && at < high)) return;
    const double here = value(at);
    if (here > 0.0) {
      low = at;
      value_low = here;
      if (stayed < 0) value_high *= 0.5;
      stayed = -1;
    } else {
      high = at;
      value_high = here;
      if (stayed > 0) value_low *= 0.5;
      stayed = 1;
    }
    if (is_done(low, high, here)) return;
  }
}

}  // namespace

void Path::find_break(const Place& from, Stretch& stretch) {
  const double before = balance_.margin(from.q);
  const double after = balance_.margin(stretch.to.q);
  if (!(after < 0.0)) return;
  stretch.breaks = true;
  if (!(before > 0.0)) return;
  double low = 0.0;
  double high = stretch.arc;
  close_in(
      low,
      high,
      before,
      after,
      [&](double arc) {
        const Place place = advance(from, arc);
        if (!place.good) return -before;
        return balance_.margin(place.q);
      },
      [&](double least, double most, double) { return most - least <= kPlaceOnArc * stretch.arc; });
  const Place place = advance(from, high);
  if (!place.good) return;
  stretch.to = place;
  stretch.arc = high;
}

CriticalPlace Path::first_critical(
    const Place& from, double low, double high, int before, double& past) {
  CriticalPlace found;
  found.before = before;
  double smallest = HUGE_VAL;
  double at = high;
  const auto value = [&](double arc) {
    const Place place = advance(from, arc);
    // a point that is not found counts as being after the change, so the search continues before it
    const double size = place.good ? nearest_to_zero(place) : smallest;
    if (place.good && size < smallest) {
      smallest = size;
      at = arc;
      found.place = place;
    }
    return place.good && place.negative == before ? std::max(size, kTinySize) : -size;
  };
  const double begin = value(low);
  const double end = value(high);
  const double first = std::max(std::abs(begin), std::abs(end));
  const double width = high - low;
  double least = low;
  double most = high;
  const auto scale = [&] {
    return std::max(psi_ * std::abs(found.place.lambda), kLeastScale * width);
  };
  close_in(least, most, begin, end, value, [&](double l, double h, double here) {
    return h - l <= kPlaceOnArc * scale() || std::abs(here) <= kZeroOfFirst * first;
  });
  // points closer together than this count as one
  Place ahead;
  Place behind;
  double gap = kApart * scale();
  for (int i = 0; i < kMostWidenings && gap < width; ++i) {
    behind = advance(from, std::min(high, std::max(at, most) + gap));
    if (behind.good && behind.negative != before) break;
    gap *= 10.0;
  }
  past = std::min(high, std::max(at, most) + gap);
  ahead = advance(from, std::max(low, std::min(at, least) - gap));
  found.after = behind.good ? behind.negative : before;
  // the load turns back at a limit point, and goes on through a bifurcation
  found.is_limit_point = ahead.good && behind.good && ahead.lambda_dir * behind.lambda_dir < 0.0;
  return found;
}

void Path::find_critical(const Place& from, Stretch& stretch) {
  double low = 0.0;
  int before = from.negative;
  while (before != stretch.to.negative && low < stretch.arc) {
    double past = stretch.arc;
    const CriticalPlace found = first_critical(from, low, stretch.arc, before, past);
    if (!found.place.good || found.after == before) return;
    stretch.critical.push_back(found);
    before = found.after;
    low = past;
  }
}

}  // namespace femflex::hamiltonian

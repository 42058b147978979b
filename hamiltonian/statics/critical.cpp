// Locates points on a smooth arc of an equilibrium path: critical points, where the tangent is
// singular, and points at which a spring reaches its limit.
#include <algorithm>
#include <cmath>

#include "statics/path.h"

namespace femflex::hamiltonian {
namespace {

// maximum number of iterations; bisection and regula falsi need fewer than sixty
constexpr int kMaxBisections = 100;
// accuracy of a point, relative to the arc or the load; a few roundings of an equilibrium
constexpr double kArcTolerance = 1e-11;
// an eigenvalue below this counts as zero, relative to the one at the start of the search
constexpr double kZeroEigenvalueShare = 1e-13;
// critical points closer than this, relative to the load, count as one
constexpr double kMinSeparation = 1e-9;
// share of the arc used as scale if the load is near zero
constexpr double kMinScale = 1e-3;
constexpr int kMaxWidenings = 20;

/// Finds where a function of the arc changes sign, by regula falsi that halves the function value
/// at an end that stays (Illinois), and by bisection whenever regula falsi is too slow.
/// @param value  function of the arc, positive before the change and negative after it
/// @param is_done  takes the bracket and the last value; returns whether the search may end
template <typename Value, typename Done>
void find_sign_change(double& low,
                      double& high,
                      double value_low,
                      double value_high,
                      const Value& value,
                      const Done& is_done) {
  int stayed = 0;
  double reference = high - low;
  for (int i = 0; i < kMaxBisections; ++i) {
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

void Path::locate_break(const PathPoint& from, SmoothArc& smooth) {
  const double before = balance_.margin(from.q);
  const double after = balance_.margin(smooth.to.q);
  if (!(after < 0.0)) return;
  smooth.breaks = true;
  if (!(before > 0.0)) return;
  double low = 0.0;
  double high = smooth.arc;
  find_sign_change(
      low,
      high,
      before,
      after,
      [&](double arc) {
        const PathPoint point = advance(from, arc);
        if (!point.good) return -before;
        return balance_.margin(point.q);
      },
      [&](double least, double most, double) {
        return most - least <= kArcTolerance * smooth.arc;
      });
  const PathPoint point = advance(from, high);
  if (!point.good) return;
  smooth.to = point;
  smooth.arc = high;
}

CriticalPathPoint Path::first_critical(
    const PathPoint& from, double low, double high, int before, double& past) {
  CriticalPathPoint found;
  found.before = before;
  double smallest = HUGE_VAL;
  double at = high;
  const auto value = [&](double arc) {
    const PathPoint point = advance(from, arc);
    // a point that is not found counts as after the sign change, so the search goes on before it
    const double size = point.good ? nearest_to_zero(point) : smallest;
    if (point.good && size < smallest) {
      smallest = size;
      at = arc;
      found.point = point;
    }
    return point.good && point.negative == before ? std::max(size, kTinySize) : -size;
  };
  const double begin = value(low);
  const double end = value(high);
  const double first = std::max(std::abs(begin), std::abs(end));
  const double width = high - low;
  double least = low;
  double most = high;
  const auto scale = [&] {
    return std::max(psi_ * std::abs(found.point.lambda), kMinScale * width);
  };
  find_sign_change(least, most, begin, end, value, [&](double l, double h, double here) {
    return h - l <= kArcTolerance * scale() || std::abs(here) <= kZeroEigenvalueShare * first;
  });
  PathPoint point_before;
  PathPoint point_after;
  double gap = kMinSeparation * scale();
  for (int i = 0; i < kMaxWidenings && gap < width; ++i) {
    point_after = advance(from, std::min(high, std::max(at, most) + gap));
    if (point_after.good && point_after.negative != before) break;
    gap *= 10.0;
  }
  past = std::min(high, std::max(at, most) + gap);
  point_before = advance(from, std::max(low, std::min(at, least) - gap));
  found.after = point_after.good ? point_after.negative : before;
  // the load turns back at a limit point, and goes on through a bifurcation
  found.is_limit_point = point_before.good && point_after.good &&
                         point_before.lambda_dir * point_after.lambda_dir < 0.0;
  return found;
}

void Path::locate_critical(const PathPoint& from, SmoothArc& smooth) {
  double low = 0.0;
  int before = from.negative;
  while (before != smooth.to.negative && low < smooth.arc) {
    double past = smooth.arc;
    const CriticalPathPoint found = first_critical(from, low, smooth.arc, before, past);
    if (!found.point.good || found.after == before) return;
    smooth.critical.push_back(found);
    before = found.after;
    low = past;
  }
}

}  // namespace femflex::hamiltonian

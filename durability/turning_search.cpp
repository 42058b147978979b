// Collects instants at which histories may turn, and drops those of small ranges. An extreme is
// confirmed once the history has moved away from it by more than the range; values within the
// tolerance of an extreme may be it, and are all kept.
#include "turning_search.h"

#include <algorithm>
#include <cmath>

namespace femflex::durability {
namespace {

// factor by which a scalar may err more than the sum of its components does: below 2 for von Mises
// and principal stresses of plane states
constexpr float kPlaneError = 2.0F;

/// The largest value so far, times a sign, and all that may be it.
class RunningExtreme {
 public:
  RunningExtreme(float sign, float tolerance) : sign_(sign), tolerance_(tolerance) {}
  void start(std::int32_t instant, float value) {
    value_ = sign_ * value;
    ties_.clear();
    ties_.emplace_back(instant, value);
  }
  void take(std::int32_t instant, float value) {
    const float here = sign_ * value;
    if (here < value_ - tolerance_) return;
    if (here > value_ + tolerance_) ties_.clear();
    value_ = std::max(value_, here);
    ties_.emplace_back(instant, value);
  }
  /// By how much a value is beyond the extreme, on the way back.
  float distance(float value) const { return value_ - sign_ * value; }
  void keep(TurningInstants& out) const {
    for (const auto& [instant, value] : ties_) {
      out.instants.push_back(instant);
      out.values.push_back(value);
    }
  }

 private:
  float sign_, tolerance_;
  float value_ = 0.0F;
  std::vector<std::pair<std::int32_t, float>> ties_;
};

}  // namespace

void drop_small_ranges(const TurningInstants& from,
                       float range,
                       float tolerance,
                       TurningInstants& out) {
  out.instants.clear();
  out.values.clear();
  if (from.instants.empty()) return;
  RunningExtreme high(1.0F, tolerance);
  RunningExtreme low(-1.0F, tolerance);
  high.start(from.instants.front(), from.values.front());
  low.start(from.instants.front(), from.values.front());
  int direction = 0;  // 1: rising, so that a maximum is next; 0: not yet known
  for (std::size_t k = 1; k < from.instants.size(); ++k) {
    const std::int32_t instant = from.instants[k];
    const float value = from.values[k];
    if (direction <= 0 && low.distance(value) > range) {
      low.keep(out);
      high.start(instant, value);
      direction = 1;
    } else if (direction >= 0 && high.distance(value) > range) {
      high.keep(out);
      low.start(instant, value);
      direction = -1;
    } else {
      if (direction >= 0) high.take(instant, value);
      if (direction <= 0) low.take(instant, value);
    }
  }
  (direction < 0 ? low : high).keep(out);
}

TurningSearch::TurningSearch(const PackedCoordinates& coordinates, Criterion criterion)
    : coordinates_(coordinates),
      criterion_(criterion),
      scalar_(criterion == Criterion::principal ? Scalar::principal : Scalar::von_mises),
      error_(kPlaneError * static_cast<float>(kSingle) *
             static_cast<float>(coordinates.modes + 8)) {}

void TurningSearch::begin(std::size_t locations) {
  windows_.resize(locations);
  found_.resize(locations);
  for (TurningInstants& each : found_) {
    each.instants.clear();
    each.values.clear();
  }
}

void TurningSearch::take(std::size_t location, int panel) {
  std::array<float, kPanel + 2>& window = windows_[location];
  // before the run the history is constant, so that its first instant counts as a possible extreme
  if (panel == 0) window[0] = window[1] = window[2];
  std::array<std::uint8_t, kPanel> places;
  const int count = uncertain_extremes(window.data(), 2.0F * error_, places.data());
  TurningInstants& found = found_[location];
  const std::int32_t first = panel * kPanel - 2;
  const auto end = static_cast<std::int32_t>(coordinates_.instants);
  for (int k = 0; k < count; ++k) {
    const std::int32_t instant = first + places[static_cast<std::size_t>(k)];
    if (instant < 0 || instant >= end) continue;
    found.instants.push_back(instant);
    found.values.push_back(window[places[static_cast<std::size_t>(k)]]);
  }
  window[0] = window[kPanel];
  window[1] = window[kPanel + 1];
}

void TurningSearch::finish(std::size_t location) {
  TurningInstants& found = found_[location];
  const auto last = static_cast<std::int32_t>(coordinates_.instants - 1);
  if (!found.instants.empty() && found.instants.back() == last) return;
  found.instants.push_back(last);
  // the last panel is filled up with the last instant
  found.values.push_back(windows_[location][1]);
}

std::span<const double> TurningSearch::exact_values(std::size_t location,
                                                    const std::array<const double*, 3>& rows,
                                                    double scale,
                                                    double range) {
  const float tolerance = 2.0F * error_;
  // with the errors of both ends
  const float share = scale > 0.0 ? static_cast<float>(range / scale) - tolerance : 0.0F;
  const TurningInstants* kept = &found_[location];
  if (share > 2.0F * tolerance) {
    drop_small_ranges(found_[location], share, tolerance, kept_);
    kept = &kept_;
  }
  const int stride = coordinates_.stride;
  S_.assign(3 * static_cast<std::size_t>(stride), 0.0);
  for (std::size_t c = 0; c < 3; ++c)
    if (rows[c] != nullptr)
      std::copy_n(
          rows[c], coordinates_.modes, S_.begin() + static_cast<std::ptrdiff_t>(c) * stride);
  const std::size_t count = kept->instants.size();
  components_.resize(3 * count);
  values_.resize(count);
  exact_points(
      coordinates_.by_instant.data(), stride, S_.data(), kept->instants, components_.data());
  for (std::size_t k = 0; k < count; ++k) {
    const double xx = components_[3 * k], yy = components_[3 * k + 1];
    const double xy = components_[3 * k + 2];
    const double middle = 0.5 * (xx + yy);
    const double half = 0.5 * (xx - yy);
    const double square = half * half + xy * xy;
    const double size = criterion_ == Criterion::principal
                            ? std::abs(middle) + std::sqrt(square)
                            : std::sqrt(middle * middle + 3.0 * square);
    values_[k] = middle < 0.0 ? -size : size;
  }
  return values_;
}

}  // namespace femflex::durability

// Finds the peaks of stress over a run. The stress of a place is S zeta: the rows of S hold its
// components per mode, zeta the modal coordinates over time. The run is divided into panels of
// instants. Bounds in single precision (peak_panels.h) show which panels may contain a peak, and
// only these are computed in double precision.
//
// The rows of S are scaled so that no history exceeds 1. The errors of single precision are then
// below a fixed slack [Higham 2002, section 3.1], which is added to every bound.
// See docs/theory/stress.md.
#include "peak_search.h"

#include <algorithm>
#include <cmath>

namespace femflex::durability {
namespace {

/// Bound of the error of a scalar (von Mises, principal stress, Tresca), divided by that of a
/// stress component. The ratio is 6 for Tresca and less for the others; 8 is on the safe side.
constexpr double kScalarError = 8.0;

/// The error of a component is below (modes + kExtraRoundings) times the unit round-off: one
/// rounding per product and sum, and a few for the scaling and the conversion of its factors.
constexpr int kExtraRoundings = 8;

/// Indices of the components xx, yy, xy among xx, yy, zz, xy, yz, zx.
constexpr std::array<std::size_t, 3> kPlane = {0, 1, 3};

/// Root of the size of a number, with its sign.
double signed_root(double square) {
  return square < 0.0 ? -std::sqrt(-square) : std::sqrt(square);
}

/// True if zz, yz and zx are zero, which a negative row means.
bool is_plane_state(const StressLocation& at) {
  return at.rows[2] < 0 && at.rows[4] < 0 && at.rows[5] < 0;
}

}  // namespace

PeakSearch::PeakSearch(const PackedCoordinates& coordinates,
                       const Eigen::VectorXd& time,
                       std::optional<Criterion> turning)
    : coordinates_(coordinates),
      time_(time),
      slack_(kScalarError * kSingle * (coordinates.modes + kExtraRoundings)),
      criterion_(turning) {
  if (turning) turning_.emplace(coordinates, *turning);
}

PeakSearch::Packed PeakSearch::packed(const StressLocation& at) const {
  constexpr std::array<std::size_t, 6> kAll = {0, 1, 2, 3, 4, 5};
  Packed out;
  out.is_plane = is_plane_state(at);
  const std::size_t width = out.is_plane ? kPlane.size() : kAll.size();
  const auto modes = static_cast<std::size_t>(coordinates_.modes);
  for (const std::int32_t r : at.rows)
    if (r >= 0) out.scale += by_row_.col(r).cwiseAbs().dot(coordinates_.largest);
  out.S.assign(width * modes, 0.0F);
  if (!(out.scale > 0.0)) return out;
  for (std::size_t c = 0; c < width; ++c) {
    const std::int32_t r = at.rows[out.is_plane ? kPlane[c] : kAll[c]];
    if (r < 0) continue;
    const double* from = row(r);
    for (std::size_t k = 0; k < modes; ++k)
      out.S[width * k + c] = static_cast<float>(
          from[k] * coordinates_.largest[static_cast<Eigen::Index>(k)] / out.scale);
  }
  return out;
}

std::array<double, PeakSearch::kScalars> PeakSearch::limits(const Packed& at,
                                                            const PanelBounds& bounds) const {
  // Plane: m is the centre of Mohr's circle and r its radius, the principal stresses are m +- r.
  // Spatial: m is the mean stress and r^2 = J2 / 3; a principal stress differs from m by at most
  // 2 r, and Tresca is at most 2 sqrt(J2).
  const double r = std::sqrt(static_cast<double>(bounds.r2_high));
  const double reach = at.is_plane ? r : 2.0 * r;
  const double size = std::max(std::abs(bounds.m_high), std::abs(bounds.m_low));
  const double tresca = at.is_plane ? std::max(2.0 * r, size + r) : 2.0 * std::sqrt(3.0) * r;
  const std::array<double, kScalars> scaled{signed_root(bounds.vm2_high),
                                            -signed_root(bounds.vm2_low),
                                            bounds.m_high + reach,
                                            reach - bounds.m_low,
                                            tresca};
  std::array<double, kScalars> out{};
  for (std::size_t k = 0; k < kScalars; ++k)
    out[k] = (scaled[k] + slack_) * at.scale;
  return out;
}

SixHistories PeakSearch::exact(const StressLocation& at, int first, int last) {
  const auto modes = static_cast<std::size_t>(coordinates_.modes);
  const std::size_t size = static_cast<std::size_t>(last - first) * kPanel;
  SixHistories out{};
  std::array<std::size_t, 6> used{};
  std::size_t count = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    if (at.rows[c] < 0) continue;
    used[count++] = c;
    if (histories_[c].size() < size) histories_[c].resize(size);
    out[c] = histories_[c].data();
  }
  std::array<double, static_cast<std::size_t>(kExactRows) * kPanel> panel{};
  for (std::size_t group = 0; group < count; group += kExactRows) {
    const std::size_t rows = std::min<std::size_t>(kExactRows, count - group);
    exact_S_.assign(kExactRows * modes, 0.0);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t k = 0; k < modes; ++k)
        exact_S_[kExactRows * k + r] = row(at.rows[used[group + r]])[k];
    for (int p = first; p < last; ++p) {
      exact_histories(
          coordinates_.exact_panel(p), coordinates_.modes, exact_S_.data(), panel.data());
      for (std::size_t r = 0; r < rows; ++r)
        std::copy_n(
            panel.data() + r * kPanel,
            kPanel,
            histories_[used[group + r]].data() + static_cast<std::ptrdiff_t>(p - first) * kPanel);
    }
  }
  return out;
}

// Computes a panel in double precision and raises the peaks found so far.
void PeakSearch::evaluate(const StressLocation& at, int panel, Bests& best) {
  const Eigen::Index first = static_cast<Eigen::Index>(panel) * kPanel;
  const Eigen::Index count = std::min<Eigen::Index>(kPanel, coordinates_.instants - first);
  const SixHistories six = exact(at, panel, panel + 1);
  compute_invariants(six, count, invariants_);
  const std::array<const Eigen::ArrayXd*, 2> up{&invariants_.signed_von_mises,
                                                &invariants_.principal_max};
  const std::array<const Eigen::ArrayXd*, 2> down{&invariants_.signed_von_mises,
                                                  &invariants_.principal_min};
  Eigen::Index k = 0;
  for (std::size_t each = 0; each < 2; ++each) {
    const double high = up[each]->maxCoeff(&k);
    best[2 * each].raise(high, first + k);
    const double low = down[each]->minCoeff(&k);
    best[2 * each + 1].raise(-low, first + k);
  }
  const double tresca = invariants_.tresca.maxCoeff(&k);
  best[4].raise(tresca, first + k);
}

LocationPeaks PeakSearch::peaks(const StressLocation& at,
                                const Packed& packed,
                                const PanelBounds* bounds) {
  const auto panels = static_cast<std::size_t>(coordinates_.panels);
  Bests best;
  done_.assign(panels, 0);
  const auto evaluate_once = [&](std::size_t p) {
    if (done_[p] == 0) evaluate(at, static_cast<int>(p), best);
    done_[p] = 1;
  };
  // The panel with the largest bound of each scalar comes first. Few other panels have bounds above
  // the peaks found there.
  std::array<std::size_t, kScalars> top{};
  std::array<double, kScalars> most = limits(packed, bounds[0]);
  for (std::size_t p = 1; p < panels; ++p) {
    const std::array<double, kScalars> limit = limits(packed, bounds[p]);
    for (std::size_t k = 0; k < kScalars; ++k)
      if (limit[k] > most[k]) {
        most[k] = limit[k];
        top[k] = p;
      }
  }
  for (const std::size_t p : top)
    evaluate_once(p);
  for (std::size_t p = 0; p < panels; ++p) {
    if (done_[p] != 0) continue;
    const std::array<double, kScalars> limit = limits(packed, bounds[p]);
    for (std::size_t k = 0; k < kScalars; ++k)
      if (limit[k] >= best[k].value) {
        evaluate_once(p);
        break;
      }
  }
  LocationPeaks out{at};
  const auto extreme = [&](std::size_t k, double sign) {
    return Extreme{sign * best[k].value, time_[best[k].row]};
  };
  out.signed_max = extreme(0, 1.0);
  out.signed_min = extreme(1, -1.0);
  out.von_mises = out.signed_max;
  if (-out.signed_min.value > out.signed_max.value)
    out.von_mises = {-out.signed_min.value, out.signed_min.time};
  out.principal_max = extreme(2, 1.0);
  out.principal_min = extreme(3, -1.0);
  out.tresca = extreme(4, 1.0);
  return out;
}

void PeakSearch::find(const ModalStress& stress, std::vector<LocationPeaks>& out) {
  by_row_ = stress.S.transpose();
  const std::size_t count = stress.locations.size();
  const auto panels = static_cast<std::size_t>(coordinates_.panels);
  packed_.clear();
  for (const StressLocation& at : stress.locations)
    packed_.push_back(packed(at));
  bounds_.resize(count * panels);
  if (turning_) turning_->begin(count);
  const auto slack = static_cast<float>(slack_);
  for (std::size_t p = 0; p < panels; ++p) {
    const float* zeta = coordinates_.single_panel(static_cast<int>(p));
    for (std::size_t k = 0; k < count; ++k) {
      const Packed& at = packed_[k];
      PanelBounds& bounds = bounds_[k * panels + p];
      if (at.is_plane && turning_)
        take_history(stress.locations[k], k, static_cast<int>(p), bounds);
      else if (at.is_plane)
        plane_bounds({zeta, coordinates_.modes, at.S.data(), slack}, bounds);
      else
        spatial_bounds(zeta, coordinates_.modes, at.S.data(), slack, bounds);
    }
  }
  for (std::size_t k = 0; k < count && turning_; ++k)
    if (packed_[k].is_plane) turning_->finish(k);
  for (std::size_t k = 0; k < count; ++k)
    out.push_back(peaks(stress.locations[k], packed_[k], bounds_.data() + k * panels));
}

void PeakSearch::take_history(const StressLocation& at,
                              std::size_t k,
                              int panel,
                              PanelBounds& bounds) {
  const Packed& packed = packed_[k];
  float* values = turning_->next_panel(k);
  if (!plane_history({coordinates_.single_panel(panel),
                      coordinates_.modes,
                      packed.S.data(),
                      static_cast<float>(slack_)},
                     turning_->scalar(),
                     values,
                     bounds)) {
    // single precision cannot tell the sign of the scalar: compute the panel in double precision
    compute_invariants(exact(at, panel, panel + 1), kPanel, invariants_);
    const Eigen::ArrayXd history = history_of(*criterion_, invariants_);
    Eigen::Map<Eigen::ArrayXf>(values, kPanel) = (history / packed.scale).cast<float>();
  }
  turning_->take(k, panel);
}

std::array<double, 2> PeakSearch::turning_limits(std::size_t k) const {
  const std::vector<float>& values = turning_->found(k).values;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double error = 2.0 * turning_->error();
  return {(*low + error) * packed_[k].scale, (*high - error) * packed_[k].scale};
}

std::span<const double> PeakSearch::turning_values(const StressLocation& at,
                                                   std::size_t k,
                                                   double range) {
  std::array<const double*, 3> rows{};
  for (std::size_t c = 0; c < 3; ++c)
    if (at.rows[kPlane[c]] >= 0) rows[c] = row(at.rows[kPlane[c]]);
  return turning_->exact_values(k, rows, packed_[k].scale, range);
}

}  // namespace femflex::durability

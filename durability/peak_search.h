// Finds the peaks of stress over a run. Bounds in single precision show which panels of instants
// may contain a peak. These panels are computed in double precision, so the peaks are exact. Called
// by run_stress.cpp.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/invariants.h"
#include "femflex/durability/modal_stress.h"
#include "femflex/durability/run_stress.h"

#include "peak_panels.h"
#include "turning_search.h"

namespace femflex::durability {

/// Finds the peaks of blocks of locations; one object per thread.
class PeakSearch {
 public:
  /// @param coordinates, time  must outlive this object
  /// @param turning  the criterion whose turning points find() collects for turning_values()
  PeakSearch(const PackedCoordinates& coordinates,
             const Eigen::VectorXd& time,
             std::optional<Criterion> turning = {});

  /// Finds the peaks of all locations and appends them to `out`.
  void find(const ModalStress& stress, std::vector<LocationPeaks>& out);
  /// The stress components of a location of the last find() over the whole run; valid until the
  /// next call.
  SixHistories components(const StressLocation& at) { return exact(at, 0, coordinates_.panels); }
  /// True if find() has collected the turning points of location `k` of its block.
  bool has_turning_points(std::size_t k) const { return turning_ && packed_[k].is_plane; }
  /// Lowest and highest value of the criterion over the run, each too small in size by twice the
  /// error of single precision at most [Pa].
  std::array<double, 2> turning_limits(std::size_t k) const;
  /// The criterion at the turning points of location `k` [Pa], valid until the next call.
  /// @param range  cycles of up to this range need not be counted [Pa]
  std::span<const double> turning_values(const StressLocation& at, std::size_t k, double range);
  Eigen::Index instants() const { return coordinates_.instants; }

 private:
  /// The largest value of a scalar so far, and its instant.
  struct Best {
    double value = 0.0;
    Eigen::Index row = -1;  ///< index of the instant; -1: none yet
    void raise(double other, Eigen::Index at) {
      if (row < 0 || other > value || (other == value && at < row)) *this = {other, at};
    }
  };
  static constexpr std::size_t kScalars =
      5;  // signed von Mises maximum and minimum, principal maximum and minimum, Tresca
  using Bests = std::array<Best, kScalars>;
  struct Packed {
    std::vector<float> S;  ///< rows of S, multiplied by the largest |zeta| of each mode and divided
                           ///< by `scale`
    double scale = 0.0;    ///< sum of |S| times the largest |zeta| over rows and modes [Pa]
    bool is_plane = true;
  };

  Packed packed(const StressLocation& at) const;
  /// Bounds and values of a panel of location `k`, whose turning points are collected.
  void take_history(const StressLocation& at, std::size_t k, int panel, PanelBounds& bounds);
  /// Upper bounds of the scalars over a panel, in the order of kScalars; minima with reversed sign.
  std::array<double, kScalars> limits(const Packed& at, const PanelBounds& bounds) const;
  void evaluate(const StressLocation& at, int panel, Bests& best);
  LocationPeaks peaks(const StressLocation& at, const Packed& packed, const PanelBounds* bounds);
  const double* row(std::int32_t r) const { return by_row_.col(r).data(); }
  /// Histories of the panels `first` to `last` - 1 in double precision; null for a component that
  /// is zero.
  SixHistories exact(const StressLocation& at, int first, int last);

  const PackedCoordinates& coordinates_;
  const Eigen::VectorXd& time_;
  double slack_ = 0.0;  ///< error bound of single precision, as a fraction of Packed::scale
  Eigen::MatrixXd by_row_;
  std::vector<Packed> packed_;
  std::vector<PanelBounds> bounds_;  ///< (panels x locations)
  std::vector<std::uint8_t> done_;   ///< per panel of the current location: 1 if the panel has been
                                     ///< evaluated
  std::vector<double> exact_S_;      ///< rows of the current location that are not zero, in groups
                                     ///< of three
  std::array<std::vector<double>, 6> histories_;
  Invariants invariants_;
  std::optional<Criterion> criterion_;
  std::optional<TurningSearch> turning_;
};

}  // namespace femflex::durability

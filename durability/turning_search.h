// The turning points of histories, found in single precision while peaks are searched: instants
// that may be local extremes, of which those of small ranges are dropped. Only the others are
// computed in double precision, so cycles are those of double precision.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "femflex/durability/run_stress.h"

#include "peak_panels.h"

namespace femflex::durability {

/// Instants at which a history may turn, with its values in single precision.
struct TurningInstants {
  std::vector<std::int32_t> instants;  ///< ascending, with the first and the last one of the run
  std::vector<float> values;           ///< as shares of a scale
};

/// Keeps the extremes between which the history moves by more than `range`, in both directions;
/// values that differ by no more than `tolerance` are all kept.
/// @param range  above twice the tolerance
void drop_small_ranges(const TurningInstants& from,
                       float range,
                       float tolerance,
                       TurningInstants& out);

/// Collects the turning points of a block of plane states, panel by panel; one object per thread.
class TurningSearch {
 public:
  /// @param coordinates  must outlive this object
  /// @param criterion    not that of the critical plane
  TurningSearch(const PackedCoordinates& coordinates, Criterion criterion);

  Scalar scalar() const { return scalar_; }
  /// Bound of the single-precision error of a value, as a share of its scale.
  float error() const { return error_; }
  void begin(std::size_t locations);
  /// Where the values of the next panel of a location go.
  float* next_panel(std::size_t location) { return windows_[location].data() + 2; }
  /// Takes the panel written there.
  void take(std::size_t location, int panel);
  /// After the last panel.
  void finish(std::size_t location);
  const TurningInstants& found(std::size_t location) const { return found_[location]; }
  /// The criterion at the turning points of a location [Pa]; valid until the next call.
  /// @param rows   xx, yy, xy by mode; null where a component is zero
  /// @param scale  of the values
  /// @param range  cycles of up to this range need not be counted [Pa]
  std::span<const double> exact_values(std::size_t location,
                                       const std::array<const double*, 3>& rows,
                                       double scale,
                                       double range);

 private:
  const PackedCoordinates& coordinates_;
  Criterion criterion_;
  Scalar scalar_;
  float error_;
  /// two values of the panel before, then those of the last panel
  std::vector<std::array<float, kPanel + 2>> windows_;
  std::vector<TurningInstants> found_;
  TurningInstants kept_;
  std::vector<double> S_, components_, values_;
};

}  // namespace femflex::durability

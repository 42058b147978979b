// SobolPoints: Sobol' points, a sequence that fills the unit cube more evenly than random points.
// samples_of() uses it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace femflex::tools {

/// The sequence of Sobol' with the direction numbers of [Joe 2008] and random digital shifts, so
/// that each seed gives another, equally even set. Sets of 2^n points are the most even. Longer
/// sets start with the shorter ones.
class SobolPoints {
 public:
  static constexpr int kMaxDimensions = 64;
  static constexpr int kBits = 32;  ///< 2^32 points are possible

  /// @throws UsageError  more than kMaxDimensions dimensions
  SobolPoints(int dimensions, std::uint64_t seed);

  /// Coordinate `dimension` of a point, both counted from 0; between 0 and 1.
  /// @pre point < 2^kBits
  double at(std::uint64_t point, int dimension) const;

 private:
  std::vector<std::array<std::uint32_t, kBits>> directions_;
  std::vector<std::uint32_t> shifts_;
};

}  // namespace femflex::tools

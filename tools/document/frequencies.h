// frequencies_of(): the frequencies of a response over a band.
#pragma once

#include <cmath>

#include <Eigen/Core>

#include "femflex/modal/reduce.h"

namespace femflex::tools {

/// Frequencies [Hz] of a band, evenly spaced in their logarithm. A free part has no finite response
/// at 0 Hz, and a logarithmic axis has no 0: a band from 0 begins at 1/1000 of its upper end.
inline Eigen::VectorXd frequencies_of(const modal::FrequencyBand& band, Eigen::Index points) {
  constexpr double kStartOfBandFromZero = 1e-3;
  const double from = band.from_hz > 0.0 ? band.from_hz : kStartOfBandFromZero * band.to_hz;
  return Eigen::ArrayXd::LinSpaced(points, std::log(from), std::log(band.to_hz)).exp();
}

}  // namespace femflex::tools

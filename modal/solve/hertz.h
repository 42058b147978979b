// Conversion between frequencies in Hz and eigenvalues omega^2 in the time unit of an FE model.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "femflex/fe_model.h"

namespace femflex::modal {

/// omega^2 in the time unit of the model; in seconds if the model has no units.
inline double eigenvalue_of_hz(const FeModel& model, double hz) {
  const double omega = 2.0 * std::numbers::pi * hz * model.units.value_or(Units{}).time;
  return omega * omega;
}

/// Its inverse; 0 for negative values.
inline double hz_of_eigenvalue(const FeModel& model, double lambda) {
  return std::sqrt(std::max(0.0, lambda)) /
         (2.0 * std::numbers::pi * model.units.value_or(Units{}).time);
}

}  // namespace femflex::modal

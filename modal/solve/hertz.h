// Converts between frequencies in Hz and eigenvalues omega^2 in the time unit of an FE model.
#pragma once

#include <numbers>

#include "femflex/fe_model.h"
#include "femflex/frequency.h"

namespace femflex::modal {

/// omega^2 of a frequency [Hz], in 1/time^2 of the model; in 1/s^2 if the model has no units.
inline double eigenvalue_of_hz(const FeModel& model, double hz) {
  const double omega = 2.0 * std::numbers::pi * hz * model.units.value_or(Units{}).time;
  return omega * omega;
}

/// The inverse of eigenvalue_of_hz(): a frequency in Hz, 0 for a negative eigenvalue.
inline double hz_of_eigenvalue(const FeModel& model, double lambda) {
  return frequency_hz(lambda) / model.units.value_or(Units{}).time;
}

}  // namespace femflex::modal

// Measures the wall time since a start point, for reports of computing time.
#pragma once

#include <chrono>

namespace femflex {

/// Wall time [s] since the time point `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace femflex

// The roughness of each road class of [ISO 8608].
#include "femflex/laws/iso8608.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::laws {

double iso8608_roughness(char road_class) {
  constexpr double kRoughnessOfA = 16e-6;  // [m^3]
  constexpr double kPerClass = 4.0;        // ratio between a class and the previous one
  if (road_class < 'A' || road_class > 'H')
    throw ModelError("road-class",
                     fmt::format("'{}' is not an ISO 8608 class (A to H)", road_class));
  return kRoughnessOfA * std::pow(kPerClass, road_class - 'A');
}

}  // namespace femflex::laws

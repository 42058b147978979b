// Units by their definitions, for the tables of unit names of all formats.
#pragma once

#include <numbers>

namespace femflex {

inline constexpr double kInch = 0.0254;                           ///< [m]
inline constexpr double kFoot = 0.3048;                           ///< [m]
inline constexpr double kPound = 0.45359237;                      ///< [kg]
inline constexpr double kStandardGravity = 9.80665;               ///< [m/s^2]
inline constexpr double kPoundForce = kPound * kStandardGravity;  ///< [N]
inline constexpr double kSlinch = kPoundForce / kInch;            ///< [kg] lbf s^2/in
inline constexpr double kSlug = kPoundForce / kFoot;              ///< [kg] lbf s^2/ft
inline constexpr double kPsi = kPoundForce / (kInch * kInch);     ///< [Pa]
inline constexpr double kDegree = std::numbers::pi / 180.0;       ///< [rad]

}  // namespace femflex

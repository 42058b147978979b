// Names of the causes of geometric stiffening in options and files.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "femflex/flex_body.h"

namespace femflex {

/// Causes of stiffening with the names used in options and files. The first twelve are states of
/// motion of the whole body; a force needs a node as well.
inline constexpr std::array<std::pair<GeometricStiffness::Cause, std::string_view>, 13>
    kStiffeningCauses{{
        {GeometricStiffness::Cause::acceleration_x, "acceleration-x"},
        {GeometricStiffness::Cause::acceleration_y, "acceleration-y"},
        {GeometricStiffness::Cause::acceleration_z, "acceleration-z"},
        {GeometricStiffness::Cause::angular_acceleration_x, "angular-acceleration-x"},
        {GeometricStiffness::Cause::angular_acceleration_y, "angular-acceleration-y"},
        {GeometricStiffness::Cause::angular_acceleration_z, "angular-acceleration-z"},
        {GeometricStiffness::Cause::spin_xx, "spin-xx"},
        {GeometricStiffness::Cause::spin_yy, "spin-yy"},
        {GeometricStiffness::Cause::spin_zz, "spin-zz"},
        {GeometricStiffness::Cause::spin_xy, "spin-xy"},
        {GeometricStiffness::Cause::spin_yz, "spin-yz"},
        {GeometricStiffness::Cause::spin_xz, "spin-xz"},
        {GeometricStiffness::Cause::force, "force"},
    }};

}  // namespace femflex

// Tyres and roads for the wheels of a system: adapts the rooms tyres/ and roads/ to the interfaces
// of mbd_solver/wheel.h.
#pragma once

#include <memory>
#include <optional>

#include "femflex/mbd_solver/wheel.h"
#include "femflex/roads/road.h"
#include "femflex/tyres/tyre.h"

namespace femflex::tools {

/// Mounting of a tyre, and values that its file does not contain.
struct WheelOptions {
  tyres::Side side = tyres::Side::left;
  double vertical_stiffness = 0.0;  ///< [N/m]; 0: value of the file
  double vertical_damping = 0.0;    ///< [N s/m]
};

/// A tyre for the solver, with the lag of its contact patch: docs/theory/tyres.md, eq. (4) to (6c).
/// @throws ModelError  the vertical stiffness is not positive
std::shared_ptr<const mbd_solver::TyreCharacteristic> wheel_tyre(const tyres::Tyre& tyre,
                                                                 const WheelOptions& options);

/// What wheel_tyre() was given.
struct WheelTyreParts {
  tyres::Tyre tyre;
  WheelOptions options;
};
/// @throws ModelError  the tyre is not one of wheel_tyre()
WheelTyreParts parts_of(const mbd_solver::TyreCharacteristic& tyre);

/// Two cams, one behind the other, that roll over the road in place of the tyre and smooth
/// unevenness shorter than its contact patch [Schmeitz 2004], docs/theory/roads.md. Each is the
/// superellipse (x / length)^order + (z / height)^order = 1.
struct Cams {
  double length = 0.0, height = 0.0;  ///< half axes [m]
  double order = 2.0;
  double shift = 0.0;  ///< distance between the cams [m]
};
/// Default cams of a tyre: circles with the tyre's radius; their distance is 0.8 of the length of
/// the contact patch under `load` [N].
Cams cams_of(const mbd_solver::TyreCharacteristic& tyre, double load);

/// A road for the solver, which several wheels may share.
/// @param cams  if given, the wheel rolls on the plane found by the cams instead of the tangent
/// plane
std::shared_ptr<const mbd_solver::RoadSurface> shared_wheel_road(
    std::shared_ptr<const roads::Road> road, std::optional<Cams> cams = {});

/// What shared_wheel_road() was given.
struct WheelRoadParts {
  std::shared_ptr<const roads::Road> road;
  std::optional<Cams> cams;
};
/// @throws ModelError  the road is not one of shared_wheel_road()
WheelRoadParts parts_of(const mbd_solver::RoadSurface& road);

}  // namespace femflex::tools

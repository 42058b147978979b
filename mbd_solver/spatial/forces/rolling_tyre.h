// RollingTyreLaw: the compiled force law RollingTyre, contact of a spinning wheel with the tangent
// plane of the road.
#pragma once

#include <memory>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The states are the deflections of the contact patch forwards and to the left.
struct RollingTyreLaw : LawBase {
  std::shared_ptr<const TyreCharacteristic> tyre;
  std::shared_ptr<const RoadSurface> road;
  int hint = 0;  // index in Workspace::road_hints

  PairLoad load(const Model& model,
                const Workspace& ws,
                const MarkerKinematics& a_now,
                const MarkerKinematics& b_now,
                const StateRule& rule,
                ForceStates& states) const;

  /// Quantities of a wheel that channels read, in the contact frame.
  enum class Shown : std::uint8_t { fx, fy, fz, mx, my, mz, kappa, alpha, camber, radius };
  double shown(const Workspace& ws, Shown what) const;
  bool may_switch() const { return false; }  // linearised on its road
  bool can_let_go() const { return true; }

 private:
  /// The contact frame, and the motion and load of the wheel in it.
  struct Contact {
    bool touches = false;
    Eigen::Vector3d point;  // in W
    Eigen::Vector3d forward, left, normal;
    double loaded_radius = 0.0, deflection = 0.0;  // [m]
    WheelMotion motion;
    WheelLoad load;
  };
  Contact contact(const Workspace& ws,
                  const MarkerKinematics& wheel,
                  const StateRule& rule,
                  ForceStates& states) const;
};

RollingTyreLaw compile_law(const RollingTyre& tyre, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver

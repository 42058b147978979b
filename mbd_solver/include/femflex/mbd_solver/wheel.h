// Interfaces of a rolling wheel: the tyre's characteristic and the road surface.
// tools/system/wheels.cpp implements them with the libraries tyres and roads; the force law
// RollingTyre calls them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace femflex::mbd_solver {

/// The last position of a wheel on a road. The next search starts there.
struct RoadHint {
  std::uint32_t segment = std::numeric_limits<std::uint32_t>::max();
  double x = 0.0, y = 0.0;  ///< [m]
};

/// The tangent plane of a road at a point, in W.
struct RoadPlane {
  double height = 0.0;                  ///< z [m]
  double slope_x = 0.0, slope_y = 0.0;  ///< dz/dx, dz/dy
  double friction = 1.0;                ///< factor on the tyre's coefficient of friction
};

class RoadSurface {
 public:
  RoadSurface() = default;
  RoadSurface(const RoadSurface&) = delete;
  RoadSurface& operator=(const RoadSurface&) = delete;
  RoadSurface(RoadSurface&&) = delete;
  RoadSurface& operator=(RoadSurface&&) = delete;
  virtual ~RoadSurface() = default;
  /// Evaluated in every step; must not allocate.
  virtual RoadPlane at(double x, double y, RoadHint& hint) const = 0;
  /// Whether (x, y) is on the road. Outside, the road has the values of its edge.
  virtual bool covers(double /*x*/, double /*y*/) const { return true; }
  /// The plane on which a wheel rolls at (x, y); (forward_x, forward_y) is the unit vector of its
  /// forward direction. Either the tangent plane, or a plane that envelops short bumps.
  virtual RoadPlane under(
      double x, double y, double /*forward_x*/, double /*forward_y*/, RoadHint& hint) const {
    return at(x, y, hint);
  }
};

/// Motion of a wheel against the road, in the contact frame of docs/theory/tyres.md: x forward in
/// the wheel plane, y to the left, z normal to the road.
struct WheelMotion {
  double Vx = 0.0, Vy = 0.0;  ///< velocity of the contact point if it were fixed in the wheel
                              ///< carrier [m/s]
  double spin = 0.0;          ///< about the wheel's axis, > 0 when rolling forward [rad/s]
  double camber = 0.0;        ///< about x [rad]
  double load = 0.0;          ///< normal force [N], > 0
  double friction = 1.0;      ///< friction factor of the road
};

/// Forces and moments that the road exerts on the wheel at the contact point, except the normal
/// force.
struct WheelLoad {
  double fx = 0.0, fy = 0.0;            ///< [N]
  double mx = 0.0, my = 0.0, mz = 0.0;  ///< [N m]
  double kappa = 0.0, alpha = 0.0;  ///< slips with which the forces are computed; alpha in [rad]
};

/// Relation that an integrator prescribes between the deflections of a contact patch and their
/// rates: patch = constants + gain * rates. With gain 0 the deflections are given.
struct PatchRule {
  std::array<double, 2> constants{};  ///< [m]
  double gain = 0.0;                  ///< [s]
};

/// A tyre with two states, the deflections of its contact patch forwards and to the left [m].
class TyreCharacteristic {
 public:
  TyreCharacteristic() = default;
  TyreCharacteristic(const TyreCharacteristic&) = delete;
  TyreCharacteristic& operator=(const TyreCharacteristic&) = delete;
  TyreCharacteristic(TyreCharacteristic&&) = delete;
  TyreCharacteristic& operator=(TyreCharacteristic&&) = delete;
  virtual ~TyreCharacteristic() = default;

  virtual double unloaded_radius() const = 0;  ///< [m]
  /// Normal force [N]. @param deflection [m], > 0  @param rate [m/s]
  virtual double normal_force(double deflection, double rate) const = 0;
  /// Computes the load for patch deflections that fulfil the rule; writes the deflections [m] and
  /// their rates [m/s]. Evaluated in every step; must not allocate.
  virtual WheelLoad load(const WheelMotion& motion,
                         const PatchRule& rule,
                         double* patch,
                         double* rates) const = 0;
};

}  // namespace femflex::mbd_solver

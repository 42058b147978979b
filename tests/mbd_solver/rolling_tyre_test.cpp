// Tests rolling wheels with a linear tyre characteristic, which is defined in this file. Truth:
// kinematics of the contact, the exponential of a lag, equilibrium, free flight.
#include <cmath>
#include <memory>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::accurate;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kRadius = 0.5, kStiffness = 2e5, kSlip = 4e4, kCorner = 3e4, kLag = 0.6;

/// A tyre with the forces kSlip kappa and -kCorner tan(alpha) and the relaxation length kLag. Its
/// rolling radius is the unloaded radius.
class LinearPatch final : public TyreCharacteristic {
 public:
  double unloaded_radius() const override { return kRadius; }
  double normal_force(double deflection, double rate) const override {
    return kStiffness * deflection + 500.0 * rate;
  }
  WheelLoad load(const WheelMotion& m,
                 const PatchRule& rule,
                 double* patch,
                 double* rates) const override {
    const double per_second = std::abs(m.Vx) / kLag;
    const double slip[2] = {m.Vx - kRadius * m.spin, m.Vy};
    for (std::size_t k = 0; k < 2; ++k) {
      patch[k] = (rule.constants[k] - rule.gain * slip[k]) / (1.0 + rule.gain * per_second);
      rates[k] = -slip[k] - per_second * patch[k];
    }
    WheelLoad out;
    out.kappa = patch[0] / kLag;
    out.alpha = -std::atan(patch[1] / kLag);
    out.fx = kSlip * out.kappa;
    out.fy = kCorner * patch[1] / kLag;
    return out;
  }
};

class Slope final : public RoadSurface {
 public:
  explicit Slope(double slope_x) : slope_(slope_x) {}
  RoadPlane at(double x, double, RoadHint&) const override {
    return {slope_ * x, slope_, 0.0, 1.0};
  }

 private:
  double slope_;
};

/// A wheel on a carrier that moves without rotation.
System wheel_on_carrier(double load, double steer) {
  System s;
  const double mass = load / 9.81;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  Body carrier = rigid("carrier", 0.5 * mass, Vector3d::Zero(), Vector3d::Constant(1.0));
  Body wheel = rigid("wheel", 0.5 * mass, Vector3d::Zero(), {0.5, 1.0, 0.5});
  carrier.orientation = wheel.orientation = testing::turn_z(steer);
  carrier.position = wheel.position = {0.0, 0.0, kRadius - load / kStiffness};
  s.bodies = {carrier, wheel};
  s.joints = {joint("guide", JointType::orientation, "ground", "carrier"),
              joint("hub", JointType::revolute, "carrier", "wheel")};
  s.joints[1].axis = testing::turn_z(steer) * Vector3d::UnitY();
  RollingTyre tyre;
  tyre.on = "wheel";
  tyre.tyre = std::make_shared<LinearPatch>();
  tyre.road = std::make_shared<Slope>(0.0);
  s.forces = {{"tyre", tyre}};
  s.outputs = {"wheel/position", "tyre/wheel", "tyre/state", "tyre/force"};
  return s;
}

Motion place_motion(const std::string& name, Motion::Coordinate coordinate, const std::string& f) {
  Motion motion;
  motion.name = name;
  motion.on = "carrier";
  motion.coordinate = coordinate;
  motion.value = Value(f);
  return motion;
}

double final_of(const Results& r, const std::string& channel) {
  return r.series(channel)(r.series(channel).size() - 1);
}

// Truth: the slips approach kappa = -(V cos(steer) - R w) / (V cos(steer)) and tan(alpha) =
// -tan(steer) as 1 - exp(-distance / lag).
TEST(RollingTyre, SlipsAreThoseOfTheMotionAfterTheLag) {
  const double V = 10.0, steer = 0.05, spin = 21.0;
  System s = wheel_on_carrier(4000.0, steer);
  s.motions = {place_motion("along", Motion::Coordinate::x, "10*t"),
               place_motion("across", Motion::Coordinate::y, "0*t")};
  Motion roll;
  roll.name = "roll";
  roll.joint = "hub";
  roll.value = Value("21*t");
  s.motions.push_back(roll);
  const double Vx = V * std::cos(steer), kappa = -(Vx - kRadius * spin) / Vx;
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 1.5, 0.06, 2e-4), r);
    const double allowed = bound(method, tolerance(1e-6), tolerance(1e-4));
    const double built = 1.0 - std::exp(-Vx * 0.06 / kLag);
    EXPECT_NEAR(r.series("tyre/wheel/kappa")(1), kappa * built, allowed) << name_of(method);
    EXPECT_NEAR(final_of(r, "tyre/wheel/kappa"), kappa, 1e-7) << name_of(method);
    EXPECT_NEAR(final_of(r, "tyre/wheel/fx"), kSlip * kappa, 1e-6 * 4000.0) << name_of(method);
    EXPECT_NEAR(final_of(r, "tyre/wheel/fy"), kCorner * std::tan(steer), 1e-6 * 4000.0);
    EXPECT_NEAR(final_of(r, "tyre/wheel/fz"), 4000.0, 1e-6 * 4000.0) << name_of(method);
    EXPECT_NEAR(final_of(r, "tyre/wheel/camber"), 0.0, 1e-12);
  }
}

// Truth: work and energy. A spinning wheel is set down and rolls off; its loss of kinetic energy
// equals the work of the contact.
TEST(RollingTyre, TheEnergyAccountIsClosed) {
  System s = wheel_on_carrier(4000.0, 0.0);
  s.bodies[1].angular_velocity = {0.0, 30.0, 0.0};
  s.bodies[0].velocity = s.bodies[1].velocity = {8.0, 0.5, 0.0};
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 2.0, 0.1, 1e-4), r);
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)))
        << name_of(method);
    EXPECT_NEAR(final_of(r, "tyre/wheel/kappa"), 0.0, 1e-3) << name_of(method);
  }
}

// Truth: on a slope the road force is along the normal of the road, and a free wheel accelerates
// downhill by g sin / (1 + J / (m R^2)).
TEST(RollingTyre, AFreeWheelRollsDownASlope) {
  const double slope = 0.1, angle = std::atan(slope);
  System s = wheel_on_carrier(4000.0, 0.0);
  const double mass = 4000.0 / 9.81;
  s.bodies[0].position = s.bodies[1].position = Vector3d(-std::sin(angle), 0.0, std::cos(angle)) *
                                                (kRadius - 4000.0 * std::cos(angle) / kStiffness);
  std::get<RollingTyre>(s.forces[0].law).road = std::make_shared<Slope>(slope);
  s.outputs.emplace_back("wheel/velocity/x");
  Results r;
  run(s, accurate(Integrator::runge_kutta, 2.0, 1.0, 1e-4), r);
  // the moment arm is the loaded radius, which differs from the rolling radius
  const double arm = kRadius - 4000.0 * std::cos(angle) / kStiffness;
  const double expected = 9.81 * std::sin(angle) / (1.0 + 1.0 / (mass * arm * kRadius));
  EXPECT_NEAR(final_of(r, "wheel/velocity/x") - r.series("wheel/velocity/x")(1),
              -expected * std::cos(angle),
              tolerance(5e-3) * expected);
}

// Truth: a wheel in the air falls freely.
TEST(RollingTyre, InTheAirItFalls) {
  System s = wheel_on_carrier(4000.0, 0.0);
  s.bodies[0].position.z() = s.bodies[1].position.z() = 2.0;
  Results r;
  run(s, accurate(Integrator::runge_kutta, 0.4, 0.4, 1e-3), r);
  EXPECT_NEAR(final_of(r, "wheel/position/z"), 2.0 - 0.5 * 9.81 * 0.16, tolerance(1e-9));
  EXPECT_EQ(final_of(r, "tyre/wheel/fz"), 0.0);
}

TEST(RollingTyre, WithoutARoadItIsRefused) {
  System s = wheel_on_carrier(4000.0, 0.0);
  std::get<RollingTyre>(s.forces[0].law).road.reset();
  Results r;
  EXPECT_THROW(run(s, {}, r), ModelError);
}

}  // namespace
}  // namespace femflex::mbd_solver

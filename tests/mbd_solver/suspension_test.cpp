// Tests dampers on elastic mounts, and anti-roll bars. Truth: the closed forms of a lag and of two
// masses that move against each other.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::accurate;
using testing::at;
using testing::bound;
using testing::joint;
using testing::methods;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

/// A block of 3 kg that slides along x, 0.4 m from the wall, with a damper on an elastic mount.
System damped_block(const MountedDamper& damper) {
  System s;
  s.bodies = {rigid("block", 3.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.bodies[0].position.x() = 0.4;
  s.joints = {joint("slide", JointType::prismatic, "ground", "block")};
  s.joints[0].axis = Vector3d::UnitX();
  s.joints[0].at = Vector3d(0.4, 0.0, 0.0);
  MountedDamper own = damper;
  own.a = "ground";
  own.b = "block";
  s.forces = {{"damper", own}};
  s.outputs = {"damper/value", "block/velocity/x"};
  return s;
}

void move(System& s, const std::string& formula) {
  Motion motion;
  motion.name = "drive";
  motion.joint = "slide";
  motion.coordinate = Motion::Coordinate::displacement;
  motion.value = Value(formula);
  s.motions = {motion};
}

// Truth: the pull of the mount follows c times the rate of x with a lag of the time constant c / k;
// x = A sin(w t).
TEST(MountedDamper, ALinearOneIsALag) {
  MountedDamper damper;
  damper.stiffness = 2e5;
  damper.damping = 4e3;
  System s = damped_block(damper);
  move(s, "0.01*sin(30*t)");
  const double a = 30.0 * damper.damping / damper.stiffness;
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 1.0, 0.05, 1e-4), r);
    for (Eigen::Index k = 0; k < r.rows(); ++k) {
      const double t = r.time()[static_cast<std::size_t>(k)];
      const double mount = 0.01 * a / (1.0 + a * a) *
                           (std::cos(30.0 * t) + a * std::sin(30.0 * t) -
                            std::exp(-t * damper.stiffness / damper.damping));
      EXPECT_NEAR(r.series("damper/value")(k),
                  damper.stiffness * mount,
                  bound(method, tolerance(1e-6), tolerance(1e-5)) * 2e3)
          << name_of(method) << " " << t;
    }
  }
}

// Truth: at a constant rate the force is that of the table, which differs between the two
// directions. The mount only affects the transition. The energy balance is closed.
TEST(MountedDamper, AnAsymmetricTableIsReachedAtASteadyRate) {
  MountedDamper damper;
  damper.stiffness = 5e5;
  damper.curve = Table{{-0.5, -0.1, 0.0, 0.1, 0.5}, {-900.0, -400.0, 0.0, 1100.0, 2700.0}};
  for (const auto& [formula, pull] :
       {std::pair{"0.3*t", 1900.0}, {"-0.3*t", -650.0}, {"0.05*t", 550.0}}) {
    System s = damped_block(damper);
    move(s, formula);
    for (const Integrator method : methods()) {
      Results r;
      run(s, accurate(method, 0.5, 0.5, 1e-4), r);
      EXPECT_NEAR(r.series("damper/value")(1), pull, tolerance(1e-6) * 1e3) << name_of(method);
    }
  }
  System free = damped_block(damper);
  free.bodies[0].velocity.x() = 2.0;
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(free, accurate(method, 0.1, 0.01, 1e-5), r);
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)))
        << name_of(method);
  }
}

TEST(MountedDamper, WhatCannotBeTurnedRoundIsRefused) {
  MountedDamper flat, soft, none;
  flat.stiffness = none.stiffness = 1e5;
  flat.curve = Table{{-1.0, 0.0, 1.0, 2.0}, {-5.0, 0.0, 5.0, 5.0}};
  soft.damping = 1.0;
  for (const MountedDamper& damper : {flat, soft, none}) {
    Results r;
    EXPECT_THROW(run(damped_block(damper), {}, r), ModelError);
  }
}

// Truth: two masses on one bar move together without resistance, and oscillate against each other
// at sqrt(2 k / m).
TEST(AntiRollBar, ResistsTheDifferenceAlone) {
  System s;
  s.ground_markers = {{"left", at(0.0, 1.0, 0.0)}, {"right", at(0.0, -1.0, 0.0)}};
  s.bodies = {point("left", 5.0, Vector3d(0.0, 1.0, 0.6), Vector3d(0.0, 0.0, 0.5)),
              point("right", 5.0, Vector3d(0.0, -1.0, 0.5), Vector3d(0.0, 0.0, 0.1))};
  AntiRollBar bar;
  bar.ends = {"ground/left", "left", "ground/right", "right"};
  bar.stiffness = 4e4;
  s.forces = {{"bar", bar}};
  s.outputs = {"left/position/z", "right/position/z", "bar/value"};
  const double w = std::sqrt(2.0 * 4e4 / 5.0);
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 0.5, 0.02, 2e-5), r);
    for (Eigen::Index k = 0; k < r.rows(); ++k) {
      const double t = r.time()[static_cast<std::size_t>(k)];
      const double swing = 0.2 / w * std::sin(w * t);
      const double allowed = bound(method, tolerance(1e-7), tolerance(1e-6));
      EXPECT_NEAR(r.series("left/position/z")(k), 0.6 + 0.3 * t + swing, allowed);
      EXPECT_NEAR(r.series("right/position/z")(k), 0.5 + 0.3 * t - swing, allowed);
      EXPECT_NEAR(r.series("bar/value")(k), 4e4 * 2.0 * swing, 1e5 * allowed);
    }
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-5)))
        << name_of(method);
  }
}

}  // namespace
}  // namespace femflex::mbd_solver

// Kinematics, inverse dynamics and series of equilibria against closed forms.
#include "femflex/mbd_solver/driven.h"

#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::rigid;
using testing::tolerance;

constexpr double kFall = 9.81;

DrivenOptions every(double end, double step) {
  DrivenOptions out;
  out.end = end;
  out.output_step = step;
  return out;
}

Body slender_bar(const std::string& name, const Vector3d& from, const Vector3d& to, double mass) {
  const Vector3d along = to - from;
  Body b = rigid(name, mass, 0.5 * along, Vector3d::Zero());
  std::get<RigidInertia>(b.kind).inertia =
      mass / 12.0 * (along.squaredNorm() * Eigen::Matrix3d::Identity() - along * along.transpose());
  b.position = from;
  return b;
}

void pin_at(System& s,
            const std::string& name,
            const std::string& a,
            const std::string& b,
            const Vector3d& where) {
  s.joints.push_back(joint(name, JointType::revolute, a, b));
  s.joints.back().at = where;
  s.joints.back().axis = Vector3d::UnitZ();
}

void drive_joint(System& s, const std::string& by, const std::string& formula) {
  Motion motion;
  motion.name = "drive";
  motion.joint = by;
  motion.value = Value(formula);
  s.motions.push_back(motion);
}

DrivenSummary kinematics_of(const System& s, const DrivenOptions& options, Results& out) {
  Diagnostics diagnostics;
  Progress progress;
  return run_kinematics(s, options, out, diagnostics, progress);
}

DrivenSummary equilibria_of(const System& s, const DrivenOptions& options, Results& out) {
  Diagnostics diagnostics;
  Progress progress;
  return run_quasi_statics(s, options, StaticOptions{}, out, diagnostics, progress);
}

System falling_along_y() {
  System s;
  s.gravity = {Value(0.0), Value(-kFall), Value(0.0)};
  return s;
}

// Truth: J theta'' + m g l sin(theta) drives a pendulum, and the pin carries m (a - g).
TEST(Kinematics, APendulumNeedsTheTorqueOfItsEquation) {
  const double length = 0.8, mass = 3.0, l = 0.5 * length, J = mass * length * length / 3.0;
  System s = falling_along_y();
  s.bodies = {slender_bar("bar", Vector3d::Zero(), {0, -length, 0}, mass)};
  pin_at(s, "pivot", "ground", "bar", Vector3d::Zero());
  drive_joint(s, "pivot", "2.5*sin(2*t)");
  s.outputs = {"pivot/angle", "pivot/angle_rate", "pivot/reaction", "drive/torque"};
  Results r;
  const DrivenSummary summary = kinematics_of(s, every(4.0, 0.05), r);
  EXPECT_EQ(summary.rows, 81);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    const double t = r.time()[static_cast<std::size_t>(k)];
    const double q = 2.5 * std::sin(2 * t), w = 5 * std::cos(2 * t), a = -10 * std::sin(2 * t);
    EXPECT_NEAR(r.series("pivot/angle")(k), q, tolerance(1e-11));
    EXPECT_NEAR(r.series("pivot/angle_rate")(k), w, tolerance(1e-11));
    EXPECT_NEAR(
        r.series("drive/torque")(k), J * a + mass * kFall * l * std::sin(q), tolerance(1e-9));
    // of the mass centre
    const double ax = l * (a * std::cos(q) - w * w * std::sin(q));
    const double ay = l * (a * std::sin(q) + w * w * std::cos(q));
    EXPECT_NEAR(r.series("pivot/reaction/x")(k), mass * ax, tolerance(1e-9));
    EXPECT_NEAR(r.series("pivot/reaction/y")(k), mass * (ay + kFall), tolerance(1e-9));
  }
}

// Truth: the piston of a slider-crank is at r cos(theta) + sqrt(l^2 - r^2 sin^2(theta)); virtual
// work of inertia and weight gives the torque.
TEST(Kinematics, ASliderCrankFollowsItsClosedForm) {
  const double R = 0.15, L = 0.5, crank = 1.5, rod = 0.9, piston = 2.2;
  System s = falling_along_y();
  s.bodies = {slender_bar("crank", Vector3d::Zero(), {R, 0, 0}, crank),
              slender_bar("rod", {R, 0, 0}, {R + L, 0, 0}, rod),
              rigid("piston", piston, Vector3d::Zero(), Vector3d::Constant(0.01))};
  s.bodies[2].position = {R + L, 0, 0};
  pin_at(s, "main", "ground", "crank", Vector3d::Zero());
  pin_at(s, "big", "crank", "rod", {R, 0, 0});
  pin_at(s, "small", "rod", "piston", {R + L, 0, 0});
  s.joints.push_back(joint("bore", JointType::prismatic, "ground", "piston"));
  s.joints.back().axis = Vector3d::UnitX();
  s.joints.back().at = Vector3d(R + L, 0, 0);
  drive_joint(s, "main", "3*t + 2*t^2");
  s.outputs = {"piston/position/x", "piston/velocity/x", "piston/acceleration/x", "drive/torque"};
  Results r;
  const DrivenSummary summary = kinematics_of(s, every(3.0, 0.03), r);
  EXPECT_LT(summary.constraint_violation, 1e-12);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    const double t = r.time()[static_cast<std::size_t>(k)];
    const double q = 3 * t + 2 * t * t, w = 3 + 4 * t, a = 4.0;
    const double sq = std::sin(q), cq = std::cos(q);
    // angle p of the rod below the line: L sin(p) = R sin(q)
    const double sp = R / L * sq, cp = std::sqrt(1 - sp * sp);
    const double pw = R * cq * w / (L * cp);
    const double pa = (R * (cq * a - sq * w * w) + L * sp * pw * pw) / (L * cp);
    const double x = R * cq + L * cp;
    const double v = -R * sq * w - L * sp * pw;
    const double acc = -R * (sq * a + cq * w * w) - L * (sp * pa + cp * pw * pw);
    EXPECT_NEAR(r.series("piston/position/x")(k), x, tolerance(1e-9));
    EXPECT_NEAR(r.series("piston/velocity/x")(k), v, tolerance(1e-9) * w);
    EXPECT_NEAR(r.series("piston/acceleration/x")(k), acc, tolerance(1e-9) * w * w);
    // the rod's centre, at half its length, and what it and the others do over w
    const double bx = -R * (sq * a + cq * w * w) - 0.5 * L * (sp * pa + cp * pw * pw);
    const double by = R * (cq * a - sq * w * w) - 0.5 * L * (cp * pa - sp * pw * pw);
    const double vx = -R * sq - 0.5 * L * sp * pw / w, vy = R * cq - 0.5 * L * cp * pw / w;
    const double torque = crank * R * R / 3 * a + 0.5 * crank * kFall * R * cq +
                          rod * (bx * vx + (by + kFall) * vy) + rod * L * L / 12 * pa * pw / w +
                          piston * acc * v / w;
    EXPECT_NEAR(r.series("drive/torque")(k), torque, tolerance(1e-9) * (1 + std::abs(torque)));
  }
}

// Truth: a four-bar linkage as the intersection of two circles; rates from its loop equations.
TEST(Kinematics, AFourBarLinkageFollowsItsLoopEquations) {
  const double a = 0.2, b = 0.5, c = 0.45, d = 0.6;
  const auto joint_at = [&](double q) {  // between coupler and rocker, the upper one
    const Vector3d A(a * std::cos(q), a * std::sin(q), 0), D(d, 0, 0);
    const double f = (D - A).norm(), along = (b * b - c * c + f * f) / (2 * f);
    const Vector3d e = (D - A) / f;
    return Vector3d(A + along * e + std::sqrt(b * b - along * along) * Vector3d(-e.y(), e.x(), 0));
  };
  const Vector3d A(a * std::cos(1.0), a * std::sin(1.0), 0), B = joint_at(1.0), D(d, 0, 0);
  System s = falling_along_y();
  s.bodies = {slender_bar("crank", Vector3d::Zero(), A, 1.0),
              slender_bar("coupler", A, B, 2.0),
              slender_bar("rocker", D, B, 1.5)};
  s.bodies[1].markers["end"].position = B - A;
  pin_at(s, "O", "ground", "crank", Vector3d::Zero());
  pin_at(s, "A", "crank", "coupler", A);
  pin_at(s, "B", "coupler", "rocker", B);
  pin_at(s, "D", "ground", "rocker", D);
  drive_joint(s, "O", "4*t");  // a joint counts its angle from the place where it is written
  s.outputs = {"coupler/end/position", "D/angle", "D/angle_rate", "D/angle_acceleration"};
  Results r;
  kinematics_of(s, every(3.2, 0.05), r);  // two turns
  const double first = std::atan2(B.y(), B.x() - d);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    const double q = 1.0 + 4 * r.time()[static_cast<std::size_t>(k)], w = 4.0;
    const Vector3d P = joint_at(q);
    EXPECT_NEAR(r.series("coupler/end/position/x")(k), P.x(), tolerance(1e-9));
    EXPECT_NEAR(r.series("coupler/end/position/y")(k), P.y(), tolerance(1e-9));
    const double rocker = std::atan2(P.y(), P.x() - d);
    EXPECT_NEAR(r.series("D/angle")(k), rocker - first, tolerance(1e-9));
    const Vector3d crank(a * std::cos(q), a * std::sin(q), 0), coupler = P - crank;
    const double p = std::atan2(coupler.y(), coupler.x());
    // sines of the loop: rates of coupler and rocker
    const double w_rocker = a * w * std::sin(p - q) / (c * std::sin(p - rocker));
    EXPECT_NEAR(r.series("D/angle_rate")(k), w_rocker, tolerance(1e-9) * w);
    const double w_coupler = a * w * std::sin(rocker - q) / (b * std::sin(p - rocker));
    const double a_rocker = (a * w * w * std::cos(p - q) + b * w_coupler * w_coupler -
                             c * w_rocker * w_rocker * std::cos(p - rocker)) /
                            (-c * std::sin(rocker - p));
    EXPECT_NEAR(
        std::abs(r.series("D/angle_acceleration")(k)), std::abs(a_rocker), tolerance(1e-8) * w * w);
  }
}

// Truth: the motion itself, which turns the joint further than half a turn between two rows, and
// may rest at both.
TEST(Kinematics, RowsMayLieMoreThanATurnApart) {
  const double pi = std::numbers::pi;
  for (const char* formula : {"4*t", "7*(t-sin(2*pi*t)/(2*pi))"}) {
    System s = falling_along_y();
    s.bodies = {slender_bar("bar", Vector3d::Zero(), {0, -1, 0}, 1.0)};
    pin_at(s, "pivot", "ground", "bar", Vector3d::Zero());
    drive_joint(s, "pivot", formula);
    s.outputs = {"pivot/angle", "pivot/angle_rate"};
    Results r;
    kinematics_of(s, every(3.0, 1.0), r);
    ASSERT_EQ(r.rows(), 4);
    for (Eigen::Index k = 0; k < r.rows(); ++k) {
      const double t = static_cast<double>(k);
      const bool is_even = formula[0] == '4';
      EXPECT_NEAR(r.series("pivot/angle")(k), (is_even ? 4.0 : 7.0) * t, tolerance(1e-9))
          << formula;
      EXPECT_NEAR(r.series("pivot/angle_rate")(k),
                  is_even ? 4.0 : 7.0 * (1.0 - std::cos(2.0 * pi * t)),
                  tolerance(1e-9))
          << formula;
    }
  }
}

TEST(Kinematics, WhatItCannotDoIsNamed) {
  System s = falling_along_y();
  s.bodies = {slender_bar("bar", Vector3d::Zero(), {0, -1, 0}, 1.0)};
  pin_at(s, "pivot", "ground", "bar", Vector3d::Zero());
  Results r;
  try {
    kinematics_of(s, every(1.0, 0.1), r);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("leave 1 motion free, as of body bar"),
              std::string::npos)
        << error.what();
  }
  // the far end of a link of two bars cannot follow a motion beyond their lengths
  s.bodies.push_back(slender_bar("next", {0, -1, 0}, {1, -1, 0}, 1.0));
  s.bodies[1].markers["end"].position = Vector3d(1, 0, 0);
  pin_at(s, "knee", "bar", "next", {0, -1, 0});
  Motion x, y;
  x.name = "x";
  x.coordinate = Motion::Coordinate::x;
  x.on = "next/end";
  x.value = Value("1 + t");
  y.name = "y";
  y.coordinate = Motion::Coordinate::y;
  y.on = "next/end";
  y.value = Value("-1");
  s.motions = {x, y};
  Results far;
  EXPECT_THROW(kinematics_of(s, every(2.0, 0.1), far), NumericalError);
  EXPECT_GT(far.rows(), 5);
}

// Truth: a spring of stiffness k gives way by F / k; and a leaf spring's force in a slow stroke is
// that of its equation, (E - F) / decay per length.
TEST(QuasiStatics, SpringsFollowLoadsAndPaths) {
  const double k = 2e4, decay = 2e-3, friction = 300.0;
  System s;
  s.bodies = {rigid("seat", 10.0, Vector3d::Zero(), Vector3d::Constant(0.1)),
              rigid("block", 10.0, Vector3d::Zero(), Vector3d::Constant(0.1))};
  s.bodies[0].markers["top"].position = Vector3d(0, 0, 0.5);
  s.bodies[1].position = Vector3d(1, 0, 0);
  for (const char* name : {"seat", "block"}) {
    s.joints.push_back(joint(std::string(name) + "_guide", JointType::prismatic, "ground", name));
    s.joints.back().axis = Vector3d::UnitZ();
  }
  Bushing mount;
  mount.a = "ground";
  mount.b = "block";
  mount.stiffness.diagonal() << k, k, k, 0, 0, 0;
  s.forces.push_back({"mount", mount});
  PointForce load;
  load.on = "block";
  load.value = {Value(0.0), Value(0.0), Value("500*sin(t)")};
  s.forces.push_back({"load", load});
  LeafSpring leaf;
  leaf.a = "ground";
  leaf.b = "seat/top";
  leaf.loading = Table{{-1.0, 1.0}, {-k + friction, k + friction}};
  leaf.unloading = Table{{-1.0, 1.0}, {-k - friction, k - friction}};
  leaf.decay = decay;
  leaf.first_force = 0.0;
  s.forces.push_back({"leaf", leaf});
  drive_joint(s, "seat_guide", "-0.02*t");
  s.motions.back().coordinate = Motion::Coordinate::displacement;
  s.outputs = {"block/position/z", "leaf/value"};
  for (const double step : {1e-2, 1e-3}) {
    Results r;
    equilibria_of(s, every(1.0, step), r);
    for (Eigen::Index i = 0; i < r.rows(); ++i) {
      const double t = r.time()[static_cast<std::size_t>(i)], x = 0.02 * t;
      EXPECT_NEAR(r.series("block/position/z")(i), 500 * std::sin(t) / k, tolerance(1e-9));
      const double lag = friction - k * decay;
      const double push = k * x + lag * (1 - std::exp(-x / decay));
      // a rule of first order in the way from row to row
      EXPECT_NEAR(r.series("leaf/value")(i), push, 0.6 * lag * 0.02 * step / decay + 1e-6);
    }
  }
}

}  // namespace
}  // namespace femflex::mbd_solver

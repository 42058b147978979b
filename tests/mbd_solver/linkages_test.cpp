// Tests linkages with a known path or a known first integral.
#include <array>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

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
using testing::rigid;
using testing::run;
using testing::tolerance;

/// A slender bar from `from` to `to`. Its frame is at `from` and parallel to the world axes.
Body bar(const std::string& name, const Vector3d& from, const Vector3d& to, double mass) {
  const Vector3d along = to - from;
  Body b = rigid(name, mass, 0.5 * along, Vector3d::Zero());
  std::get<RigidInertia>(b.kind).inertia =
      mass / 12.0 * (along.squaredNorm() * Eigen::Matrix3d::Identity() - along * along.transpose());
  b.position = from;
  return b;
}

void pin(System& s,
         const std::string& name,
         const std::string& a,
         const std::string& b,
         const Vector3d& where,
         const Vector3d& axis = Vector3d::UnitZ()) {
  s.joints.push_back(joint(name, JointType::revolute, a, b));
  s.joints.back().at = where;
  s.joints.back().axis = axis;
}

// Truth: a plate on two chains of three hinges, in two perpendicular planes, moves along the line
// of intersection of the planes. Its energy is a function of the angle of the links alone and is
// constant.
TEST(SarrusLinkage, LiftsItsPlateAlongAStraightLine) {
  const double L = 0.4, d = 0.2, mass = 0.6, plate = 2.0, g = 9.81, alpha0 = 0.5;
  const double h = L * std::cos(alpha0), out = d + L * std::sin(alpha0);
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-g)};
  s.bodies = {rigid("plate", plate, Vector3d::Zero(), Vector3d::Constant(0.03))};
  s.bodies[0].position = {0, 0, 2.0 * h};
  for (const bool first : {true, false}) {
    const Vector3d side = first ? Vector3d::UnitX() : Vector3d::UnitY();
    const Vector3d axis = first ? Vector3d::UnitY() : Vector3d(-Vector3d::UnitX());
    const Vector3d up = Vector3d::UnitZ();
    const std::string c = first ? "a" : "b";
    s.bodies.push_back(bar(c + "1", d * side, out * side + h * up, mass));
    s.bodies.push_back(bar(c + "2", out * side + h * up, d * side + 2.0 * h * up, mass));
    pin(s, c + "_low", "ground", c + "1", d * side, axis);
    pin(s, c + "_mid", c + "1", c + "2", out * side + h * up, axis);
    pin(s, c + "_top", c + "2", "plate", d * side + 2.0 * h * up, axis);
  }
  s.outputs = {"plate/position", "plate/orientation", "a_low/angle", "a_low/angle_rate"};
  const double J = mass * L * L / 12.0;
  const auto inertia = [&](double alpha) {
    const double sine = std::sin(alpha), cosine = std::cos(alpha);
    return 2.0 * (J + 0.25 * mass * L * L) +
           2.0 * (J + mass * L * L * (0.25 * cosine * cosine + 2.25 * sine * sine)) +
           plate * 4.0 * L * L * sine * sine;
  };
  const double weight = g * L * (2.0 * plate + 4.0 * mass);
  for (const Integrator method : methods()) {
    Results r;
    const SimulationSummary summary = run(s, accurate(method, 0.35, 0.01, 2e-4), r);
    EXPECT_EQ(summary.assembly.degrees_of_freedom, 1);
    EXPECT_EQ(summary.assembly.redundant.size(), 1U);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      EXPECT_NEAR(r.value(row, 0), 0.0, tolerance(1e-10));
      EXPECT_NEAR(r.value(row, 1), 0.0, tolerance(1e-10));
      for (Eigen::Index q = 4; q < 7; ++q)
        EXPECT_NEAR(r.value(row, q), 0.0, tolerance(1e-10));
      const double alpha = alpha0 + r.value(row, 7), rate = r.value(row, 8);
      EXPECT_NEAR(r.value(row, 2), 2.0 * L * std::cos(alpha), tolerance(1e-9));
      EXPECT_NEAR(0.5 * inertia(alpha) * rate * rate,
                  weight * (std::cos(alpha0) - std::cos(alpha)),
                  bound(method, 1e-6, 1e-4) * weight);
    }
    EXPECT_GT(r.value(r.rows() - 1, 7), 0.5);
  }
}

// Truth: OB OD = a^2 - b^2, so D stays at x = (a^2 - b^2) / (2 r). The height of D follows from the
// angle of the crank.
TEST(PeaucellierLinkage, DrawsAStraightLine) {
  const double r0 = 0.3, a = 0.7, b = 0.25, theta0 = 0.4;
  const double x_line = (a * a - b * b) / (2.0 * r0);
  const double phi = 0.5 * theta0;  // angle of OB and OD
  const Vector3d ray(std::cos(phi), std::sin(phi), 0.0), normal(-std::sin(phi), std::cos(phi), 0.0);
  const Vector3d O = Vector3d::Zero(), Q(r0, 0, 0), B = 2.0 * r0 * std::cos(phi) * ray;
  const Vector3d D = x_line / std::cos(phi) * ray;
  const double half = 0.5 * (D - B).norm();
  const Vector3d middle = 0.5 * (B + D), A = middle + std::sqrt(b * b - half * half) * normal,
                 C = middle - std::sqrt(b * b - half * half) * normal;
  ASSERT_NEAR(A.norm(), a, 1e-12);
  System s;
  s.planar = true;
  s.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  s.bodies = {bar("crank", Q, B, 0.2),
              bar("oa", O, A, 0.5),
              bar("oc", O, C, 0.5),
              bar("ba", B, A, 0.2),
              bar("bc", B, C, 0.2),
              bar("dc", D, C, 0.2),
              bar("da", D, A, 0.2)};
  pin(s, "q", "ground", "crank", Q);
  pin(s, "o1", "ground", "oa", O);
  pin(s, "o2", "ground", "oc", O);
  pin(s, "b1", "crank", "ba", B);
  pin(s, "b2", "crank", "bc", B);
  pin(s, "a1", "oa", "ba", A);
  pin(s, "a2", "oa", "da", A);
  pin(s, "c1", "oc", "bc", C);
  pin(s, "c2", "oc", "dc", C);
  pin(s, "d", "dc", "da", D);
  s.outputs = {"da/position", "q/angle"};
  for (const bool driven : {false, true}) {
    if (driven) s.motions = {{"drive", Motion::Coordinate::angle, "q", "", Value("0.4*sin(3*t)")}};
    for (const Integrator method : methods()) {
      Results r;
      const SimulationSummary summary = run(s, accurate(method, driven ? 2.0 : 0.3, 0.02, 1e-3), r);
      EXPECT_EQ(summary.assembly.degrees_of_freedom, driven ? 0 : 1);
      EXPECT_LT(summary.energy_drift, tolerance(1e-3));
      double travel = 0.0;
      for (Eigen::Index row = 0; row < r.rows(); ++row) {
        EXPECT_NEAR(r.value(row, 0), x_line, tolerance(1e-9));
        EXPECT_NEAR(
            r.value(row, 1), x_line * std::tan(0.5 * (theta0 + r.value(row, 3))), tolerance(1e-9));
        travel = std::max(travel, std::abs(r.value(row, 1) - D.y()));
      }
      EXPECT_GT(travel, 0.15);
    }
  }
}

/// Two rockers whose ends are connected by `couple`.
template <typename Couple>
System coupled_rockers(Couple couple) {
  const Vector3d A(0, 0, 0), B(0.3, 0.9, 0), C(1.4, 1.1, 0), D(1.2, 0, 0);
  System s = testing::planar_under_gravity();
  s.bodies = {bar("left", A, B, 1.0), bar("right", D, C, 2.0)};
  s.bodies[0].markers["end"] = at(0.3, 0.9);
  s.bodies[1].markers["end"] = at(0.2, 1.1);
  pin(s, "l", "ground", "left", A);
  pin(s, "r", "ground", "right", D);
  couple(s, B, C);
  s.outputs = {"l/angle", "r/angle", "l/reaction"};
  return s;
}

// Truth: a massless coupler acts as a distance joint. The difference of a light coupler is
// proportional to its mass.
TEST(FourBar, AMasslessCouplerIsADistance) {
  const System distance = coupled_rockers([](System& s, const Vector3d&, const Vector3d&) {
    s.joints.push_back(joint("rod", JointType::distance, "left/end", "right/end"));
  });
  const auto with_coupler = [](double mass) {
    return coupled_rockers([&](System& s, const Vector3d& B, const Vector3d& C) {
      s.bodies.push_back(bar("coupler", B, C, mass));
      pin(s, "b", "left", "coupler", B);
      pin(s, "c", "right", "coupler", C);
    });
  };
  for (const Integrator method : methods()) {
    const DynamicOptions o = accurate(method, 0.6, 0.05, 1e-3);
    Results truth, massless, light;
    run(distance, o, truth);
    run(with_coupler(0.0), o, massless);
    run(with_coupler(1e-6), o, light);
    EXPECT_GT(std::abs(truth.value(truth.rows() - 1, 0)), 0.3);
    for (Eigen::Index row = 0; row < truth.rows(); ++row)
      for (Eigen::Index c = 0; c < 4; ++c) {
        const double force = c < 2 ? 1.0 : 1e3;
        EXPECT_NEAR(massless.value(row, c), truth.value(row, c), tolerance(1e-8) * force);
        EXPECT_NEAR(light.value(row, c), truth.value(row, c), tolerance(1e-5) * force);
      }
  }
}

// Truth: the period of a pendulum (elliptic integral). A spring of 1e9 N/m stretches by force /
// 1e9.
TEST(StiffSpring, SwingsAsTheRigidRodDoes) {
  System s = testing::planar_under_gravity();
  s.bodies = {testing::point("m", 1.0, {1, 0, 0})};
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "m";
  spring.stiffness = 1e9;
  s.forces = {{"spring", spring}};
  s.outputs = {"m/position", "m/velocity", "spring/length"};
  const double quarter = std::comp_ellint_1(std::sqrt(0.5)) / std::sqrt(9.81);
  for (const Integrator method : methods()) {
    DynamicOptions o = accurate(method, quarter, quarter / 20.0, 2e-4);
    o.max_order = 2;  // a fast oscillation without damping
    o.relative_tolerance = method == Integrator::bdf ? 1e-8 : 1e-10;
    Results r;
    run(s, o, r);
    const Eigen::Index last = r.rows() - 1;
    EXPECT_NEAR(r.value(last, 0), 0.0, tolerance(2e-6));
    EXPECT_NEAR(r.value(last, 1), -1.0, tolerance(2e-6));
    EXPECT_NEAR(std::abs(r.value(last, 3)), std::sqrt(2.0 * 9.81), tolerance(1e-5));
    for (Eigen::Index row = 0; row < r.rows(); ++row)
      EXPECT_NEAR(r.value(row, 6), 1.0, tolerance(1e-7));  // the force of the spring is at most 3 m
                                                           // g
  }
}

// Truth: the ends of the bars are about 2 cm apart at the start. After assembly they coincide, and
// remain together.
TEST(ClosedChain, StartedOpenIsClosedByAssemblyAndStaysSo) {
  System s = coupled_rockers([](System& system, const Vector3d& B, const Vector3d& C) {
    Body coupler = bar("coupler", B, C, 0.5);
    coupler.position += Vector3d(0.01, -0.02, 0.0);
    coupler.orientation = testing::turn_z(0.02);
    coupler.markers["b"] = at(0, 0);
    coupler.markers["c"] = at((C - B).x(), (C - B).y());
    system.bodies.push_back(coupler);
    system.joints.push_back(joint("b", JointType::revolute, "left/end", "coupler/b"));
    system.joints.push_back(joint("c", JointType::revolute, "right/end", "coupler/c"));
  });
  s.outputs = {
      "left/end/position", "coupler/b/position", "right/end/position", "coupler/c/position"};
  for (const Integrator method : methods()) {
    Results r;
    const SimulationSummary summary = run(s, accurate(method, 0.5, 0.05, 1e-3), r);
    EXPECT_GT(summary.assembly.constraint_before, 0.01);
    EXPECT_GT(summary.assembly.position_change, 1e-3);
    EXPECT_LT(summary.assembly.position_change, 0.05);
    EXPECT_LT(summary.assembly.constraint_after, tolerance(1e-12));
    for (Eigen::Index row = 0; row < r.rows(); ++row)
      for (const Eigen::Index c : {0, 1, 6, 7})
        EXPECT_NEAR(r.value(row, c), r.value(row, c + 3), tolerance(1e-9));
  }
}

/// A slider-crank in which `motion` prescribes the crank or the slider.
System crank_and_slider(const Motion& motion) {
  const double angle = 0.3, r = 0.15, l = 0.4;
  const Vector3d tip(r * std::cos(angle), r * std::sin(angle), 0.0);
  const Vector3d end(tip.x() + std::sqrt(l * l - tip.y() * tip.y()), 0.0, 0.0);
  System s;
  s.planar = true;
  s.bodies = {bar("crank", Vector3d::Zero(), tip, 0.4),
              bar("rod", tip, end, 0.3),
              rigid("slider", 0.5, Vector3d::Zero(), Vector3d::Constant(1e-3))};
  s.bodies[2].position = end;
  pin(s, "main", "ground", "crank", Vector3d::Zero());
  pin(s, "crankpin", "crank", "rod", tip);
  pin(s, "gudgeon", "rod", "slider", end);
  s.joints.push_back(joint("bore", JointType::prismatic, "ground", "slider"));
  s.joints.back().at = end;
  s.joints.back().axis = Vector3d::UnitX();
  s.motions = {motion};
  s.outputs = {"slider/position/x", "slider/velocity/x", "main/angle"};
  return s;
}

// Truth: x = r cos + sqrt(l^2 - r^2 sin^2), through both dead centres and back.
TEST(SliderCrank, PassesBothDeadCentresWithADrivenCrank) {
  const double r0 = 0.15, l = 0.4;
  const System s =
      crank_and_slider({"drive", Motion::Coordinate::angle, "main", "", Value("4*t + 2*sin(t)")});
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 3.0, 0.025, 1e-3), r);
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      const double t = r.time()[static_cast<std::size_t>(row)];
      const double angle = 0.3 + 4.0 * t + 2.0 * std::sin(t), rate = 4.0 + 2.0 * std::cos(t);
      const double height = r0 * std::sin(angle), foot = std::sqrt(l * l - height * height);
      EXPECT_NEAR(r.value(row, 0), r0 * std::cos(angle) + foot, tolerance(1e-9));
      EXPECT_NEAR(r.value(row, 1),
                  -height * rate * (1.0 + r0 * std::cos(angle) / foot),
                  bound(method, 1e-8, 1e-4));
    }
  }
}

// Truth: the slider of a crank that turns to and fro, with the rate after each turn at its row. The
// kinetic energy is the same before and after, so that the motion does no work there.
TEST(SliderCrank, ARowAtAKinkOfItsMotionHasTheRateAfterIt) {
  const double r0 = 0.15, l = 0.4;
  for (const char* angle : {"abs(t-1)", "max(1-t, t-1)", "2*abs(0.5*t-0.5)"}) {
    const System s =
        crank_and_slider({"drive", Motion::Coordinate::angle, "main", "", Value(angle)});
    for (const Integrator method : methods()) {
      Results r;
      const SimulationSummary done = run(s, accurate(method, 2.0, 0.25, 1e-3), r);
      EXPECT_LT(done.energy_drift, bound(method, 1e-7, 1e-4)) << name_of(method) << ", " << angle;
      for (Eigen::Index row = 0; row < r.rows(); ++row) {
        const double t = r.time()[static_cast<std::size_t>(row)];
        const double now = 0.3 + std::abs(t - 1.0), rate = t < 1.0 ? -1.0 : 1.0;
        const double height = r0 * std::sin(now), foot = std::sqrt(l * l - height * height);
        EXPECT_NEAR(r.value(row, 1),
                    -height * rate * (1.0 + r0 * std::cos(now) / foot),
                    bound(method, 1e-8, 1e-4))
            << name_of(method) << ", " << angle << ", " << t << " s";
      }
    }
  }
}

// Truth: the same run without the pause, which lies before the kink or on it.
TEST(SliderCrank, ARunPausedAtAKinkOfItsMotionOrBeforeGoesOnBitForBit) {
  System s = crank_and_slider({"drive", Motion::Coordinate::angle, "main", "", Value("abs(t-1)")});
  s.outputs = {"slider/position/x", "slider/velocity/x", "main/reaction", "energy"};
  DynamicOptions options;
  options.end = 1.5;
  options.output_step = 0.125;
  Results whole;
  run(s, options, whole);
  for (const double pause : {0.5, 1.0}) {
    Results first, rest;
    DynamicOptions part = options;
    part.end = pause;
    const SimulationSummary half = run(s, part, first);
    part.end = options.end;
    part.restart = half.final_state;
    run(s, part, rest);
    const auto at_pause = static_cast<Eigen::Index>(std::lround(pause / options.output_step));
    for (std::size_t k = 0; k < whole.channels().size(); ++k) {
      const auto channel = static_cast<Eigen::Index>(k);
      EXPECT_EQ(whole.value(at_pause, channel), first.value(at_pause, channel))
          << whole.channels()[k].name << ", pause at " << pause << " s";
      EXPECT_EQ(whole.value(whole.rows() - 1, channel), rest.value(rest.rows() - 1, channel))
          << whole.channels()[k].name << ", pause at " << pause << " s";
    }
  }
}

// Truth: the distance of the slider from the crank axis never exceeds r + l, for any prescribed
// motion.
TEST(SliderCrank, DrivenPastItsDeadCentreEndsTheRunWithRowsThatClose) {
  const System s =
      crank_and_slider({"drive", Motion::Coordinate::displacement, "bore", "", Value("0.1*t")});
  const double reach = 0.15 + 0.4;
  for (const Integrator method : methods()) {
    DynamicOptions o;
    o.end = 1.0;
    o.output_step = 1e-3;
    o.integrator = method;
    Results r;
    Diagnostics diagnostics;
    const SimulationSummary summary = simulate(s, o, r, diagnostics, no_progress());
    EXPECT_EQ(summary.status, RunStatus::step_failed) << name_of(method);
    EXPECT_FALSE(summary.reason.empty());
    EXPECT_LT(summary.constraint_violation, tolerance(1e-8)) << name_of(method);
    const double start = r.value(0, 0), dead = (reach - start) / 0.1;
    EXPECT_NEAR(r.time().back(), dead, 0.05 * dead) << name_of(method);
    EXPECT_LE(r.value(r.rows() - 1, 0), reach + tolerance(1e-8)) << name_of(method);
  }
}

}  // namespace
}  // namespace femflex::mbd_solver

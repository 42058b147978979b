// Tests friction of joints, springs and contacts, and leaf springs. Truth: closed forms, stated at
// each test.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/statics.h"

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
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

/// A block of 2 kg with friction that slides along x.
System sliding_block(const Friction& friction) {
  System s;
  s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("slide", JointType::prismatic, "ground", "block")};
  s.joints[0].axis = Vector3d::UnitX();
  Friction own = friction;
  own.joint = "slide";
  s.forces = {{"friction", own}};
  s.outputs = {"block/position/x", "block/velocity/x", "friction/value"};
  return s;
}

void drive(System& s, const std::string& formula) {
  Motion motion;
  motion.name = "drive";
  motion.joint = "slide";
  motion.coordinate = Motion::Coordinate::displacement;
  motion.value = Value(formula);
  s.motions = {motion};
}

void push(System& s, double force) {
  PointForce load;
  load.on = "block";
  load.value = {Value(force), Value(0.0), Value(0.0)};
  s.forces.push_back({"push", load});
}

double last(const Results& r, const std::string& channel) {
  return r.series(channel)(r.series(channel).size() - 1);
}

Friction bristles(laws::FrictionModel model) {
  Friction friction;
  friction.model = model;
  friction.sliding = 3.0;
  friction.bristles.stiffness = 1e4;
  return friction;
}

// Truth: under a force below the friction level the regularised form creeps at v0 atanh(F / level);
// above the level the block accelerates by (F - level) / m.
TEST(Friction, RegularisedCreepsAsToldAndSlidesAtTheLevel) {
  Friction friction;
  friction.sliding = 3.0;
  friction.transition_velocity = 1e-3;
  for (const Integrator method : methods()) {
    System creeping = sliding_block(friction);
    push(creeping, 2.0);
    Results r;
    run(creeping, accurate(method, 1.0, 0.1, 1e-3), r);
    EXPECT_NEAR(last(r, "block/velocity/x"), 1e-3 * std::atanh(2.0 / 3.0), tolerance(1e-9))
        << name_of(method);
    System sliding = sliding_block(friction);
    push(sliding, 5.0);
    Results fast;
    const auto summary = run(sliding, accurate(method, 1.0, 0.1, 1e-4), fast);
    // acceleration (5 N - 3 N) / 2 kg = 1 m/s^2, except at the start below v0
    EXPECT_NEAR(last(fast, "block/velocity/x"), 1.0, tolerance(2e-3)) << name_of(method);
    EXPECT_LT(summary.energy_drift, tolerance(1e-5)) << name_of(method);
  }
}

// Truth: at rest regularised friction is a damper of F / v0, whatever v0; with the mass m and a
// spring k its damping ratio is F / (2 v0 sqrt(k m)).
TEST(Friction, RegularisedIsADamperAtRest) {
  constexpr double k = 200.0, mass = 2.0, ratio = 0.1;
  for (const double v0 : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    Friction friction;
    friction.transition_velocity = v0;
    friction.sliding = ratio * 2.0 * v0 * std::sqrt(k * mass);
    System s = sliding_block(friction);
    s.bodies.push_back(rigid("wall", 1.0, Vector3d(-1.0, 0.0, 0.0), Vector3d::Constant(1.0)));
    s.joints.push_back(joint("hold", JointType::fixed, "ground", "wall"));
    SpringDamper spring;
    spring.a = "wall";
    spring.b = "block";
    spring.stiffness = k;
    s.forces.push_back({"spring", spring});
    Diagnostics diagnostics;
    AssemblyReport report;
    const Linearisation linear = linearise(s, assemble(s, report, diagnostics), diagnostics);
    ASSERT_EQ(linear.modes.size(), 1U) << v0;
    EXPECT_NEAR(linear.modes[0].damping_ratio, ratio, tolerance(1e-6)) << v0;
  }
}

// Truth: z = g / sigma_0 (1 - exp(-sigma_0 v t / g)) at constant speed; g includes the Stribeck
// effect.
TEST(Friction, LuGreAtConstantSpeed) {
  Friction friction = bristles(laws::FrictionModel::lugre);
  friction.sticking_ratio = 1.5;
  friction.stribeck_velocity = 0.01;
  friction.viscous = 4.0;
  friction.bristles.damping = 20.0;
  System s = sliding_block(friction);
  drive(s, "0.005*t");
  const double v = 0.005, g = 3.0 + 1.5 * std::exp(-0.25), decay = 1e4 * v / g;
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 0.5, 0.01, 1e-4), r);
    for (Eigen::Index k = 1; k < r.rows(); ++k) {
      const double left = std::exp(-decay * r.time()[static_cast<std::size_t>(k)]);
      const double force = g * (1.0 - left) + 20.0 * v * left + 4.0 * v;
      EXPECT_NEAR(r.series("friction/value")(k),
                  -force,
                  bound(method, tolerance(1e-6), tolerance(1e-5)) * g)
          << name_of(method);
    }
  }
}

// Truth: for x = A sin(w t), z is an exponential in x on each branch. With s = sigma_0 / level it
// is z1 = (1 - exp(-s A)) / s at the first reversal and -1/s + (z1 + 1/s) exp(-2 s A) at the
// second.
TEST(Friction, DahlAndLuGreLoops) {
  const double A = 5e-4, s = 1e4 / 3.0;
  const double first = (1.0 - std::exp(-s * A)) / s;
  const double second = -1.0 / s + (first + 1.0 / s) * std::exp(-2.0 * s * A);
  for (const auto model : {laws::FrictionModel::dahl, laws::FrictionModel::lugre}) {
    System system = sliding_block(bristles(model));
    drive(system, "0.0005*sin(2*pi*t)");
    for (const Integrator method : methods()) {
      Results r;
      auto options = accurate(method, 0.75, 0.25, 5e-5);
      run(system, options, r);
      const double allowed = bound(method, tolerance(1e-6), tolerance(1e-6)) * 3.0;
      EXPECT_NEAR(r.series("friction/value")(1), -1e4 * first, allowed) << name_of(method);
      EXPECT_NEAR(r.series("friction/value")(3), -1e4 * second, allowed) << name_of(method);
    }
  }
}

// Truth: LuGre carries a load below its level at the deflection F / sigma_0 without creep.
TEST(Friction, LuGreSticks) {
  Friction friction = bristles(laws::FrictionModel::lugre);
  friction.bristles.damping = 200.0;
  System s = sliding_block(friction);
  push(s, 2.0);
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 20.0, 1.0, 1e-3), r);
    const double settled = r.series("block/position/x")(2);
    EXPECT_NEAR(last(r, "block/position/x"), settled, 1e-9) << name_of(method);
    EXPECT_LT(settled, 2.0 * 2.0 / 1e4) << name_of(method);
  }
}

// Truth: Coulomb friction reduces the amplitude of a spring-mass system by 4 level / k per cycle.
TEST(Friction, CoulombDecaysLinearly) {
  Friction friction;
  friction.sliding = 0.5;
  friction.transition_velocity = 1e-5;
  System s = sliding_block(friction);
  s.bodies[0].position = {0.1, 0.0, 0.0};
  Bushing spring;
  spring.a = "ground";
  spring.b = "block";
  spring.stiffness(0, 0) = 200.0;
  spring.preload(0) = -20.0;  // the spring then has no force at x = 0
  s.forces.push_back({"spring", spring});
  const double period = 2.0 * std::numbers::pi * std::sqrt(2.0 / 200.0);
  Results r;
  DynamicOptions o = accurate(Integrator::runge_kutta, 3.0 * period, period, 1e-4);
  o.relative_tolerance = 1e-8;
  o.absolute_tolerance = 1e-9;
  run(s, o, r);
  for (int cycle = 1; cycle <= 3; ++cycle)
    EXPECT_NEAR(r.series("block/position/x")(cycle),
                0.1 - cycle * 4.0 * 0.5 / 200.0,
                tolerance(1e-4) * 0.1);
}

// Truth: a block on a slope of angle gamma accelerates by g (sin - mu cos). If mu exceeds tan gamma
// the block rests on bristles with the deflection tan gamma / sigma_0.
TEST(Friction, AContactSlidesDownASlopeOrStays) {
  const double angle = 0.3, g = 9.81;
  for (const double mu : {0.2, 0.5}) {
    System s;
    s.gravity = {Value(g * std::sin(angle)), Value(0.0), Value(-g * std::cos(angle))};
    s.bodies = {point("block", 3.0, {0.0, 0.0, -3.0 * g * std::cos(angle) / 1e5})};
    Contact floor;
    floor.on = "block";
    floor.stiffness = 1e5;
    floor.damping = 1e3;
    ContactFriction friction;
    friction.model = laws::FrictionModel::lugre;
    friction.level.sliding = friction.level.sticking = mu;
    friction.bristles.stiffness = 1e4;
    friction.bristles.damping = 30.0;
    floor.friction = friction;
    s.forces = {{"floor", floor}};
    s.outputs = {"block/position/x", "block/velocity/x", "floor/state/1"};
    for (const Integrator method : methods()) {
      Results r;
      const auto summary = run(s, accurate(method, 1.0, 0.1, 2e-4), r);
      EXPECT_LT(summary.energy_drift, tolerance(1e-4)) << name_of(method);
      const double pull = std::tan(angle) / mu;
      if (pull > 1.0) {
        EXPECT_NEAR(last(r, "block/velocity/x") - r.series("block/velocity/x")(5),
                    0.5 * g * (std::sin(angle) - mu * std::cos(angle)),
                    tolerance(1e-6))
            << name_of(method);
      } else {
        EXPECT_NEAR(last(r, "floor/state/1"), std::tan(angle) / 1e4, tolerance(1e-10))
            << name_of(method);
        EXPECT_NEAR(last(r, "block/position/x"), r.series("block/position/x")(5), 1e-9)
            << name_of(method);
      }
    }
  }
}

// Truth: the area of the steady loop between the envelopes k x +- C by Fancher's rate-independent
// law: P = C - k beta, q = exp(-2 A / beta), f = -P (1 - q) / (1 + q), area = 2 (2 A P + (f - P)
// beta (1 - q)).
TEST(LeafSpring, TheWorkOfACycleIsTheAreaOfItsLoop) {
  const double k = 1e5, C = 2e3, beta = 4e-3, A = 0.03;
  LeafSpring spring;
  spring.a = "ground/eye";
  spring.b = "block";
  spring.loading = Table{{-1.0, 1.0}, {-k + C, k + C}};
  spring.unloading = Table{{-1.0, 1.0}, {-k - C, k - C}};
  spring.decay = beta;
  System s = sliding_block({});
  s.ground_markers["eye"] = testing::at(-1.0, 0.0);
  s.forces = {{"leaf", spring}};
  s.outputs = {"leaf/value", "energy/work", "block/position/x"};
  drive(s, "0.03*sin(2*pi*t)");
  const double P = C - k * beta, q = std::exp(-2.0 * A / beta);
  const double f = -P * (1.0 - q) / (1.0 + q);
  const double area = 2.0 * (2.0 * A * P + (f - P) * beta * (1.0 - q));
  for (const double step : {4e-3, 1e-3}) {
    DynamicOptions o;
    o.end = 3.0;
    o.output_step = 0.004;
    o.step = step;
    Results r;
    run(s, o, r);
    // The total work of a cycle is zero, because the motion supplies what the spring dissipates.
    // The area of the loop is therefore integrated here.
    double loop = 0.0;
    const auto& F = r.series("leaf/value");
    const auto& x = r.series("block/position/x");
    for (Eigen::Index i = x.size() - 250; i < x.size(); ++i)
      loop -= 0.5 * (F(i) + F(i - 1)) * (x(i) - x(i - 1));
    EXPECT_NEAR(loop, area, tolerance(1e-3) * area) << step;
  }
}

// Truth: the parameters of the simulated loop. On one branch beta dF/dd = k d + C - F, which is
// linear in k / beta, C / beta and 1 / beta.
TEST(LeafSpring, ItsNumbersAreFoundFromASimulatedLoop) {
  const double k = 1e5, C = 2e3, beta = 4e-3;
  constexpr double kForceScale = 1e-5, kWayScale = 1e-2;  // scale the columns
  LeafSpring spring;
  spring.a = "ground/eye";
  spring.b = "block";
  spring.loading = Table{{-1.0, 1.0}, {-k + C, k + C}};
  spring.unloading = Table{{-1.0, 1.0}, {-k - C, k - C}};
  spring.decay = beta;
  System s = sliding_block({});
  s.ground_markers["eye"] = testing::at(-1.0, 0.0);
  s.forces = {{"leaf", spring}};
  s.outputs = {"leaf/value", "leaf/length"};
  drive(s, "0.03*sin(2*pi*t)");
  DynamicOptions o;
  o.end = 2.0;
  o.step = o.output_step = 5e-4;
  Results r;
  run(s, o, r);
  const auto& F = r.series("leaf/value");
  const auto& d = r.series("leaf/length");
  Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
  Vector3d right = Vector3d::Zero();
  for (Eigen::Index i = 1; i + 1 < d.size(); ++i) {
    const double way = d(i + 1) - d(i - 1);
    if (way < 1e-5) continue;  // uses the loading branch without its ends
    const Vector3d row(d(i), kWayScale, -F(i) * kForceScale);
    normal += row * row.transpose();
    right += row * ((F(i + 1) - F(i - 1)) / way);
  }
  const Vector3d found = normal.ldlt().solve(right);
  const double found_beta = 1.0 / (kForceScale * found(2));
  EXPECT_NEAR(found_beta, beta, tolerance(1e-3) * beta);
  EXPECT_NEAR(found(0) * found_beta, k, tolerance(1e-3) * k);
  EXPECT_NEAR(kWayScale * found(1) * found_beta, C, tolerance(5e-3) * C);
}

// Truth: the force equals the weight and is between the envelopes. A run that starts there stays at
// rest.
TEST(LeafSpring, StaticsFindsARest) {
  LeafSpring spring;
  spring.a = "ground";
  spring.b = "axle";
  spring.loading = Table{{-1.0, 1.0}, {-198e3, 202e3}};
  spring.unloading = Table{{-1.0, 1.0}, {-202e3, 198e3}};
  spring.decay = 3e-3;
  spring.length = 0.6;
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {rigid("axle", 2000.0, Vector3d::Zero(), Vector3d::Constant(50.0))};
  s.bodies[0].position = {0.0, 0.0, 0.52};
  s.joints = {joint("guide", JointType::prismatic, "ground", "axle")};
  s.joints[0].axis = Vector3d::UnitZ();
  s.forces = {{"leaves", spring}};
  s.outputs = {"leaves/value", "leaves/length", "axle/position/z"};
  Results r, after;
  Diagnostics diagnostics;
  Progress progress;
  const StaticSummary summary = solve_statics(s, {}, r, diagnostics, progress);
  ASSERT_TRUE(summary.converged) << summary.reason;
  const double push = r.series("leaves/value")(0), way = r.series("leaves/length")(0);
  EXPECT_NEAR(push, 2000.0 * 9.81, 1e-6 * push);
  EXPECT_LT(push, 200e3 * way + 2e3);
  EXPECT_GT(push, 200e3 * way - 2e3);
  DynamicOptions o;
  o.end = 1.0;
  o.restart = summary.state;
  run(s, o, after);
  EXPECT_NEAR(last(after, "axle/position/z"), r.series("axle/position/z")(0), 1e-6);
}

// Truth: a body turning at rate w penetrates an elastic stop by w sqrt(J / k) and leaves it with
// -w, after any number of turns. The same applies to a sliding body.
TEST(BumpStop, EndsTheAngleOrTheDisplacementOfAJoint) {
  for (const bool turns : {true, false}) {
    System s;
    s.bodies = {rigid("block", 2.0, Vector3d::Zero(), Vector3d::Constant(2.0))};
    (turns ? s.bodies[0].angular_velocity : s.bodies[0].velocity) = 7.0 * Vector3d::UnitX();
    s.joints = {
        joint("guide", turns ? JointType::revolute : JointType::prismatic, "ground", "block")};
    s.joints[0].axis = Vector3d::UnitX();
    BumpStop stop;
    stop.joint = "guide";
    stop.min = -1.0;
    stop.max = 14.0;
    stop.stiffness = 5e3;
    s.forces = {{"stop", stop}};
    const std::string q = turns ? "guide/angle" : "guide/displacement";
    s.outputs = {q, q + "_rate"};
    const double half_period = std::numbers::pi * std::sqrt(2.0 / 5e3);
    Results r;
    const auto summary = run(
        s,
        accurate(Integrator::runge_kutta, 2.0 + half_period + 1.0, 2.0 + 0.5 * half_period, 1e-3),
        r);
    EXPECT_NEAR(r.series(q)(1), 14.0 + 7.0 * std::sqrt(2.0 / 5e3), tolerance(1e-5));
    EXPECT_NEAR(last(r, q + "_rate"), -7.0, tolerance(1e-6));
    EXPECT_LT(summary.energy_drift, tolerance(1e-6));
  }
}

// Truth: a ball thrown along a plane finally rolls with 5/7 of its speed for any friction. While it
// slides, r w = 5/2 (v0 - v).
TEST(Contact, AThrownBallRollsInTheEnd) {
  const double radius = 0.1, m = 3.0, g = 9.81;
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-g)};
  s.bodies = {rigid("ball", m, Vector3d::Zero(), Vector3d::Constant(0.4 * m * radius * radius))};
  s.bodies[0].position = {0.0, 0.0, radius - m * g / 1e5};
  s.bodies[0].velocity = {2.0, 0.0, 0.0};
  Contact floor;
  floor.on = "ball";
  floor.radius = radius;
  floor.stiffness = 1e5;
  ContactFriction friction;
  friction.level.sliding = friction.level.sticking = 0.3;
  friction.transition_velocity = 1e-4;
  floor.friction = friction;
  s.forces = {{"floor", floor}};
  s.outputs = {"ball/velocity/x", "ball/angular_velocity/y"};
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 1.0, 0.5, 2e-4), r);
    EXPECT_NEAR(last(r, "ball/velocity/x"), 2.0 * 5.0 / 7.0, tolerance(1e-4)) << name_of(method);
    EXPECT_NEAR(
        last(r, "ball/angular_velocity/y"), 2.0 * 5.0 / 7.0 / radius, tolerance(1e-3) / radius)
        << name_of(method);
    EXPECT_LT(summary.energy_drift, tolerance(1e-3)) << name_of(method);
  }
}

// Truth: momentum and energy. Equal spheres exchange their velocities along the line of centres;
// without friction the other components do not change.
TEST(Contact, SpheresBounceOffEachOther) {
  System s;
  s.bodies = {rigid("one", 2.0, Vector3d::Zero(), Vector3d::Constant(0.01)),
              rigid("two", 2.0, Vector3d::Zero(), Vector3d::Constant(0.01))};
  s.bodies[0].velocity = {1.0, 0.3, 0.0};
  s.bodies[1].position = {0.5, 0.15, 0.0};
  Contact contact;
  contact.on = "two";
  contact.sphere = "one";
  contact.radius = 0.1;
  contact.sphere_radius = 0.15;
  contact.stiffness = 1e6;
  s.forces = {{"touch", contact}};
  s.outputs = {"one/velocity", "two/velocity", "touch/value"};
  Results r;
  const auto summary = run(s, accurate(Integrator::runge_kutta, 0.5, 0.5, 1e-3), r);
  // the collision is central: the line of centres is along the velocity
  EXPECT_NEAR(last(r, "one/velocity/x"), 0.0, tolerance(1e-6));
  EXPECT_NEAR(last(r, "two/velocity/x"), 1.0, tolerance(1e-6));
  EXPECT_NEAR(last(r, "two/velocity/y"), 0.3, tolerance(1e-6));
  EXPECT_LT(summary.energy_drift, tolerance(1e-6));
}

// Truth: p V^n = const.
TEST(AirSpring, FollowsItsGas) {
  AirSpring spring;
  spring.a = "ground/eye";
  spring.b = "block";
  spring.area = 0.02;
  spring.volume = 4e-3;
  spring.pressure = 6e5;
  System s = sliding_block({});
  s.ground_markers["eye"] = testing::at(-0.3, 0.0);
  s.forces = {{"bellows", spring}};
  s.outputs = {"bellows/value", "energy"};
  drive(s, "0.05*sin(2*pi*t)");
  Results r;
  const auto summary = run(s, accurate(Integrator::runge_kutta, 0.25, 0.25, 1e-3), r);
  EXPECT_NEAR(last(r, "bellows/value"),
              0.02 * (6e5 * std::pow(4.0 / 5.0, 1.4) - 101325.0),
              tolerance(1e-6));
  EXPECT_LT(summary.energy_drift, tolerance(1e-6));
}

// Truth: two places in one have no direction between them.
TEST(AirSpring, BetweenPlacesInOneIsRefused) {
  AirSpring spring;
  spring.a = "ground/eye";
  spring.b = "block";
  spring.area = 1e-3;
  spring.volume = 1e-2;
  spring.length = 0.3;
  System s = sliding_block({});
  s.ground_markers["eye"] = testing::at(0.0, 0.0);
  s.forces = {{"bellows", spring}};
  Results r;
  EXPECT_THROW(run(s, accurate(Integrator::runge_kutta, 0.1, 0.1, 1e-3), r), ModelError);
}

/// How a run of 1 s ends of a block that 5 N push, against friction with the level 1 - 4 t [N].
SimulationSummary end_of_sinking_level(Friction friction, Integrator integrator) {
  friction.sliding = Value("1 - 4*t");
  System s = sliding_block(friction);
  push(s, 5.0);
  Results r;
  Diagnostics diagnostics;
  Progress progress;
  return simulate(s, accurate(integrator, 1.0, 0.1, 1e-2), r, diagnostics, progress);
}

// Truth: the formula 1 - 4 t is below zero after 0.25 s. Magnitudes of a level are asked for by
// abs().
TEST(Friction, ALevelThatTurnsNegativeEndsTheRun) {
  for (const laws::FrictionModel model :
       {laws::FrictionModel::regularised, laws::FrictionModel::set_valued}) {
    Friction friction;
    friction.model = model;
    const SimulationSummary summary = end_of_sinking_level(friction, Integrator::generalised_alpha);
    EXPECT_EQ(summary.status, RunStatus::step_failed);
    EXPECT_NEAR(summary.end_time, 0.3, 1e-12);
    EXPECT_NE(summary.reason.find("at t = 0.3 s its friction level 1 - 4*t is -0.2"),
              std::string::npos)
        << summary.reason;
    EXPECT_NE(summary.remedy.find("abs"), std::string::npos);
    friction.sliding = Value("abs(1 - 4*t)");
    Results whole;
    run(sliding_block(friction), accurate(Integrator::generalised_alpha, 1.0, 0.1, 1e-2), whole);
  }
}

// Truth: bristles of the stiffness s and the level F slide with the deflection F / s, so no step
// follows them where F = 1 - 4 t vanishes. The reason names the force, not the mass.
TEST(Friction, BristlesWhoseLevelVanishesAreNamed) {
  const SimulationSummary summary =
      end_of_sinking_level(bristles(laws::FrictionModel::lugre), Integrator::runge_kutta);
  EXPECT_EQ(summary.status, RunStatus::step_failed);
  EXPECT_NE(summary.reason.find("force friction: at t = 0.25 s"), std::string::npos)
      << summary.reason;
  EXPECT_FALSE(summary.remedy.empty());
}

TEST(Friction, WrongNumbersAreRefused) {
  const auto refuses = [](const Friction& friction) {
    Results r;
    EXPECT_THROW(run(sliding_block(friction), {}, r), ModelError);
  };
  Friction friction;
  friction.sliding = -1.0;
  refuses(friction);
  friction.sliding = 1.0;
  friction.sticking_ratio = 0.5;
  refuses(friction);
  friction.sticking_ratio = 1.0;
  friction.transition_velocity = 0.0;
  refuses(friction);
  friction.model = laws::FrictionModel::lugre;
  refuses(friction);
}

}  // namespace
}  // namespace femflex::mbd_solver

// Tests derivatives of runs with respect to parameters. Truth: closed forms, and fourth-order
// differences of whole runs, which do not use tangents.
#include "femflex/mbd_solver/run_tangent.h"

#include <cmath>
#include <functional>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/results.h"

#include "benchmarks.h"
#include "flexible_mechanisms.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing::joint;
using testing::point;
using testing::rigid;
using testing::tolerance;

/// A system as a function of one parameter.
using SystemOf = std::function<System(double)>;

/// Stores the rows and their derivatives.
class TangentRows : public TangentSink {
 public:
  void begin(std::span<const Channel> channels) override {
    for (const Channel& each : channels)
      names.push_back(each.name);
  }
  void append(double t, std::span<const double> row, const MatrixXd& row_slopes) override {
    time.push_back(t);
    values.emplace_back(
        Eigen::Map<const Eigen::VectorXd>(row.data(), static_cast<Eigen::Index>(row.size())));
    slopes.emplace_back(row_slopes);
  }
  std::vector<std::string> names;
  std::vector<double> time;
  std::vector<Eigen::VectorXd> values;
  std::vector<MatrixXd> slopes;
};

DynamicOptions tight_options(double end, double step) {
  DynamicOptions options;
  options.end = end;
  options.step = step;
  options.output_step = 10.0 * step;
  options.newton_tolerance = 1e-12;  // makes the Newton error smaller than the error of differences
  options.max_newton = 40;
  return options;
}

TangentSummary tangents_of(const SystemOf& system,
                           double p,
                           const DynamicOptions& options,
                           TangentRows& rows) {
  TangentParameter parameter;
  parameter.name = "p";
  parameter.change = 1e-4 * std::abs(p);
  parameter.at = [&](double change, bool) { return ChangedSystem{system(p + change), {}}; };
  Diagnostics diagnostics;
  Progress progress;
  return simulate_with_tangents(system(p), {parameter}, options, rows, diagnostics, progress);
}

MatrixXd rows_of(const System& system, const DynamicOptions& options) {
  Results results;
  Diagnostics diagnostics;
  Progress progress;
  const SimulationSummary run = simulate(system, options, results, diagnostics, progress);
  EXPECT_EQ(run.status, RunStatus::complete) << run.reason;
  MatrixXd out(results.rows(), static_cast<Eigen::Index>(results.channels().size()));
  for (Eigen::Index r = 0; r < out.rows(); ++r)
    for (Eigen::Index c = 0; c < out.cols(); ++c)
      out(r, c) = results.value(r, c);
  return out;
}

/// Checks that the derivatives of all channels in all rows equal differences of runs, relative to
/// the largest value of the channel.
/// @param share  step of the differences divided by p; large enough to make rounding errors of the
/// runs negligible
void expect_differences(const SystemOf& system,
                        double p,
                        const DynamicOptions& options,
                        double share = 1e-3) {
  TangentRows rows;
  const TangentSummary summary = tangents_of(system, p, options, rows);
  ASSERT_EQ(summary.run.status, RunStatus::complete) << summary.run.reason;
  ASSERT_FALSE(summary.breaks[0]) << summary.breaks[0]->reason;
  const double h = share * std::abs(p);
  const auto at = [&](double change) { return rows_of(system(p + change), options); };
  const MatrixXd differences = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
  const MatrixXd here = at(0.0);
  ASSERT_EQ(differences.rows(), static_cast<Eigen::Index>(rows.slopes.size()));
  for (Eigen::Index c = 0; c < differences.cols(); ++c) {
    const double size = differences.col(c).cwiseAbs().maxCoeff();
    // channels that do not depend on p contain only noise
    const double noise = (1e-8 * here.col(c).cwiseAbs().maxCoeff() + 1e-12) / std::abs(p);
    double error = 0.0;
    for (Eigen::Index r = 0; r < differences.rows(); ++r) {
      const auto row = static_cast<std::size_t>(r);
      EXPECT_EQ(rows.values[row](c), here(r, c)) << rows.names[static_cast<std::size_t>(c)];
      error = std::max(error, std::abs(rows.slopes[row](c, 0) - differences(r, c)));
    }
    EXPECT_LE(error, tolerance(1e-6) * size + noise)
        << rows.names[static_cast<std::size_t>(c)] << " " << size;
  }
}

// --- systems -------------------------------------------------------------------------------------

System oscillator(double stiffness) {
  System s;
  s.bodies = {point("mass", 2.0, {1.1, 0.0, 0.0})};
  SpringDamper spring;
  spring.a = "ground";
  spring.b = "mass";
  spring.stiffness = stiffness;
  spring.length = 1.0;
  s.forces = {{"spring", spring}};
  s.outputs = {"mass/position/x", "mass/velocity/x"};
  return s;
}

/// A bar with a revolute joint at an inner point, which moves sideways in space initially.
System pendulum(double arm) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  Body bar = rigid("bar", 3.0, {0.0, 0.0, 0.0}, {0.02, 0.3, 0.29});
  bar.position = {0.6, 0.0, 0.0};
  s.bodies = {bar};
  s.joints = {joint("pin", JointType::revolute, "ground", "bar")};
  s.joints[0].at = Vector3d(0.6 - arm, 0.0, 0.0);
  s.joints[0].axis = Vector3d::UnitY();
  s.outputs = {"bar/position",
               "bar/velocity",
               "bar/acceleration",
               "pin/angle",
               "pin/reaction",
               "energy/kinetic"};
  return s;
}

// --- tests ---------------------------------------------------------------------------------------

// Truth: x = 1 + 0.1 cos(w t), dx/dk = -0.1 sin(w t) t / (2 m w); the error of the steps is (w
// h)^2.
TEST(RunTangent, OfAnOscillatorIsThatOfTheClosedForm) {
  constexpr double k = 50.0, m = 2.0, h = 1e-4;
  TangentRows rows;
  DynamicOptions options = tight_options(2.0, h);
  options.output_step = 0.1;
  ASSERT_FALSE(tangents_of(oscillator, k, options, rows).breaks[0]);
  const double w = std::sqrt(k / m);
  for (std::size_t r = 0; r < rows.time.size(); ++r) {
    const double t = rows.time[r];
    const double exact = -0.1 * std::sin(w * t) * t / (2.0 * m * w);
    EXPECT_NEAR(rows.slopes[r](0, 0), exact, tolerance(w * w * h * h * 0.01)) << t;
  }
}

/// A rotor that turns by more than half a turn in a step, against a spring in its bearing.
System fast_rotor(double stiffness) {
  System s;
  s.bodies = {rigid("rotor", 1.0, Vector3d::Zero(), {0.1, 0.1, 0.2})};
  s.bodies[0].angular_velocity = {0.0, 0.0, 4000.0};
  s.joints = {joint("bearing", JointType::revolute, "ground", "rotor")};
  TorsionalSpring spring;
  spring.joint = "bearing";
  spring.stiffness = stiffness;
  s.forces = {{"spring", spring}};
  s.outputs = {"bearing/angle", "spring/value"};
  return s;
}

// Truth: phi = w0 / w sin(w t) with w^2 = k / J, and its derivative by k; the error of the steps is
// (w h)^2.
TEST(RunTangent, CountsTurnsAsTheRunDoes) {
  constexpr double k = 0.8, J = 0.2, w0 = 4000.0, h = 1e-3;
  TangentRows rows;
  DynamicOptions options = tight_options(1.5, h);
  options.output_step = 0.1;
  ASSERT_FALSE(tangents_of(fast_rotor, k, options, rows).breaks[0]);
  const double w = std::sqrt(k / J);
  for (std::size_t r = 0; r < rows.time.size(); ++r) {
    const double t = rows.time[r];
    const double slope = w0 / (2.0 * k) * (t * std::cos(w * t) - std::sin(w * t) / w);
    EXPECT_NEAR(rows.values[r](0), w0 / w * std::sin(w * t), tolerance(1e-5) * w0 / w) << t;
    EXPECT_NEAR(rows.slopes[r](0, 0), slope, tolerance(1e-5) * w0 / (2.0 * k)) << t;
  }
}

// Parameter: position of a joint. Includes reactions.
TEST(RunTangent, OfAPendulumIsThatOfDifferences) {
  expect_differences(pendulum, 0.6, tight_options(1.5, 5e-3));
}

// Parameters: a mass and a motion, in planar loops.
TEST(RunTangent, OfMechanismsIsThatOfDifferences) {
  const SystemOf crank = [](double mass) {
    System s = testing::slider_crank(true);
    std::get<RigidInertia>(s.bodies[1].kind).mass = mass;
    return s;
  };
  expect_differences(crank, 1.3, tight_options(0.5, 5e-3));
  const SystemOf gravity = [](double g) {
    System s = testing::double_pendulum(false);
    s.gravity = {Value(0.0), Value(0.0), Value(-g)};
    return s;
  };
  expect_differences(gravity, 9.81, tight_options(1.0, 5e-3));
}

// Parameters: a damping ratio and a load of a flexible body.
TEST(RunTangent, OfAFlexibleBodyIsThatOfDifferences) {
  const SystemOf damped = [](double ratio) {
    System s = testing::flexible_slider_crank();
    for (Body& body : s.bodies)
      if (auto* flexible = std::get_if<Flexible>(&body.kind)) {
        flexible->damping.kind = Damping::Kind::ratios;
        flexible->damping.ratios = {ratio};
      }
    return s;
  };
  expect_differences(damped, 0.02, tight_options(0.05, 5e-4), 0.05);
}

// Parameters of the internal states of a Maxwell arm, and stiffness of a bushing in space.
TEST(RunTangent, OfForceStatesIsThatOfDifferences) {
  const SystemOf arm = [](double time) {
    System s = testing::bushed_block(true, true);
    auto& bushing = std::get<Bushing>(s.forces[1].law);
    MaxwellArm relaxing;
    relaxing.stiffness << 1e5, 1e5, 2e5, 100, 100, 100;
    relaxing.time = time;
    bushing.arms = {relaxing};
    s.outputs.emplace_back("b2/state");
    s.outputs.emplace_back("block/acceleration");
    return s;
  };
  expect_differences(arm, 0.05, tight_options(0.3, 1e-3));
}

// A wheel that rotates by more than half a turn per step, on a soft carrier.
TEST(RunTangent, OfASpinningWheelIsThatOfDifferences) {
  const SystemOf spinning = [](double rate) {
    System s;
    s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
    s.bodies = {rigid("carrier", 50.0, Vector3d::Zero(), {4.0, 3.0, 5.0}),
                rigid("wheel", 10.0, Vector3d::Zero(), {0.25, 0.5, 0.25})};
    s.bodies[1].angular_velocity = rate * Vector3d::UnitY();
    s.joints = {joint("hub", JointType::revolute, "carrier", "wheel")};
    s.joints[0].axis = Vector3d::UnitY();
    Bushing bushing;
    bushing.a = "ground";
    bushing.b = "carrier";
    bushing.at = Vector3d(0.1, 0.2, 0.0);
    bushing.stiffness.diagonal() << 2e4, 2e4, 4e4, 2e3, 2e3, 2e3;
    bushing.damping.diagonal() << 200, 200, 300, 20, 20, 20;
    s.forces = {{"bushing", bushing}};
    s.outputs = {"carrier/position", "carrier/angular_velocity", "hub/reaction"};
    return s;
  };
  expect_differences(spinning, 400.0, tight_options(0.5, 2e-3));
}

/// A ball of radius 0.1 that falls onto the floor.
System falling_ball(double height, double stiffness) {
  System s;
  s.gravity = {Value(0.0), Value(0.0), Value(-9.81)};
  s.bodies = {point("ball", 1.0, {0.0, 0.0, height})};
  Contact floor;
  floor.on = "ball";
  floor.radius = 0.1;
  floor.stiffness = stiffness;
  s.forces = {{"floor", floor}};
  s.outputs = {"ball/position/z"};
  return s;
}

// Truth: the closed form of a fall, half an oscillation on the floor, and a flight. The steps in
// which the force starts and ends have an error of order w h.
TEST(RunTangent, GoesOnAcrossAContactThatGrowsFromZero) {
  constexpr double k = 1e4, g = 9.81, h = 2e-5, end = 0.8;
  const SystemOf falling = [](double height) { return falling_ball(height, k); };
  TangentRows rows;
  DynamicOptions options = tight_options(end, h);
  options.output_step = 0.1;
  ASSERT_FALSE(tangents_of(falling, 1.0, options, rows).breaks[0]);
  const auto height_at_end = [](double height) {
    const double fall = std::sqrt(2.0 * (height - 0.1) / g), v = g * fall, w = std::sqrt(k);
    const double stay = 2.0 / w * (M_PI - std::atan(v * w / g));
    const double t = end - fall - stay;
    return 0.1 + v * t - 0.5 * g * t * t;
  };
  const double exact = (height_at_end(1.0 + 1e-5) - height_at_end(1.0 - 1e-5)) / 2e-5;
  EXPECT_NEAR(rows.slopes.back()(0, 0), exact, tolerance(2.0 * std::sqrt(k) * h) * std::abs(exact));
}

// Truth: a ball falls on a stop with a damper before 0.5 s. Derivatives exist during the free fall
// only, because the force jumps at the first contact.
TEST(RunTangent, EndsWhereAForceJumps) {
  const SystemOf falling = [](double stiffness) {
    System s = falling_ball(1.0, 1.0);
    BumpStop stop;
    stop.a = "ground";
    stop.b = "ball";
    stop.min = 0.1;
    stop.stiffness = stiffness;
    stop.damping = 10.0;
    s.forces = {{"floor", stop}};
    return s;
  };
  TangentRows rows;
  const TangentSummary summary = tangents_of(falling, 1e5, tight_options(0.6, 1e-3), rows);
  ASSERT_TRUE(summary.breaks[0]);
  const double landing = std::sqrt(2.0 * 0.9 / 9.81);
  EXPECT_NEAR(summary.breaks[0]->time, landing, 2e-3);
  EXPECT_NE(summary.breaks[0]->reason.find("floor"), std::string::npos);
  for (std::size_t r = 0; r < rows.time.size(); ++r) {
    if (rows.time[r] < landing - 2e-3) {
      EXPECT_EQ(rows.slopes[r](0, 0), 0.0);
    } else if (rows.time[r] > landing + 2e-3) {
      EXPECT_TRUE(std::isnan(rows.slopes[r](0, 0)));
    }
  }
}

// Truth: the fall onto a plane; the line between two places of the ground is the same floor.
TEST(RunTangent, TellsWhereAContactWithALineBegins) {
  System plane = falling_ball(1.0, 1e5);
  System line = plane;
  line.ground_markers["left"] = testing::at(-1.0, 0.0, 0.0);
  line.ground_markers["right"] = testing::at(1.0, 0.0, 0.0);
  FollowContact floor;
  floor.on = "ball";
  floor.radius = 0.1;
  floor.path = {"ground/left", "ground/right"};
  floor.stiffness = 1e5;
  line.forces = {{"floor", floor}};
  const auto told = [](const System& system) -> std::string {
    TangentParameter parameter;
    parameter.name = "p";
    parameter.change = 1e-4;
    parameter.at = [&](double, bool) { return ChangedSystem{system, {}}; };
    TangentRows rows;
    Diagnostics diagnostics;
    Progress progress;
    simulate_with_tangents(
        system, {parameter}, tight_options(0.6, 1e-3), rows, diagnostics, progress);
    for (const Warning& each : diagnostics.warnings())
      if (each.code == "kink") return each.message;
    return "";
  };
  EXPECT_NE(told(plane).find("force floor begins or ends to act"), std::string::npos);
  EXPECT_EQ(told(line), told(plane));
}

// A load that jumps at a given time, at which the integrators stop.
TEST(RunTangent, GoesOnAcrossALoadThatJumps) {
  const SystemOf pushed = [](double mass) {
    System s = pendulum(0.6);
    std::get<RigidInertia>(s.bodies[0].kind).mass = mass;
    PointForce push;
    push.on = "bar";
    push.value = {Value("40*step(t, 0.203)"), Value(0.0), Value(0.0)};
    s.forces = {{"push", push}};
    return s;
  };
  DynamicOptions options = tight_options(0.5, 5e-3);
  expect_differences(pushed, 3.0, options);
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-12;
  options.absolute_tolerance = 1e-13;
  expect_differences(pushed, 3.0, options);
}

// The same pendulum by Runge-Kutta. Its steps differ between the runs from which differences are
// computed.
TEST(RunTangent, OfRungeKuttaIsThatOfDifferences) {
  DynamicOptions options = tight_options(1.0, 5e-3);
  options.integrator = Integrator::runge_kutta;
  options.relative_tolerance = 1e-12;
  options.absolute_tolerance = 1e-13;
  expect_differences(pendulum, 0.6, options);
}

}  // namespace
}  // namespace femflex::mbd_solver

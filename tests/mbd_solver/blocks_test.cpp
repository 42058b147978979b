// Tests control blocks in every integrator, in linearisation, restarts and statics. Truth: step
// responses in closed form, characteristic polynomials, exact maps of sampled systems.
#include "femflex/mbd_solver/blocks.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>

#include "femflex/dense.h"
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
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kSlidingMass = 2.0;

/// A mass that slides along x under the force given by the formula `force`.
System sliding_mass(const std::string& force) {
  System s;
  s.bodies = {rigid("mass", kSlidingMass, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("slide", JointType::prismatic, "ground", "mass")};
  s.joints[0].axis = Vector3d::UnitX();
  PointForce push;
  push.on = "mass";
  push.value = {Value(force), Value(0.0), Value(0.0)};
  s.forces = {{"push", push}};
  return s;
}

Block block(const std::string& name, const std::string& input, decltype(Block::law) law) {
  return {name, "", {Value(input)}, std::move(law)};
}

/// Runs the system with each integrator and compares channels with functions of time.
void expect_histories(const System& s,
                      double end,
                      double step,
                      double error,
                      const std::map<std::string, std::function<double(double)>>& truth) {
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, end, 0.1, step), r);
    for (const auto& [channel, value] : truth)
      for (Eigen::Index k = 0; k < r.rows(); ++k) {
        const double t = r.time()[static_cast<std::size_t>(k)];
        EXPECT_NEAR(r.series(channel)(k), value(t), tolerance(error))
            << name_of(method) << " " << channel << " at " << t;
      }
  }
}

// Truth: step responses by partial fractions. The input jumps at 0.10003 s, which is between two
// time steps of generalised-alpha.
TEST(Blocks, LinearOnesHaveTheirStepResponses) {
  const double t0 = 0.10003, T = 0.2, f = 0.8, ratio = 0.3;
  System s = sliding_mass("0");
  const std::string step = "step(t, 0.10003)";
  LinearBlock pair;  // the transfer function below in modal form; the second output is twice the
                     // input
  pair.A = Eigen::Vector2d(-1.0, -3.0).asDiagonal();
  pair.B = Eigen::Vector2d(0.5, 1.5);
  pair.C = Eigen::MatrixXd::Zero(2, 2);
  pair.C.row(0).setOnes();
  pair.D = Eigen::Vector2d(0.0, 2.0);
  s.blocks = {block("lag", step, first_order_lag(T, 3.0)),
              block("after", "[lag]", first_order_lag(0.5)),
              block("second", step, second_order_lag(f, ratio)),
              block("fraction", step, transfer_function({2.0, 3.0}, {1.0, 4.0, 3.0})),
              block("pair", step, pair),
              block("start", "0", first_order_lag(T, 1.0, 5.0))};
  s.outputs = {"lag", "after", "second", "fraction", "pair", "start"};
  const auto since = [&](double t) { return std::max(0.0, t - t0); };
  const double w = 2.0 * std::numbers::pi * f, wd = w * std::sqrt(1.0 - ratio * ratio);
  const auto fraction = [&](double t) {
    return t < t0 ? 0.0 : 1.0 - 0.5 * std::exp(-since(t)) - 0.5 * std::exp(-3.0 * since(t));
  };
  expect_histories(
      s,
      1.0,
      1e-4,
      1e-6,
      {{"lag", [&](double t) { return 3.0 * (1.0 - std::exp(-since(t) / T)); }},
       {"after",
        [&](double t) {
          return 3.0 * (1.0 - (0.5 * std::exp(-since(t) / 0.5) - T * std::exp(-since(t) / T)) /
                                  (0.5 - T));
        }},
       {"second",
        [&](double t) {
          const double a = since(t);
          return 1.0 -
                 std::exp(-ratio * w * a) * (std::cos(wd * a) + ratio * w / wd * std::sin(wd * a));
        }},
       {"fraction", fraction},
       {"pair/1", fraction},
       {"pair/2", [&](double t) { return t < t0 ? 0.0 : 2.0; }},
       {"start", [&](double t) { return 5.0 * std::exp(-t / T); }}});
}

// Truth: the output is the input 0.1 s earlier, once the initial transient has decayed.
TEST(Blocks, ADelayShiftsASmoothInput) {
  System s = sliding_mass("0");
  s.blocks = {block("late", "sin(3*t)", delay(0.1, 8)), block("past", "4", delay(0.1, 5, 4.0))};
  s.outputs = {"late", "past"};
  Results r;
  run(s, accurate(Integrator::runge_kutta, 2.0, 0.1, 1e-3), r);
  for (Eigen::Index k = 0; k < r.rows(); ++k) {
    const double t = r.time()[static_cast<std::size_t>(k)];
    if (t > 0.5) {
      EXPECT_NEAR(r.series("late")(k), std::sin(3.0 * (t - 0.1)), 1e-7);
    }
    EXPECT_NEAR(r.series("past")(k), 4.0, 1e-9);
  }
}

// Truth: the Padé approximants of e^-s of orders 0/1 and 1/2, written as polynomials.
TEST(Blocks, ADelayIsThePadeApproximant) {
  for (const double w : {0.3, 2.0}) {
    const std::complex<double> s(0.0, w);
    const auto response = [&](const LinearBlock& d) {
      const Eigen::Index n = d.A.rows();
      const Eigen::MatrixXcd Z = s * Eigen::MatrixXcd::Identity(n, n) - d.A;
      return (d.C * Z.lu().solve(Eigen::MatrixXcd(d.B)))(0, 0);
    };
    EXPECT_LT(std::abs(response(delay(1.0, 1)) - 1.0 / (1.0 + s)), 1e-14);
    const std::complex<double> second = (1.0 - s / 3.0) / (1.0 + 2.0 * s / 3.0 + s * s / 6.0);
    EXPECT_LT(std::abs(response(delay(1.0, 2)) - second), 1e-14);
  }
}

// Truth: the integral part I has I' = 2 until the output reaches its limit at 0.25 s, then
// I' = 2 + (1.5 - 1 - I) / 0.25.
TEST(Blocks, ThePidReturnsItsIntegralFromALimit) {
  System s = sliding_mass("0");
  PidBlock pid;
  pid.proportional = 1.0;
  pid.integral = 2.0;
  pid.max = 1.5;
  pid.tracking_time = 0.25;
  s.blocks = {block("pi", "1", pid)};
  s.outputs = {"pi", "pi/state/1"};
  expect_histories(s,
                   1.0,
                   1e-4,
                   1e-6,
                   {{"pi", [](double t) { return std::min(1.5, 1.0 + 2.0 * t); }},
                    {"pi/state/1", [](double t) {
                       return t < 0.25 ? 2.0 * t : 1.0 - 0.5 * std::exp(-(t - 0.25) / 0.25);
                     }}});
}

// Truth: linear and bilinear interpolation, and the play of a sine by hand.
TEST(Blocks, TablesAndHysteresisFollowTheirCurves) {
  System s = sliding_mass("0");
  Eigen::MatrixXd z(2, 3);
  z << 0.0, 1.0, 2.0, 10.0, 11.0, 12.0;
  s.blocks = {
      block("table",
            "2*t",
            TableBlock{laws::Curve({0.0, 1.0},
                                   {1.0, 3.0},
                                   laws::Curve::Kind::linear,
                                   laws::Curve::Beyond::hold,
                                   "table")}),
      {"surface", "", {Value("t"), Value("2*t")}, SurfaceBlock{{0.0, 1.0}, {0.0, 0.5, 1.0}, z}},
      block("play", "sin(2*pi*t)", PlayBlock{0.4, 0.0})};
  s.outputs = {"table", "surface", "play"};
  const auto play = [](double t) {
    const double u = std::sin(2.0 * std::numbers::pi * t);
    if (t < 0.25) return std::max(0.0, u - 0.2);
    if (t < 0.75) return std::min(0.8, u + 0.2);
    return std::max(-0.8, u - 0.2);
  };
  expect_histories(s,
                   1.0,
                   1e-3,
                   1e-6,
                   {{"table", [](double t) { return 1.0 + 2.0 * std::min(1.0, 2.0 * t); }},
                    {"surface", [](double t) { return 10.0 * t + std::min(2.0, 4.0 * t); }},
                    {"play", play}});
}

// Truth: the relay accelerates the mass until its speed is 1 m/s, then brakes it until the speed is
// 0.5 m/s, and so on. The acceleration is constant between switches.
TEST(Blocks, ARelayKeepsASpeedBetweenItsThresholds) {
  System s = sliding_mass("4*[relay]");
  s.blocks = {block("relay", "-[mass/velocity/x]", RelayBlock{-0.5, -1.0, -1.0, 1.0, true})};
  s.outputs = {"mass/velocity/x", "relay"};
  // accelerates by 2 m/s^2 to 1 m/s at 0.5 s, then by -2 m/s^2 to 0.5 m/s at 0.75 s, and so on
  const auto speed = [](double t) {
    if (t < 0.5) return 2.0 * t;
    const double phase = std::fmod(t - 0.5, 0.5);
    return phase < 0.25 ? 1.0 - 2.0 * phase : 0.5 + 2.0 * (phase - 0.25);
  };
  Results r;
  run(s, accurate(Integrator::runge_kutta, 1.6, 0.1, 1e-3), r);
  for (Eigen::Index k = 0; k < r.rows(); ++k)
    EXPECT_NEAR(r.series("mass/velocity/x")(k), speed(r.time()[static_cast<std::size_t>(k)]), 1e-6);
}

// Truth: the exact map of a double integrator whose force is constant between samples.
TEST(Blocks, ASampledControllerFollowsItsExactMap) {
  const double h = 0.05, k = 20.0, c = 6.0;
  System s = sliding_mass("[hold]");
  s.bodies[0].position = {1.0, 0.0, 0.0};
  s.blocks = {block("hold", "-20*[mass/position/x] - 6*[mass/velocity/x]", SampleBlock{h})};
  s.outputs = {"mass/position/x", "hold"};
  for (const Integrator method : methods()) {
    Results r;
    DynamicOptions o = accurate(method, 1.0, 0.1, 1e-3);
    if (method == Integrator::bdf) o.end = 0.3;  // bdf restarts at each sample
    run(s, o, r);
    double x = 1.0, v = 0.0;
    for (Eigen::Index row = 0; row < r.rows(); ++row) {
      EXPECT_NEAR(r.series("mass/position/x")(row), x, tolerance(1e-6)) << name_of(method);
      for (int sample = 0; sample < 2; ++sample) {
        const double a = (-k * x - c * v) / kSlidingMass;
        x += h * v + 0.5 * h * h * a;
        v += h * a;
      }
    }
  }
}

// Truth: samples delayed by two periods, and a counter that reads its own output.
TEST(Blocks, SamplesAreDelayedAndSummed) {
  System s = sliding_mass("0");
  s.blocks = {block("late", "t", SampleBlock{0.1, 0.0, 2, -1.0}),
              block("count", "[count] + 1", SampleBlock{0.1})};
  s.outputs = {"late", "count"};
  Results r;
  run(s, accurate(Integrator::generalised_alpha, 0.95, 0.1, 1e-2), r);
  for (Eigen::Index k = 0; k + 1 < r.rows(); ++k) {
    const double t = r.time()[static_cast<std::size_t>(k)];
    EXPECT_NEAR(r.series("late")(k), k < 2 ? -1.0 : t - 0.2, 1e-12) << t;
    EXPECT_NEAR(r.series("count")(k), static_cast<double>(k) + 1.0, 1e-12) << t;
  }
}

/// A mass under PID control of its position. `filter` is the time constant of the derivative; with
/// 0 the block reads the rate instead.
System pid_loop(double filter) {
  System s = sliding_mass("[pid]");
  PidBlock pid;
  pid.proportional = 80.0;
  pid.integral = 60.0;
  pid.derivative = 12.0;
  pid.filter = filter;
  s.blocks = {block("pid", "1 - [slide/displacement]", pid)};
  if (filter == 0.0) s.blocks[0].inputs.emplace_back("-[slide/displacement_rate]");
  s.outputs = {"slide/displacement", "pid", "energy"};
  return s;
}

/// Roots of a polynomial, the coefficient of the highest power first.
Eigen::VectorXcd roots_of(const Eigen::VectorXd& p) {
  const Eigen::Index n = p.size() - 1;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  A.row(0) = -p.tail(n).transpose() / p(0);
  A.diagonal(-1).setOnes();
  return A.eigenvalues();
}

// Truth: the polynomial m s^3 + d s^2 + p s + i; with a filter T the polynomial expanded below.
TEST(Blocks, APidLoopHasItsPoles) {
  const double m = kSlidingMass, p = 80.0, i = 60.0, d = 12.0;
  for (const double T : {0.0, 0.05}) {
    Eigen::VectorXd polynomial(T == 0.0 ? 4 : 5);
    if (T == 0.0)
      polynomial << m, d, p, i;
    else  // m s^2 (T s + 1) s + (p s + i)(T s + 1) + d s^2
      polynomial << m * T, m, p * T + d, p + i * T, i;
    const System s = pid_loop(T);
    Diagnostics diagnostics;
    AssemblyReport report;
    const Linearisation linear = linearise(s, assemble(s, report, diagnostics), diagnostics);
    const Eigen::VectorXcd truth = roots_of(polynomial);
    ASSERT_FALSE(linear.modes.empty());
    for (const SystemMode& mode : linear.modes) {
      double nearest = 1e300;
      for (const std::complex<double> root : truth)
        nearest = std::min(nearest, std::abs(mode.eigenvalue - root));
      EXPECT_LT(nearest, tolerance(1e-8) * std::abs(mode.eigenvalue)) << T;
    }
  }
}

// Truth: the change of energy equals the work of the force set by the controller.
TEST(Blocks, TheEnergyAccountHoldsInALoop) {
  for (const Integrator method : methods()) {
    Results r;
    EXPECT_LT(run(pid_loop(0.02), accurate(method, 1.0, 0.1, 1e-4), r).energy_drift,
              testing::bound(method, 1e-6, 1e-5))
        << name_of(method);
  }
}

// Truth: the uninterrupted run. The blocks have every kind of state.
TEST(Blocks, AContinuedRunRepeatsTheSameBits) {
  System s = pid_loop(0.02);
  s.blocks[0].inputs[0] = Value("[hold] - [slide/displacement]");
  s.blocks.push_back(block("hold", "[late]", SampleBlock{0.03, 0.0, 1, 0.0}));
  s.blocks.push_back(block("late", "sin(9*t)", delay(0.05, 4)));
  s.blocks.push_back(block("play", "[slide/displacement]", PlayBlock{0.05, 0.0}));
  s.blocks.push_back(block("relay", "[play]", RelayBlock{0.2, 0.1, 0.0, 1.0, false}));
  s.outputs.clear();
  DynamicOptions o;
  o.end = 0.6;
  o.step = 1e-3;
  o.output_step = 0.1;
  Results whole, first, second;
  const State end = run(s, o, whole).final_state;
  for (const double pause : {0.2, 0.3}) {  // pauses between two samples, and at one
    o.end = pause;
    o.restart.reset();
    o.restart = run(s, o, first).final_state;
    o.end = 0.6;
    const State resumed = run(s, o, second).final_state;
    EXPECT_EQ(resumed.position, end.position) << pause;
    EXPECT_EQ(resumed.force_states, end.force_states) << pause;
    EXPECT_EQ(resumed.events, end.events) << pause;
  }
}

// Truth: the step response of a second-order lag of damping ratio 1, and its rate.
TEST(Blocks, AMotionFollowsALag) {
  System s = sliding_mass("0");
  Motion motion;
  motion.name = "drive";
  motion.joint = "slide";
  motion.coordinate = Motion::Coordinate::displacement;
  motion.value = Value("[smooth]");
  s.motions = {motion};
  s.blocks = {block("smooth", "0.3", second_order_lag(1.0, 1.0))};
  s.outputs = {"slide/displacement", "slide/displacement_rate", "drive/force"};
  const double w = 2.0 * std::numbers::pi;
  expect_histories(
      s,
      1.0,
      1e-4,
      1e-6,
      {{"slide/displacement",
        [&](double t) { return 0.3 * (1.0 - (1.0 + w * t) * std::exp(-w * t)); }},
       {"slide/displacement_rate", [&](double t) { return 0.3 * w * w * t * std::exp(-w * t); }}});
}

// Truth: at rest the input of an integrator is zero.
TEST(Blocks, StaticsFindsTheRestOfAnIntegral) {
  System s = pid_loop(0.02);
  PointForce load;
  load.on = "mass";
  load.value = {Value(-30.0), Value(0.0), Value(0.0)};
  s.forces.push_back({"load", load});
  Results r;
  Diagnostics diagnostics;
  Progress progress;
  const StaticSummary summary = solve_statics(s, {}, r, diagnostics, progress);
  ASSERT_TRUE(summary.converged) << summary.reason;
  EXPECT_NEAR(r.series("slide/displacement")(0), 1.0, 1e-5);
  EXPECT_NEAR(r.series("pid")(0), 30.0, 1e-5);
}

/// Code and message of the error when a system is compiled; empty without error.
std::string fault_of(const System& s) {
  try {
    channels_of(s);
  } catch (const ModelError& error) {
    return error.code() + ": " + error.message();
  }
  return "";
}

TEST(Blocks, LoopsAndWrongNumbersAreNamed) {
  System s = sliding_mass("[a]");
  s.blocks = {
      block("a", "2*[b]", gain()), block("b", "[c] + 1", gain()), block("c", "[a]", gain())};
  EXPECT_NE(fault_of(s).find("algebraic-loop"), std::string::npos) << fault_of(s);
  EXPECT_NE(fault_of(s).find("a <- b <- c <- a"), std::string::npos) << fault_of(s);
  s.blocks[2].law = first_order_lag(0.1);
  EXPECT_EQ(fault_of(s), "");
  s.blocks[1].inputs[0] = Value("[mass/acceleration/x]");
  EXPECT_NE(fault_of(s).find("follows the accelerations"), std::string::npos) << fault_of(s);
  s.blocks[1].inputs[0] = Value("[push/value]");
  EXPECT_NE(fault_of(s).find("itself follows a block"), std::string::npos) << fault_of(s);
  s.blocks[1].inputs[0] = Value("[nothing]");
  EXPECT_NE(fault_of(s).find("block b"), std::string::npos) << fault_of(s);
  EXPECT_THROW(transfer_function({1.0, 0.0}, {1.0}), ModelError);
  EXPECT_THROW(transfer_function({1.0}, {0.0}), ModelError);
  EXPECT_THROW(delay(0.0), ModelError);
  EXPECT_THROW(first_order_lag(-1.0), ModelError);
}

}  // namespace
}  // namespace femflex::mbd_solver

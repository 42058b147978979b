// Tests first-order states of forces, z' = f(q, v, z), in every integrator, in linearisation,
// restarts and statics. Truth: closed forms of a lag and of a mass on a Maxwell arm.
#include <cmath>
#include <complex>
#include <numbers>

#include <gtest/gtest.h>
#include <unsupported/Eigen/MatrixFunctions>

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
using testing::bound;
using testing::joint;
using testing::methods;
using testing::rigid;
using testing::run;
using testing::tolerance;

constexpr double kMass = 2.0, kSpring = 50.0, kArm = 300.0, kTime = 0.2;

/// A block that slides along x on a bushing with the stiffness `spring` and one Maxwell arm.
System block_on_arm(double spring) {
  System s;
  s.bodies = {rigid("block", kMass, Vector3d::Zero(), Vector3d::Constant(1.0))};
  s.joints = {joint("slide", JointType::prismatic, "ground", "block")};
  s.joints[0].axis = Vector3d::UnitX();
  Bushing bushing;
  bushing.a = "ground";
  bushing.b = "block";
  bushing.stiffness(0, 0) = spring;
  MaxwellArm arm;
  arm.stiffness(0) = kArm;
  arm.time = kTime;
  bushing.arms = {arm};
  s.forces = {{"mount", bushing}};
  s.outputs = {"block/position/x", "block/velocity/x", "mount/state", "mount/force/x"};
  return s;
}

/// The block without its spring, at a prescribed place [m].
System driven_block(const char* place) {
  System s = block_on_arm(0.0);
  Motion motion;
  motion.name = "drive";
  motion.joint = "slide";
  motion.coordinate = Motion::Coordinate::displacement;
  motion.value = Value(place);
  s.motions = {motion};
  return s;
}

/// The matrix A of the same system: x' = A x with x = (position, velocity, state).
Eigen::Matrix3d matrix_of_block() {
  Eigen::Matrix3d A;
  A << 0.0, 1.0, 0.0, -(kSpring + kArm) / kMass, 0.0, kArm / kMass, 1.0 / kTime, 0.0, -1.0 / kTime;
  return A;
}

// Truth: s' = x' - s / tau for the extension s of a lag driven by x = A sin(w t).
TEST(ForceStates, ALagFollowsItsInput) {
  const double A = 0.1, w = 7.0;
  const System s = driven_block("0.1*sin(7*t)");
  for (const Integrator method : methods()) {
    Results r;
    run(s, accurate(method, 2.0, 0.1, 1e-4), r);
    for (Eigen::Index k = 0; k < r.rows(); ++k) {
      const double t = r.time()[static_cast<std::size_t>(k)], a = w * kTime;
      const double stretch =
          A * a / (1.0 + a * a) * (std::cos(w * t) + a * std::sin(w * t) - std::exp(-t / kTime));
      EXPECT_NEAR(r.series("mount/force/x")(k),
                  -kArm * stretch,
                  bound(method, tolerance(1e-6), tolerance(1e-5)) * kArm * A)
          << name_of(method) << " " << t;
    }
  }
}

// Truth: a held arm relaxes with its time.
TEST(ForceStates, ALinearisationWithoutFreeMotionsHasTheStates) {
  const System s = driven_block("0.1");
  AssemblyReport report;
  Diagnostics diagnostics;
  const Linearisation line = linearise(s, assemble(s, report, diagnostics), diagnostics);
  EXPECT_EQ(line.free_directions.cols(), 0);
  ASSERT_EQ(line.modes.size(), 1U);
  EXPECT_NEAR(line.modes[0].eigenvalue.real(), -1.0 / kTime, tolerance(1e-8) / kTime);
}

// Truth: the matrix exponential of the linear system.
TEST(ForceStates, AMassOnAnArmFollowsItsMatrixAndKeepsItsEnergyAccount) {
  System s = block_on_arm(kSpring);
  s.bodies[0].velocity = {1.0, 0.0, 0.0};
  for (const Integrator method : methods()) {
    Results r;
    const auto summary = run(s, accurate(method, 1.5, 0.1, 1e-4), r);
    for (Eigen::Index k = 0; k < r.rows(); ++k) {
      const Eigen::Matrix3d growth =
          (matrix_of_block() * r.time()[static_cast<std::size_t>(k)]).exp();
      const Vector3d x = growth * Vector3d(0.0, 1.0, 0.0);
      const double allowed = bound(method, tolerance(1e-7), tolerance(1e-6));
      EXPECT_NEAR(r.series("block/position/x")(k), x(0), allowed) << name_of(method);
      EXPECT_NEAR(r.series("mount/state/1")(k), x(2), allowed) << name_of(method);
    }
    EXPECT_LT(summary.energy_drift, bound(method, tolerance(1e-6), tolerance(1e-6)))
        << name_of(method);
  }
}

// Truth: with half the step the error is a quarter, for any damping of high frequencies.
TEST(ForceStates, GeneralisedAlphaIsOfSecondOrderInTheStates) {
  System s = block_on_arm(kSpring);
  s.bodies[0].velocity = {1.0, 0.0, 0.0};
  const Vector3d exact = (matrix_of_block() * 0.5).exp() * Vector3d(0.0, 1.0, 0.0);
  for (const double rho : {0.0, 0.8, 1.0}) {
    double error[2] = {};
    for (int k = 0; k < 2; ++k) {
      DynamicOptions o;
      o.end = 0.5;
      o.step = k == 0 ? 2e-3 : 1e-3;
      o.rho = rho;
      o.newton_tolerance = 1e-9;
      Results r;
      run(s, o, r);
      error[k] = std::abs(r.series("mount/state/1")(r.rows() - 1) - exact(2));
    }
    EXPECT_GT(error[0] / error[1], 3.5) << rho;
    EXPECT_LT(error[0] / error[1], 4.6) << rho;
  }
}

// Truth: the eigenvalues of matrix_of_block(), and 1 / (k - m w^2 + k1 i w tau / (1 + i w tau)).
TEST(ForceStates, LinearisationHasThePolesAndTheResponse) {
  const System s = block_on_arm(kSpring);
  Diagnostics diagnostics;
  AssemblyReport report;
  const State state = assemble(s, report, diagnostics);
  const Linearisation system = linearise(s, state, diagnostics);
  const Eigen::EigenSolver<Eigen::Matrix3d> truth(matrix_of_block());
  ASSERT_EQ(system.modes.size(), 2U);  // a complex pair and a real root
  for (const SystemMode& mode : system.modes) {
    double nearest = 1e300;
    for (int k = 0; k < 3; ++k)
      nearest = std::min(nearest, std::abs(mode.eigenvalue - truth.eigenvalues()(k)));
    EXPECT_LT(nearest, 1e-7 * std::abs(mode.eigenvalue));
  }
  Eigen::VectorXd load = Eigen::VectorXd::Zero(6), at(3);
  load(0) = 1.0;
  at << 0.0, 1.0, 3.0;
  const Eigen::VectorXcd response = frequency_response(system, load, load, at);
  for (Eigen::Index k = 0; k < at.size(); ++k) {
    const std::complex<double> iw(0.0, 2.0 * std::numbers::pi * at(k));
    const std::complex<double> truth_here =
        1.0 / (kSpring + kMass * iw * iw + kArm * iw * kTime / (1.0 + iw * kTime));
    EXPECT_LT(std::abs(response(k) - truth_here), 1e-7 * std::abs(truth_here));
  }
}

// Truth: the run without interruption.
TEST(ForceStates, AContinuedRunRepeatsTheSameBits) {
  System s = block_on_arm(kSpring);
  s.bodies[0].velocity = {1.0, 0.0, 0.0};
  for (const Integrator method : {Integrator::generalised_alpha, Integrator::runge_kutta}) {
    DynamicOptions o;
    o.integrator = method;
    o.end = 0.4;
    o.step = 1e-3;
    o.output_step = 0.1;
    Results whole, first, second;
    const State end = run(s, o, whole).final_state;
    o.end = 0.2;
    o.restart = run(s, o, first).final_state;
    o.end = 0.4;
    const State resumed = run(s, o, second).final_state;
    if (method == Integrator::generalised_alpha) {
      EXPECT_EQ(resumed.force_states, end.force_states);
      EXPECT_EQ(resumed.position, end.position);
    } else {  // this integrator chooses its first step after the pause independently
      EXPECT_NEAR(resumed.force_states(0), end.force_states(0), 1e-8);
    }
  }
  DynamicOptions o;
  o.restart = State();
  Results r;
  System without = s;
  std::get<Bushing>(without.forces[0].law).arms.clear();
  without.outputs.clear();
  o.end = 0.01;
  const State bare = run(without, {.end = 0.01}, r).final_state;
  o.restart = bare;
  o.end = 0.02;
  EXPECT_THROW(run(s, o, r), ModelError);
}

// Truth: at rest the arm is relaxed, so the spring alone carries the load.
TEST(ForceStates, StaticsRelaxesTheArm) {
  System s = block_on_arm(kSpring);
  PointForce pull;
  pull.on = "block";
  pull.value = {Value(10.0), Value(0.0), Value(0.0)};
  s.forces.push_back({"pull", pull});
  Results r;
  Diagnostics diagnostics;
  Progress progress;
  const StaticSummary summary = solve_statics(s, {}, r, diagnostics, progress);
  ASSERT_TRUE(summary.converged) << summary.reason;
  EXPECT_NEAR(r.series("block/position/x")(0), 10.0 / kSpring, 1e-9);
  EXPECT_NEAR(summary.state.force_states(0), 10.0 / kSpring, 1e-9);
  // a run from the static state stays there
  DynamicOptions o;
  o.end = 0.5;
  o.restart = summary.state;
  Results after;
  run(s, o, after);
  EXPECT_NEAR(after.series("block/position/x")(after.rows() - 1), 10.0 / kSpring, 1e-8);
}

}  // namespace
}  // namespace femflex::mbd_solver

// Tests rotational springs between two lines. Truth: closed forms and central differences.
#include "spatial/hinge.h"

#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "integrators/engine.h"
#include "integrators/tangent.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::at;
using testing::joint;
using testing::point;
using testing::rigid;
using testing::run;
using testing::tolerance;

/// A moving chain of three masses with a hinge in the middle.
System chain(bool in_plane) {
  System s;
  s.bodies = {point("a", 1.0, {-1.0, 0.1, 0.0}, {0.1, 0.5, 0.2}),
              point("m", 2.0, {0.0, 0.0, 0.0}, {0.0, -0.3, 0.1}),
              point("b", 1.5, {0.7, 0.9, in_plane ? 0.0 : 0.4}, {-0.4, 0.2, 0.3})};
  Hinge law;
  law.ends = {"a", "m", "m", "b"};
  if (in_plane) law.axis = Vector3d::UnitZ();
  law.stiffness = 3.0;
  law.damping = 0.4;
  law.free_angle = 0.2;
  law.curve = Table{{-1.0, 0.0, 2.0}, {-2.0, 0.0, 5.0}};
  law.moment = laws::Formula("0.5*e^3", {"e"});
  s.forces = {{"hinge", law}};
  return s;
}

Vector6d pull_of(const HingeLaw& hinge, const HingeLines& lines) {
  const PairLoad load = hinge_load(hinge, lines, 0.0);
  Vector6d f;
  f << load.force_a, load.force_b;
  return f;
}

void expect_slopes(const HingeLaw& hinge, const HingeLines& lines) {
  Matrix6d stiffness, damping;
  hinge_slopes(hinge, lines, 0.0, stiffness, damping);
  const double h = 1e-6;
  for (Eigen::Index c = 0; c < 6; ++c) {
    const auto slope = [&](Vector3d HingeLines::*u, Vector3d HingeLines::*v) {
      HingeLines low = lines, high = lines;
      (low.*(c < 3 ? u : v))(c % 3) -= h;
      (high.*(c < 3 ? u : v))(c % 3) += h;
      return Vector6d((pull_of(hinge, low) - pull_of(hinge, high)) / (2.0 * h));
    };
    EXPECT_LT((slope(&HingeLines::u, &HingeLines::v) - stiffness.col(c)).norm(), tolerance(1e-6));
    EXPECT_LT((slope(&HingeLines::u_dot, &HingeLines::v_dot) - damping.col(c)).norm(),
              tolerance(1e-6));
  }
}

// Truth: central differences of the forces; their error is h^2 / 6 times the third derivative.
TEST(Hinge, HasTheSlopesOfItsForcesInThePlaneAndInSpace) {
  for (const bool in_plane : {true, false}) {
    Diagnostics diagnostics;
    const Model model = compile(chain(in_plane), diagnostics);
    HingeLines lines{{1.0, -0.1, 0.0}, {0.7, 0.9, in_plane ? 0.0 : 0.4}};
    lines.u_dot = {-0.1, -0.8, -0.1};
    lines.v_dot = {-0.4, 0.5, 0.2};
    expect_slopes(std::get<HingeLaw>(model.forces.at(0).law), lines);
  }
}

// Truth: central differences. With the free angle 0 the energy is smooth even where the lines are
// parallel.
TEST(Hinge, HasItsSlopesWhereTheLinesAreAlmostStraightInSpace) {
  System s = chain(false);
  auto& law = std::get<Hinge>(s.forces[0].law);
  law.free_angle = 0.0;
  law.damping = 0.0;
  law.curve.reset();
  law.moment.reset();
  Diagnostics diagnostics;
  const Model model = compile(s, diagnostics);
  for (const double angle : {1e-2, 2e-5})
    expect_slopes(std::get<HingeLaw>(model.forces.at(0).law),
                  {{1.0, 0.0, 0.0}, {0.8, 0.8 * angle, 0.0}});
}

// Truth: differences of the whole residual. Internal forces have no resultant force or moment.
TEST(Hinge, StandsInTheIterationMatrixAndIsInBalance) {
  for (const bool in_plane : {true, false}) {
    Diagnostics diagnostics;
    const Model model = compile(chain(in_plane), diagnostics);
    Engine engine(model);
    State state = model.initial;
    const Tangent slopes = tangent(engine, state);
    engine.set_all(state);
    residual(model, engine.ws, state.acceleration, nullptr);
    Vector3d sum = Vector3d::Zero(), turn = Vector3d::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vector3d f = engine.ws.force.segment<3>(model.bodies[k].v0);
      sum += f;
      turn += engine.ws.bodies[k].p.cross(f);
    }
    EXPECT_LT(sum.norm(), tolerance(1e-14));
    EXPECT_LT(turn.norm(), tolerance(1e-14));
    EXPECT_GT(engine.ws.force.norm(), 1.0);
    const double velocity = 0.3, position = 0.2;
    ASSERT_TRUE(engine.kkt.factor(model, engine.ws, velocity, position));
    const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(model.nv, -1.0, 2.0);
    const Eigen::VectorXd f = (slopes.M + velocity * slopes.C + position * slopes.K) * x;
    Eigen::VectorXd back(model.nv), none(0);
    engine.kkt.solve(model, engine.ws, f, Eigen::VectorXd(0), back, none);
    EXPECT_LT((back - x).norm(), tolerance(1e-5));  // error of one-sided differences with the step
                                                    // 1e-7
  }
}

/// A lever on a pivot with initial angular velocity `rate`: J angle'' = -k angle - c angle'.
System lever(double J, double k, double c, double rate) {
  System s;
  Body body = rigid("lever", 1.0, Vector3d::Zero(), Vector3d::Constant(J));
  body.markers["tip"] = at(1.0, 0.0);
  body.angular_velocity = {0.0, 0.0, rate};
  s.bodies = {body};
  s.ground_markers["east"] = at(2.0, 0.0);
  s.joints = {joint("pivot", JointType::revolute, "ground", "lever")};
  s.joints[0].at = Vector3d::Zero();
  s.joints[0].axis = Vector3d::UnitZ();
  Hinge law;
  law.ends = {"ground", "ground/east", "lever", "lever/tip"};
  law.axis = Vector3d::UnitZ();
  law.stiffness = k;
  law.damping = c;
  s.forces = {{"hinge", law}};
  s.outputs = {"hinge/angle", "hinge/value", "energy"};
  return s;
}

// Truth: the closed form. The lever swings by more than one turn to each side.
TEST(Hinge, FollowsItsAngleOverMoreThanOneTurn) {
  const double J = 0.5, k = 2.0, c = 0.1, w0 = 24.0;
  const double decay = c / (2.0 * J), w = std::sqrt(k / J - decay * decay);
  for (const Integrator method : testing::methods()) {
    Results r;
    const auto summary = run(lever(J, k, c, w0), testing::accurate(method, 3.0, 0.1, 5e-4), r);
    for (const double t : {0.3, 0.7, 1.6, 2.4, 3.0})
      EXPECT_NEAR(r.at(t, "hinge/angle"),
                  w0 / w * std::exp(-decay * t) * std::sin(w * t),
                  testing::bound(method, 1e-6, 2e-5));
    EXPECT_GT(r.series("hinge/angle").maxCoeff(), 10.0);
    EXPECT_LT(r.series("hinge/angle").minCoeff(), -8.0);
    EXPECT_LT(summary.energy_drift, testing::bound(method, 1e-6, 1e-5));
  }
}

// Truth: the run without interruption; the angle at the restart exceeds one turn.
TEST(Hinge, GoesOnFromAStateThatHasTurned) {
  const System s = lever(0.5, 2.0, 0.0, 24.0);
  for (const Integrator method : {Integrator::generalised_alpha, Integrator::runge_kutta}) {
    DynamicOptions o = testing::accurate(method, 0.6, 0.1, 1e-3);
    Results whole, part, rest;
    run(s, o, whole);
    o.end = 0.4;
    o.restart = run(s, o, part).final_state;
    o.end = 0.6;
    run(s, o, rest);
    EXPECT_GT(part.at(0.4, "hinge/angle"), 7.0);
    EXPECT_NEAR(rest.at(0.6, "hinge/angle"), whole.at(0.6, "hinge/angle"), tolerance(1e-8));
  }
}

// Truth: k (initial angle + 2 pi turns - free angle).
TEST(Hinge, StartsWithTheTurnsItIsGiven) {
  System s = lever(0.5, 2.0, 0.0, 0.0);
  auto& law = std::get<Hinge>(s.forces[0].law);
  law.turns = -3;
  law.free_angle = 0.25;
  Results r;
  run(s, testing::accurate(Integrator::runge_kutta, 1e-3, 1e-3, 1e-4), r);
  EXPECT_NEAR(r.at(0.0, "hinge/angle"), -6.0 * M_PI, tolerance(1e-12));
  EXPECT_NEAR(r.at(0.0, "hinge/value"), 2.0 * (-6.0 * M_PI - 0.25), tolerance(1e-11));
}

// Truth: the message contains both ends of the line.
TEST(Hinge, RefusesALineWithoutLength) {
  System s = lever(0.5, 2.0, 0.0, 0.0);
  std::get<Hinge>(s.forces[0].law).ends = {"ground", "ground/east", "lever/tip", "lever/tip"};
  Diagnostics diagnostics;
  try {
    compile(s, diagnostics);
    FAIL() << "a line from a place to itself has no angle";
  } catch (const ModelError& error) {
    EXPECT_NE(error.message().find("from lever/tip to lever/tip"), std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace femflex::mbd_solver

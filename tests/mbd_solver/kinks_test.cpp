// Tests linearisation exactly at a knot, gap or jump of a law, and the residual that statics tells.
// Truth: the slopes of the laws on both sides, by hand.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"
#include "femflex/progress.h"

#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using testing::joint;
using testing::rigid;
using testing::tolerance;

/// A mass on a rail along x, 1 m beside a wall, held by a spring without load.
System on_rail() {
  System s;
  s.bodies = {rigid("m", 2.0, Eigen::Vector3d::Zero(), Eigen::Vector3d::Constant(1.0))};
  s.joints = {joint("rail", JointType::prismatic, "ground", "m")};
  s.joints[0].axis = Eigen::Vector3d::UnitX();
  s.ground_markers["wall"].position = {-1.0, 0.0, 0.0};
  s.ground_markers["above"].position = {0.0, 0.0, 1.0};
  SpringDamper spring;
  spring.a = "ground/wall";
  spring.b = "m";
  spring.stiffness = Value(100.0);
  spring.damping = Value(1.0);
  s.forces = {{"spring", spring}};
  return s;
}

SpringDamper between_wall_and_mass() {
  SpringDamper out;
  out.a = "ground/wall";
  out.b = "m";
  return out;
}

/// The warning "kink" of a linearisation about the start; empty if there is none.
std::string kink_of(const System& s) {
  Diagnostics diagnostics;
  AssemblyReport report;
  const State state = assemble(s, report, diagnostics);
  Diagnostics told;
  linearise(s, state, told);
  for (const Warning& each : told.warnings())
    if (each.code == "kink") return each.message;
  return {};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Kinks, SmoothLawsAreSilent) {
  System s = on_rail();
  SpringDamper across;  // shortest here, so that its force grows with the square of the way
  across.a = "ground/above";
  across.b = "m";
  across.stiffness = Value(1e4);
  across.length = 0.5;
  across.curve = Table{{-1.0, 1.0}, {-10.0, 10.0}};
  s.forces.push_back({"across", across});
  s.forces.push_back({"drag", Drag{.on = "m", .damping = 3.0, .growth = {2.0, 1.0}}});
  Friction friction;
  friction.joint = "rail";
  friction.sliding = 5.0;
  s.forces.push_back({"rub", friction});
  s.forces.push_back(
      {"stop", BumpStop{.a = "ground/wall", .b = "m", .max = 1.1, .stiffness = 1e6}});
  EXPECT_EQ(kink_of(s), "");
}

TEST(Kinks, AStopThatJustTouchesHasTwoSlopes) {
  System s = on_rail();
  s.forces.push_back(
      {"stop", BumpStop{.a = "ground/wall", .b = "m", .max = 1.0, .stiffness = 1e6}});
  const std::string told = kink_of(s);
  EXPECT_TRUE(
      has(told, "force stop has the slopes 0 and 1e+06 N/m on the two sides of x of body m"))
      << told;
  EXPECT_TRUE(has(told, "mean of the two slopes")) << told;
}

TEST(Kinks, ASlackSpringAndAKnotOfADamperAreTold) {
  System s = on_rail();
  SpringDamper rope = between_wall_and_mass();
  rope.stiffness = Value(5000.0);
  rope.tension_only = true;
  s.forces.push_back({"rope", rope});
  EXPECT_TRUE(has(kink_of(s), "force rope has the slopes 0 and 5000")) << kink_of(s);
  s.forces.pop_back();
  SpringDamper damper = between_wall_and_mass();
  damper.damper_curve = Table{{-1.0, 0.0, 1.0}, {-200.0, 0.0, 900.0}};
  s.forces.push_back({"damper", damper});
  EXPECT_TRUE(has(kink_of(s), "force damper has the slopes 200 and 900 N s/m")) << kink_of(s);
}

TEST(Kinks, AForceThatJumpsIsTold) {
  System s = on_rail();
  PointForce load;
  load.on = "m";
  load.value = {Value("-4*sign([m/velocity/x])"), Value(0.0), Value(0.0)};
  s.forces.push_back({"rub", load});
  const std::string told = kink_of(s);
  EXPECT_TRUE(has(told, "force rub jumps by 8 N")) << told;
  EXPECT_TRUE(has(told, "modes mean nothing")) << told;
}

TEST(Kinks, ATableBlockAtItsKnotIsTold) {
  System s = on_rail();
  TableBlock table;
  table.curve = laws::Curve({-1.0, 0.0, 1.0},
                            {-1.0, 0.0, 7.0},
                            laws::Curve::Kind::linear,
                            laws::Curve::Beyond::extrapolate,
                            "gain");
  s.blocks = {{"gain", "N", {Value("[m/position/x]")}, table}};
  PointForce load;
  load.on = "m";
  load.value = {Value("-[gain]"), Value(0.0), Value(0.0)};
  s.forces.push_back({"push", load});
  EXPECT_TRUE(has(kink_of(s), "block gain has the slopes 1 and 7")) << kink_of(s);
}

// Truth: nothing is loaded, so no force is left beyond the round-off of the springs.
TEST(StaticResidual, SaysThatNothingIsLeftWithoutLoads) {
  System s = on_rail();
  s.joints[0].type = JointType::planar;  // also free across the spring, with forces of round-off
  s.ground_markers["wall"].position = {-0.7, -0.1, 0.3};
  Diagnostics diagnostics;
  Results row;
  Progress progress;
  const StaticSummary rest = solve_statics(s, {}, row, diagnostics, progress);
  ASSERT_TRUE(rest.converged);
  EXPECT_LT(rest.residual, 1e-5);
  EXPECT_LT(rest.unbalanced, 100.0 * 1e-13);
}

// Truth: the weight of 2 kg and the tolerance of the force balance.
TEST(StaticResidual, IsAForceInNewton) {
  System s = on_rail();
  s.gravity[0] = Value(9.81);
  Diagnostics diagnostics;
  Results row;
  Progress progress;
  StaticOptions one;
  one.max_iterations = 1;
  const StaticSummary early = solve_statics(s, one, row, diagnostics, progress);
  EXPECT_FALSE(early.converged);
  EXPECT_NEAR(early.unbalanced, 19.62, tolerance(1e-9));
  const StaticSummary rest = solve_statics(s, {}, row, diagnostics, progress);
  ASSERT_TRUE(rest.converged);
  EXPECT_LT(rest.unbalanced, 1e-9 * 19.62);
}

}  // namespace
}  // namespace femflex::mbd_solver

// Tests what the assembly of the initial state tells: moves with their units, prescribed velocities
// that contradict each other, and the remedies of its errors. Truth: the gaps and rates given.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "benchmarks.h"
#include "mechanisms.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::rigid;
using testing::tolerance;

struct Assembled {
  AssemblyReport report;
  std::vector<std::string> warnings;
};

Assembled assembled(const System& system) {
  Assembled out;
  Diagnostics diagnostics;
  assemble(system, out.report, diagnostics);
  for (const auto& warning : diagnostics.warnings())
    out.warnings.push_back(warning.message);
  return out;
}

/// "ModelError code: message; fix" of the error that assembly gives; "" if there is none.
std::string refusal_of(const System& system) {
  try {
    assembled(system);
  } catch (const Error& error) {
    return std::string(error.kind()) + " " + error.code() + ": " + error.message() + "; " +
           error.fix();
  }
  return "";
}

/// A massless point between two springs, one of which is preloaded; it moves by preload / 100 N/m.
System sprung_point(double length, double preload) {
  System s;
  s.bodies = {testing::point("m", 0.0, {length, 0, 0}),
              rigid("n", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[1].position = {2.0 * length, 0, 0};
  for (const char* other : {"ground", "n"}) {
    Bushing spring;
    spring.a = other;
    spring.b = "m";
    spring.at = Vector3d(length, 0, 0);
    const bool is_soft = std::string(other) == "n";
    spring.stiffness.diagonal().head<3>().setConstant(is_soft ? 1e-3 : 100.0);
    spring.preload(0) = is_soft ? 0.0 : preload;
    s.forces.push_back({std::string("spring-") + other, spring});
  }
  return s;
}

TEST(Assembly, MassLessBodiesMoveByMetresWhateverTheSizeOfTheSystem) {
  for (const double length : {1e-3, 1.0, 1000.0}) {
    const Assembled far = assembled(sprung_point(length, 0.05));
    EXPECT_NEAR(far.report.position_change, 5e-4, 1e-4 * 5e-4) << length;
    ASSERT_EQ(far.warnings.size(), 1U) << length;
    EXPECT_EQ(far.warnings[0],
              "assembly moved m by 0.0005 m to where the springs of bodies without mass balance");
    EXPECT_TRUE(assembled(sprung_point(length, 1e-5)).warnings.empty()) << length;  // 1e-7 m
  }
}

/// A slider along x that two motions drive.
System driven_twice(const std::string& first, const std::string& second) {
  System s;
  s.bodies = {rigid("m", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  Joint rail = joint("a", JointType::prismatic, "ground", "m");
  rail.axis = Vector3d::UnitX();
  s.joints = {rail};
  for (const std::string& formula : {first, second}) {
    Motion drive;
    drive.name = "d" + std::to_string(s.motions.size() + 1);
    drive.joint = "a";
    drive.coordinate = Motion::Coordinate::displacement;
    drive.value = Value(formula);
    s.motions.push_back(drive);
  }
  return s;
}

TEST(Assembly, SlowMotionsThatContradictAreRefusedAsFastOnesAre) {
  for (const char* rate : {"2e-9", "5e-7", "1", "1e4"}) {
    const std::string r = rate;
    EXPECT_EQ(refusal_of(driven_twice(r + "*t", "-" + r + "*t")).substr(0, 47),
              "NumericalError velocities-contradict: joints an")
        << rate;
    EXPECT_NE(refusal_of(driven_twice(r + "*t", "2*" + r + "*t")).find("missed by"),
              std::string::npos);
    EXPECT_EQ(refusal_of(driven_twice(r + "*t", "2*" + r + "*t/2")), "") << rate;
  }
  EXPECT_NE(refusal_of(driven_twice("t", "2*t")).find("m/s"), std::string::npos);
}

// Truth: both motions are at rest at the start; cos(pi/2) is 6e-17.
TEST(Assembly, MotionsAtRestMayDifferByRoundOff) {
  EXPECT_EQ(refusal_of(driven_twice("0.1*cos(3*t) - 0.1", "0.1*sin(3*t + pi/2) - 0.1")), "");
}

/// Two bodies that a ball joint holds 0.1 m apart in z.
System open_joint() {
  System s;
  s.bodies = {rigid("m", 1.0, Vector3d::Zero(), Vector3d::Ones()),
              rigid("n", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[0].markers["q"] = testing::at(0, 0, 0);
  s.bodies[0].position = {0, 0, 0.1};
  s.bodies[1].markers["p"] = testing::at(0, 0, 0);
  s.joints = {joint("s", JointType::spherical, "n/p", "m/q")};
  return s;
}

TEST(Assembly, AMoveHasItsUnitAndAFixedBodyIsAModelError) {
  System s = open_joint();
  EXPECT_EQ(assembled(s).warnings,
            std::vector<std::string>{"assembly moved m by 0.05 m to close the joints"});
  s.bodies[0].initial_fixed = true;
  EXPECT_EQ(refusal_of(s),
            "ModelError fixed-moved: body m must not move during assembly (initial_fixed), but the "
            "joints move it by 0.05 m; let it move, or place the bodies so that its joints close");
  s = open_joint();
  s.joints[0] = joint("s", JointType::spherical, "ground", "n/p");
  s.bodies[1].velocity = {0, 0, 0.5};
  EXPECT_EQ(assembled(s).warnings.back(),
            "assembly changed the velocity of body n by 0.5 m/s to agree with the joints");
}

TEST(Assembly, RemediesFitTheBodiesAndTheMotion) {
  System s;
  s.bodies = {testing::point("m", 0.0, {1, 0, 0})};
  EXPECT_EQ(refusal_of(s),
            "ModelError no-mass: body m has no mass in a direction that nothing holds; give it a "
            "mass, or hold it by a joint or a spring");
  s = driven_twice("sqrt(t)", "sqrt(t)");
  s.motions.pop_back();
  EXPECT_EQ(refusal_of(s),
            "ModelError not-finite: motion d1: the rate of 'sqrt(t)' is not finite at t = 0 s; use "
            "a function that is smooth there, such as t^2, or start later");
}

/// A block fixed at x = y = `far`, and held by a corner whose place on the ground is off by `gap`.
System held_twice(double far, double gap) {
  System s;
  s.bodies = {rigid("m", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[0].position = Vector3d(far, far, 0);
  s.bodies[0].markers["corner"] = testing::at(1, 0, 0);
  s.ground_markers["corner"] = testing::at(far + 1.0, far, gap);
  s.joints = {joint("foot", JointType::fixed, "ground", "m"),
              joint("corner", JointType::spherical, "ground/corner", "m/corner")};
  s.joints[0].at = s.bodies[0].position;
  return s;
}

/// Two bars of 1 m between hinges on the ground 1.5 m apart, placed carelessly.
System careless_bars(double far) {
  System s;
  for (const char* name : {"one", "two"}) {
    s.bodies.push_back(rigid(name, 1.0, Vector3d(0.5, 0, 0), Vector3d::Constant(0.1)));
    s.bodies.back().markers["tip"] = testing::at(1, 0, 0);
  }
  s.bodies[0].position = Vector3d(far + 0.02, far, 0);
  s.bodies[0].orientation = testing::turn_z(0.8);
  s.bodies[1].position = Vector3d(far + 0.7, far + 0.6, 0);
  s.bodies[1].orientation = testing::turn_z(-0.7);
  s.ground_markers["start"] = testing::at(far, far, 0);
  s.ground_markers["end"] = testing::at(far + 1.5, far, 0);
  s.joints = {joint("start", JointType::revolute, "ground/start", "one"),
              joint("elbow", JointType::spherical, "one/tip", "two"),
              joint("end", JointType::spherical, "two/tip", "ground/end")};
  return s;
}

// Truth: the gap, which is the same wherever the system is.
TEST(Assembly, AGapIsRefusedAtAnyDistanceFromTheOrigin) {
  for (const double far : {0.0, 1e4, 1e6}) {
    SCOPED_TRACE(far);
    const std::string refusal = refusal_of(held_twice(far, 1e-6));
    EXPECT_NE(refusal.find("does-not-close"), std::string::npos) << refusal;
  }
}

// Truth: the bars close, but for the round-off of places, 1e-16 of the distance.
TEST(Assembly, JointsCloseAtAnyDistanceFromTheOrigin) {
  for (const double far : {0.0, 1e4, 1e6}) {
    SCOPED_TRACE(far);
    const Assembled found = assembled(careless_bars(far));
    EXPECT_GT(found.report.constraint_before, 0.01);
    EXPECT_LE(found.report.constraint_after, tolerance(1e-13) + 5e-15 * far);
  }
}

TEST(Assembly, OneRedundantRowIsSingular) {
  System s;
  s.bodies = {rigid("m", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  Joint hinge = joint("a", JointType::revolute, "ground", "m");
  hinge.axis = Vector3d::UnitY();
  Joint plane = joint("b", JointType::point_on_plane, "ground", "m");
  plane.at = Vector3d(0, 0.5, 0);
  plane.axis = Vector3d::UnitY();
  s.joints = {hinge, plane};
  ASSERT_EQ(assembled(s).warnings.size(), 1U);
  EXPECT_EQ(assembled(s).warnings[0].find("1 constraint row is redundant ("), 0U);
}

}  // namespace
}  // namespace femflex::mbd_solver

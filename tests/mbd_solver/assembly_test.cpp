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
    EXPECT_EQ(far.report.moved_body, "m");
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

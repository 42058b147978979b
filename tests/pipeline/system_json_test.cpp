// Tests system files: units, parameters, orientations, faults.
#include "system/system_json.h"

#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "support/support.h"

namespace femflex::tools {
namespace {

using testing::tolerance;

SystemDocument read(const std::string& text, const DocumentOptions& options = {}) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "s.json", text);
  Diagnostics diagnostics;
  return read_system(folder / "s.json", options, diagnostics, no_progress());
}

std::string fault(const std::string& text) {
  try {
    static_cast<void>(read(text));
  } catch (const Error& error) {
    const std::string line = error.what();
    return line.substr(line.find("s.json"));
  }
  return "no error";
}

// Truth: factors by hand. In mm-t-s forces are in N, N/mm = 1000 N/m, t mm^2 = 1e-3 kg m^2.
TEST(SystemJson, NumbersInOtherUnitsBecomeSi) {
  const SystemDocument document = read(R"({ "units": "mm-t-s", "gravity": [0, 0, -9810],
    "bodies": { "b": { "rigid": { "mass": 0.002, "com": [10, 0, 0], "inertia": [3, 4, 5, 0, 0, 0] },
                       "at": [0, 100, 0] } },
    "forces": { "s": { "type": "spring-damper", "a": "ground", "b": "b", "stiffness": 7,
                       "damping": 2, "length": 50 } } })");
  const mbd_solver::System& system = document.system;
  const auto& rigid = std::get<mbd_solver::RigidInertia>(system.bodies.at(0).kind);
  EXPECT_NEAR(rigid.mass, 2.0, tolerance(1e-12));
  EXPECT_NEAR(rigid.com.x(), 0.01, tolerance(1e-14));
  EXPECT_NEAR(rigid.inertia(2, 2), 5e-3, tolerance(1e-14));
  EXPECT_NEAR(system.bodies[0].position.y(), 0.1, tolerance(1e-13));
  EXPECT_NEAR(system.gravity[2].number(), -9.81, tolerance(1e-12));
  const auto& spring = std::get<mbd_solver::SpringDamper>(system.forces.at(0).law);
  EXPECT_NEAR(spring.stiffness.number(), 7000.0, tolerance(1e-9));
  EXPECT_NEAR(spring.damping.number(), 2000.0, tolerance(1e-9));
  EXPECT_NEAR(spring.length.value(), 0.05, tolerance(1e-14));
}

// Truth: by hand. k d^1.5 with d in mm is 1000^1.5 k d^1.5 with d in m; so is the damping, times
// 1000 for its mm/s.
TEST(SystemJson, ContactLawsHaveTheUnitsOfTheirExponent) {
  const SystemDocument document = read(R"({ "units": "mm-t-s",
    "bodies": { "b": { "point": { "mass": 0.001 } } },
    "forces": { "c": { "type": "contact", "on": "b", "stiffness": 2, "damping": 0.5,
                       "exponent": 1.5 } } })");
  const auto& contact = std::get<mbd_solver::Contact>(document.system.forces.at(0).law);
  EXPECT_NEAR(contact.stiffness / (2.0 * std::pow(1000.0, 1.5)), 1.0, 1e-12);
  EXPECT_NEAR(contact.damping / (0.5 * std::pow(1000.0, 2.5)), 1.0, 1e-12);
}

// Truth: by hand. angle + ratio x stays constant, with x in mm in the file and in m in the system.
TEST(SystemJson, GearRatiosOfASlidingJointHaveItsUnit) {
  const SystemDocument document = read(R"({ "units": "mm-t-s",
    "bodies": { "p": { "rigid": { "mass": 1, "inertia": [1, 1, 1] } }, "r": { "rigid": { "mass": 1, "inertia": [1, 1, 1] } } },
    "joints": { "rack": { "type": "gear", "joint_a": "turn", "joint_b": "slide", "ratio": 0.02 },
                "back": { "type": "gear", "joint_a": "slide", "joint_b": "turn", "ratio": 50 },
                "turn": { "type": "revolute", "a": "ground", "b": "p", "axis": [0, 0, 1] },
                "slide": { "type": "prismatic", "a": "ground", "b": "r", "axis": [1, 0, 0] } } })");
  const auto ratio_of = [&](const std::string& name) {
    for (const mbd_solver::Joint& joint : document.system.joints)
      if (joint.name == name) return joint.ratio;
    return 0.0;
  };
  EXPECT_NEAR(ratio_of("rack"), 20.0, 1e-12);
  EXPECT_NEAR(ratio_of("back"), 0.05, 1e-15);
}

// A parameter may use the parameters defined before it. In a formula, t remains the time.
TEST(SystemJson, ParametersReachNumbersAndFormulas) {
  const SystemDocument document = read(R"json({ "parameters": { "k": 1e3, "twice": "=2*k" },
    "bodies": { "b": { "point": { "mass": "=twice/1000" } } },
    "forces": { "f": { "type": "force", "on": "b", "value": ["k*sin(t)", "=k+1", 3] } } })json");
  const auto& point = std::get<mbd_solver::PointMass>(document.system.bodies.at(0).kind);
  EXPECT_NEAR(point.mass, 2.0, tolerance(1e-14));
  const auto& force = std::get<mbd_solver::PointForce>(document.system.forces.at(0).law);
  const double t[] = {0.5};
  EXPECT_NEAR(force.value[0].at(t), 1000.0 * std::sin(0.5), tolerance(1e-12));
  EXPECT_EQ(force.value[1].number(), 1001.0);
  EXPECT_EQ(force.value[2].number(), 3.0);
}

TEST(SystemJson, SetReachesParameters) {
  const SystemDocument document =
      read(R"({ "parameters": { "m": 1 }, "bodies": { "b": { "point": { "mass": "=m" } } } })",
           {"", {parse_change("parameters.m=4")}});
  EXPECT_EQ(std::get<mbd_solver::PointMass>(document.system.bodies.at(0).kind).mass, 4.0);
}

// Intrinsic rotations about z, y, x. A quarter turn about z rotates x to y; a quarter turn about
// the new x rotates the new y to z.
TEST(SystemJson, EulerAnglesTurnAboutTheMovingAxes) {
  const SystemDocument document = read(R"({ "bodies": { "b": { "point": { "mass": 1 },
    "orientation": { "euler": [90, 0, 90], "order": "zyx", "unit": "deg" } } } })");
  const Eigen::Matrix3d& R = document.system.bodies.at(0).orientation;
  EXPECT_LE((R.col(0) - Eigen::Vector3d::UnitY()).norm(), tolerance(1e-15));
  EXPECT_LE((R.col(1) - Eigen::Vector3d::UnitZ()).norm(), tolerance(1e-15));
}

// Truth: lines and columns counted by hand. The suggested names differ by one edit.
TEST(SystemJson, FaultsNameTheirPlaceAndTheRemedy) {
  EXPECT_EQ(fault("{ \"bodys\": {} }"),
            "s.json:1:3: system: unknown key 'bodys'; did you mean 'bodies'?");
  EXPECT_EQ(fault("{ \"bodies\": { \"b\": { \"rigid\": { \"mas\": 1 } } } }"),
            "s.json:1:33: body 'b': rigid: unknown key 'mas'; did you mean 'mass'?");
  EXPECT_EQ(
      fault("{ \"bodies\": { \"b\": { \"point\": { \"mass\": \"heavy\" } } } }").substr(0, 53),
      "s.json:1:41: the text 'heavy' where a number was expe");
  EXPECT_EQ(fault("{ \"bodies\": { \"b\": { \"point\": { \"mass\": 1 } } },\n"
                  "\"forces\": { \"f\": { \"type\": \"force\", \"on\": \"c\", "
                  "\"value\": [0,0,0] } } }"),
            "s.json:2:43: no body 'c'; known: ground, b");
  EXPECT_EQ(fault("{ \"bodies\": {}, \"analyses\": [ { \"type\": \"dynamik\" } ] }"),
            "s.json:1:41: 'dynamik' is not known here; did you mean 'dynamic'?");
  EXPECT_EQ(fault("{ \"bodies\": {}, \"parameters\": { \"a\": \"=b*2\" } }").substr(0, 20),
            "s.json:1:38: 'b*2': ");
}

/// The fault in one member of a system with a body b.
std::string fault_in(const std::string& member) {
  const std::string line =
      fault("{ \"bodies\": { \"b\": { \"rigid\": { \"mass\": 1, \"inertia\": [1, 1, 1] } } },\n" +
            member + " }");
  const std::size_t text = line.find(": ");
  return text == std::string::npos ? line : line.substr(text + 2);
}

// Truth: two rules contradict each other, and the other members could not act as they are written.
TEST(SystemJson, WhatCannotBeMeantIsRefused) {
  EXPECT_EQ(fault_in(R"("ground": { "markers": { "m": { "orientation":
                { "euler": [0, 0, 1], "quaternion": [1, 0, 0, 0] } } } })"),
            "orientation: 2 rules are given, of which one would be taken; keep one of euler, "
            "quaternion, axis with angle, matrix");
  EXPECT_EQ(fault_in(R"("forces": { "s": { "type": "bump-stop", "a": "ground", "b": "b",
                "stiffness": 1 } })"),
            "bump-stop: neither 'min' nor 'max' is given, so it would never act; add the limits of "
            "the distance, angle or displacement");
  for (const char* type : {"spring-damper", "bushing"})
    EXPECT_EQ(fault_in(std::string(
                           R"("forces": { "s": { "a": "b", "b": "b", "stiffness": 1, "type": ")") +
                       type + "\" } }"),
              "force 's': a and b are both 'b'; name two places");
  const std::string joint = R"("joints": { "j": { "a": "ground", "b": "b", "type": )";
  EXPECT_EQ(fault_in(joint + "\"screw\" } }"), "joint 'j': 'pitch' is missing; add it");
  EXPECT_EQ(fault_in(joint + "\"screw\", \"pitch\": 0 } }"),
            "joint 'j': a screw of pitch 0 does not move along its axis; give the displacement of "
            "one turn, or make it a revolute joint");
  EXPECT_EQ(fault_in(joint + "\"revolute\", \"pitch\": 0.1 } }"),
            "joint 'j': a revolute joint has no 'pitch'; leave it out, or make it a screw joint");
  EXPECT_EQ(fault_in(R"("analyses": [ { "type": "dynamic", "end": 2 },
                { "type": "dynamic", "end": 1 } ])"),
            "the analysis ends at 1 s, but the one before it goes to 2 s; \"end\" is a time, not a "
            "length: set a later one");
  EXPECT_EQ(fault_in(R"("analyses": [ { "type": "kinematics", "end": 2 },
                { "type": "quasi-static", "start": 5, "end": 6 } ])"),
            "the analysis starts at 5 s, but the one before it ends at 2 s; leave \"start\" out: "
            "each analysis goes on where the one before it ended");
}

// Truth: rounding to six decimals leaves R'R - 1 of the second at 1.34e-6; that of the third is
// 2e-6 on its diagonal, 3.46e-6 as a whole. The fourth mirrors x.
TEST(SystemJson, AMatrixThatTheSolverRefusesIsRefusedInItsLine) {
  const auto with_matrix = [](const std::string& rows) {
    return R"({ "bodies": { "b": { "point": { "mass": 1 }, "orientation": {
      "matrix": )" +
           rows + " } } } }";
  };
  for (const char* rows : {"[[1,0,0], [0,0,-1], [0,1,0]]",
                           "[[0.813798,-0.44097,0.378522], [0.469846,0.882564,0.018028], "
                           "[-0.34202,0.163176,0.925417]]"})
    EXPECT_EQ(fault(with_matrix(rows)), "no error");
  for (const char* rows :
       {"[[1.000001,0,0], [0,1.000001,0], [0,0,1.000001]]", "[[-1,0,0], [0,1,0], [0,0,1]]"})
    EXPECT_EQ(
        fault(with_matrix(rows)),
        "s.json:2:17: the matrix is not a rotation; columns are the body's axes in the world");
}

/// What is said of a body with this inertia, without its place.
std::string inertia_fault(const std::string& inertia, const std::string& planar = "false") {
  const std::string line =
      fault(R"({ "planar": )" + planar +
            R"(, "bodies": { "b": { "rigid": { "mass": 1, "inertia": )" + inertia + " } } } }");
  const std::size_t text = line.find(": ");
  return text == std::string::npos ? line : line.substr(text + 2, line.find(';') - text - 2);
}

// Truth: of a square plate m a^2/12 about its edges, and twice that about its normal. With seven
// digits the sum is short by 1e-7; a sum short by 1e-5 is beyond rounding.
TEST(SystemJson, AFlatPlateWithRoundedInertiaIsTaken) {
  EXPECT_EQ(inertia_fault("[0.3333333, 0.3333333, 0.6666667]"), "no error");
  EXPECT_EQ(inertia_fault("[0.5, 0.49999, 1]"),
            "principal moments 0.49999 0.5 1: no body has these");
  EXPECT_EQ(inertia_fault("[1, 1, -1e-3]"), "principal moments -0.001 1 1: no body has these");
}

// Truth: in the plane only zz counts, as a number and in a list.
TEST(SystemJson, PlanarInertiaIsCheckedAboutZAlone) {
  EXPECT_EQ(inertia_fault("[1, 1, 1100]", "true"), "no error");
  for (const char* negative : {"-3", "[1, 1, -3]"})
    EXPECT_EQ(inertia_fault(negative, "true"), "the moment about z is negative: -3");
}

/// A system with the body of the double mass spring, of which node 3 is at z = 2.
std::string with_marker(const std::string& members, const std::string& marker) {
  return R"({ "parameters": { "n": 3 }, "bodies": { "b": { "flex": ")" +
         testing::data("double_mass_spring/flex/static.flex").string() + "\", " + members +
         R"("markers": { "m": )" + marker + " } } } }";
}

// Truth: the position of the node in the file, plus the offset. A number and a formula are alike.
TEST(SystemJson, AMarkerOnANodeOfARigidBodyIsAtTheNode) {
  for (const char* node : {"3", "\"=n\""}) {
    const SystemDocument document = read(with_marker(
        R"("as": "rigid", )", std::string(R"({ "at": [0, 0, 1], "node": )") + node + " }"));
    EXPECT_NEAR(document.system.bodies.at(0).markers.at("m").position.z(), 3.0, tolerance(1e-14))
        << node;
  }
  EXPECT_EQ(read(with_marker("", R"({ "node": "=n" })")).system.bodies.at(0).markers.at("m").node,
            3);
}

// Truth: the body has the nodes 1, 2 and 3.
TEST(SystemJson, AMarkerOnNoNodeIsRefused) {
  for (const char* node : {"21.7", "-3", "\"=n/2\"", "1e300"})
    EXPECT_NE(
        fault(with_marker("", std::string(R"({ "node": )") + node + " }")).find("whole number"),
        std::string::npos)
        << node;
  EXPECT_NE(
      fault(with_marker(R"("as": "rigid", )", R"({ "node": 99 })")).find("body 'b' has no node 99"),
      std::string::npos);
}

// Truth: a seed counts random roads, so -3 and 2.9 name none.
TEST(SystemJson, SeedsAreWholeNumbers) {
  for (const std::string seed : {"-3", "2.9"}) {
    EXPECT_EQ(fault_in(R"("forces": { "t": { "type": "tyre", "on": "b", "radius": 0.5,
                  "stiffness": 1e5, "road": { "iso8608": "A", "seed": )" +
                       seed + " } } }"),
              seed + " is not a whole number from 0 on");
    EXPECT_EQ(fault_in(R"("road": { "iso8608": "A", "seed": )" + seed + " }"),
              seed + " is not a whole number from 0 on");
  }
}

// Truth: the digits of the text. 5-10 is 5e-10 to solvers alone, not to users.
TEST(SystemJson, NumbersWithAUnitAreFinite) {
  const auto up_to = [](const std::string& text) {
    return R"({ "bodies": {}, "analyses": [ { "type": "modal", "up_to": )" + text + " } ] }";
  };
  for (const char* text : {"120", "\"120 Hz\"", "\"+120 Hz\"", "\"1.2D2Hz\"", "\"=100+20\""})
    EXPECT_EQ(read(up_to(text)).analyses.at(0).up_to_hz, 120.0) << text;
  for (const char* text : {"nan Hz", "inf", "1e999 Hz", "5-10 Hz", "120 kHz", "Hz"}) {
    const std::string said = std::string("'") + text + "' is not a number in Hz";
    EXPECT_NE(fault(up_to(std::string("\"") + text + "\"")).find(said), std::string::npos) << text;
    const std::string below = R"("modes": { "below": ")" + std::string(text) + R"(" }, )";
    EXPECT_NE(fault(with_marker(below, "{}")).find(said), std::string::npos) << text;
  }
}

// Truth: a rigid body has the nodes that the system names, also where a formula alone names them.
TEST(SystemJson, ARigidBodyKeepsTheNodesOfFormulas) {
  const std::string flex =
      testing::data("double_mass_spring/flex/static_ortho_scaled.flex").string();
  const SystemDocument document = read(R"({ "gravity": [0, 0, "-9.81-[b/3/position/z]"],
    "bodies": { "b": { "flex": ")" + flex +
                                       R"(", "as": "rigid" } },
    "forces": { "f": { "type": "force", "on": "b",
                       "value": [0, 0, "100-1e3*[b/2/position/z]"] } } })");
  const auto& markers = document.system.bodies.at(0).markers;
  EXPECT_EQ(markers.size(), 2U);
  for (const char* node : {"2", "3"}) {
    ASSERT_TRUE(markers.contains(node));
    EXPECT_FALSE(markers.at(node).has_axes);
  }
}

}  // namespace
}  // namespace femflex::tools

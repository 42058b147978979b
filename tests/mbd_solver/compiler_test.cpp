// Tests the compilation of systems: joints between markers with rotated axes, names, units of
// channels, mode numbers in messages. Truth: the initial state, closed forms, the names in the
// input.
#include "spatial/compiler.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/linearise.h"
#include "femflex/mbd_solver/simulate.h"
#include "femflex/mbd_solver/statics.h"

#include "flex_bodies.h"
#include "mechanisms.h"
#include "spatial/flexible_inertia.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Vector3d;
using testing::joint;
using testing::point;
using testing::rigid;
using testing::tolerance;
using testing::turn_z;

/// Two wheels on the ground. The markers of their pins are rotated about z by 0.7 and -0.3 rad.
System two_wheels() {
  System s;
  s.bodies = {rigid("left", 1.0, Vector3d::Zero(), {1.0, 1.0, 1.0}),
              rigid("right", 1.0, Vector3d::Zero(), {1.0, 1.0, 1.0})};
  s.bodies[1].position = {2.0, 0.0, 0.0};
  s.bodies[0].markers["pin"].orientation = turn_z(0.7);
  s.bodies[1].markers["pin"].orientation = turn_z(-0.3);
  s.ground_markers["left"] = {};
  s.ground_markers["right"].position = {2.0, 0.0, 0.0};
  return s;
}

double moved_by_assembly(const System& system) {
  Diagnostics diagnostics;
  AssemblyReport report;
  assemble(system, report, diagnostics);
  return report.position_change;
}

std::string code_of_compile(const System& system) {
  Diagnostics diagnostics;
  try {
    compile(system, diagnostics);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

/// A mass point at the origin with forces along x of the given formulas, named f, g, ...
System pushed(const std::vector<std::string>& formulas) {
  System s;
  s.bodies = {point("m", 1.0, Vector3d::Zero())};
  std::string name = "f";
  for (const std::string& formula : formulas) {
    PointForce push;
    push.on = "m";
    push.value = {Value(formula), Value(0.0), Value(0.0)};
    s.forces.push_back({name, push});
    ++name[0];
  }
  return s;
}

// Truth: a force follows from the state. What follows from the forces cannot be read by them.
TEST(Force, ReadsOnlyWhatIsKnownBeforeIt) {
  EXPECT_EQ(code_of_compile(pushed({"1-0.5*[f/force/x]"})), "force-loop");
  EXPECT_EQ(code_of_compile(pushed({"[g/force/x]", "1"})), "force-order");
  EXPECT_EQ(code_of_compile(pushed({"1", "[f/force/x]"})), "");
  EXPECT_EQ(code_of_compile(pushed({"-[m/acceleration/x]"})), "algebraic-loop");
  EXPECT_EQ(code_of_compile(pushed({"[energy/work]"})), "algebraic-loop");
  EXPECT_EQ(code_of_compile(pushed({"-[m/velocity/x]-[energy/kinetic]"})), "");
}

// Truth: a gear keeps angle_a + ratio angle_b at its initial value, so assembly changes nothing.
TEST(Gear, KeepsTheInitialAnglesOfPinsWithTurnedAxes) {
  System s = two_wheels();
  s.joints = {joint("l", JointType::revolute, "ground/left", "left/pin"),
              joint("r", JointType::revolute, "ground/right", "right/pin")};
  Joint gear;
  gear.name = "gear";
  gear.type = JointType::gear;
  gear.joint_a = "l";
  gear.joint_b = "r";
  gear.ratio = 2.0;
  s.joints.push_back(gear);
  EXPECT_LT(moved_by_assembly(s), tolerance(1e-12));
}

// Truth: a screw keeps the initial relation of angle and displacement, so assembly changes nothing.
TEST(Screw, KeepsTheInitialDisplacementOfPlacesWithTurnedAxes) {
  System s = two_wheels();
  Joint screw = joint("screw", JointType::screw, "ground/left", "left/pin");
  screw.pitch = 0.5;
  s.joints = {screw};
  EXPECT_LT(moved_by_assembly(s), tolerance(1e-12));
}

TEST(Names, OfAGearMayNotBeThatOfABody) {
  System s = two_wheels();
  s.joints = {joint("l", JointType::revolute, "ground/left", "left/pin"),
              joint("r", JointType::revolute, "ground/right", "right/pin")};
  Joint gear;
  gear.name = "left";
  gear.type = JointType::gear;
  gear.joint_a = "l";
  gear.joint_b = "r";
  s.joints.push_back(gear);
  EXPECT_EQ(code_of_compile(s), "joint-name");
}

// A name stands for one object, in formulas and channels: t is the time, energy and
// constraint_violation are channels, and a '/' divides the parts of a channel.
TEST(Names, AreCheckedInOneWayForEveryObject) {
  const auto code = [](const std::string& kind, const std::string& name) {
    System s = two_wheels();
    s.joints = {joint("l", JointType::revolute, "ground/left", "left/pin")};
    s.inputs.push_back({});
    s.inputs.back().name = kind == "input" ? name : "u";
    s.inputs.back().value = Value("t");
    SpringDamper spring;
    spring.a = "ground";
    spring.b = "right";
    s.forces = {{kind == "force" ? name : "f", spring}};
    s.motions = {
        {kind == "motion" ? name : "m", Motion::Coordinate::angle, "l", "", Value("0.1*t")}};
    Block block;
    block.name = kind == "block" ? name : "b";
    block.law = gain();
    block.inputs = {Value("t")};
    s.blocks = {block};
    if (kind == "joint") s.joints.push_back(joint(name, JointType::spherical, "ground", "right"));
    if (kind == "body") s.bodies.push_back(rigid(name, 1.0, Vector3d::Zero(), {1.0, 1.0, 1.0}));
    return code_of_compile(s);
  };
  for (const std::string kind : {"input", "force", "motion", "block", "joint", "body"}) {
    EXPECT_EQ(code(kind, "fresh"), "") << kind;
    for (const std::string name : {"", "t", "ground", "energy", "constraint_violation", "a/"})
      EXPECT_EQ(code(kind, name), kind + "-name") << name;
    EXPECT_NE(code(kind, "left"), "") << kind;
  }
  for (const std::string kind : {"force", "motion", "block", "joint"})
    EXPECT_EQ(code(kind, "a/b"), kind + "-name");
  EXPECT_EQ(code("body", "a/b"), "");
  EXPECT_EQ(code("body", "a/b/c"), "body-name");
}

// Truth: the load that drives a displacement is in N, also in the channel drive/torque. Joints have
// the channel reaction, but neither force nor torque. Angles and energies have no components.
TEST(Channels, OfMotionsAndJointsHaveTheUnitOfTheirCoordinate) {
  System s = two_wheels();
  s.joints = {joint("slider", JointType::prismatic, "ground/left", "left"),
              joint("pin", JointType::revolute, "ground/right", "right/pin")};
  s.motions = {{"drive", Motion::Coordinate::displacement, "slider", "", Value("0.1*t")},
               {"turn", Motion::Coordinate::angle, "pin", "", Value("0.1*t - 0.3")}};
  s.outputs = {"drive/torque", "drive/force", "turn/torque"};
  const std::vector<Channel> channels = channels_of(s);
  ASSERT_EQ(channels.size(), 3U);
  EXPECT_EQ(channels[0].unit, "N");
  EXPECT_EQ(channels[1].unit, "N");
  EXPECT_EQ(channels[2].unit, "N m");
  for (const char* wrong : {"pin/force", "slider/torque", "pin/angle/x", "energy/kinetic/x"}) {
    s.outputs = {wrong};
    EXPECT_EQ(code_of_compile(s), "unknown-channel") << wrong;
  }
}

// Closed form: a point at the arm r moves by axis x r per radian, for any position of the body.
TEST(ChannelJacobian, OfARotationDoesNotDependOnTheSizeOfTheSystem) {
  System s;
  s.bodies = {rigid("bar", 1.0, Vector3d::Zero(), {1.0, 1.0, 1.0})};
  s.bodies[0].position = {1e4, 0.0, 0.0};
  s.bodies[0].markers["tip"].position = {2.0, 0.0, 0.0};
  s.outputs = {"bar/tip/position"};
  Diagnostics diagnostics;
  AssemblyReport report;
  const State state = assemble(s, report, diagnostics);
  const ChannelJacobian jacobian = channel_jacobian(s, state, diagnostics);
  ASSERT_EQ(jacobian.rows.cols(), 6);
  EXPECT_NEAR(jacobian.rows(1, 5), 2.0, tolerance(1e-6));
  EXPECT_NEAR(jacobian.rows(2, 4), -2.0, tolerance(1e-6));
}

// Truth: mode 1 is disabled, so the first mode of the model is mode 2 of the body.
TEST(ModeNumber, IsThatOfTheBodyIfEarlierModesAreDisabled) {
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(
      testing::double_mass_spring(Eigen::MatrixXd(Eigen::Matrix2d::Identity())));
  flexible.enabled = std::vector<bool>{false, true};
  const FlexModel model = make_flex_model(flexible, "masses");
  ASSERT_EQ(model.n, 1);
  EXPECT_EQ(mode_number(model, 0), 2);
}

// Truth: b = 2 ratio sqrt(k m) of the one mode that acts, whatever the disabled one is: coupled by
// the mass, or the same shape again, so that the mass of both is singular.
TEST(TrueModeDamping, IsThatOfTheModesThatAct) {
  constexpr double kRatio = 0.02;
  Flexible flexible;
  flexible.enabled = std::vector<bool>{true, false};
  flexible.damping.kind = Damping::Kind::true_modes;
  flexible.damping.ratios = {kRatio};
  FlexBody coupled = testing::double_mass_spring(Eigen::MatrixXd(Eigen::Matrix2d::Identity()));
  coupled.mass << 1.0, 0.5, 0.5, 1.0;
  coupled.stiffness = Eigen::Vector2d(100.0, 1.0).asDiagonal();
  const FlexBody repeated = testing::double_mass_spring(Eigen::MatrixXd(Eigen::Matrix2d::Ones()));
  for (const FlexBody& body : {coupled, repeated}) {
    flexible.body = std::make_shared<FlexBody>(body);
    const FlexModel model = make_flex_model(flexible, "masses");
    ASSERT_EQ(model.n, 1);
    const double critical = 2.0 * std::sqrt(model.k(0, 0) * model.m(0, 0));
    EXPECT_NEAR(model.b(0, 0) / critical, kRatio, tolerance(1e-14));
  }
}

// Truth: the shapes. The second mass (the third node) stands still in the only mode that acts, so
// that a marker at it needs no modal rows.
TEST(MarkerAtANode, IsAPointOfTheFrameIfNoModeMovesTheNode) {
  System s;
  Flexible flexible;
  flexible.body = std::make_shared<FlexBody>(
      testing::double_mass_spring(Eigen::MatrixXd(Eigen::Matrix2d::Identity())));
  flexible.enabled = std::vector<bool>{true, false};
  Body masses;
  masses.name = "masses";
  masses.kind = flexible;
  s.bodies = {masses};
  s.outputs = {"masses/2/position", "masses/3/position"};
  Diagnostics diagnostics;
  const Model model = compile(s, diagnostics);
  const auto marker_at = [&](Eigen::Index node) {
    return *std::find_if(model.markers.begin(), model.markers.end(), [&](const MarkerModel& m) {
      return m.node == node;
    });
  };
  EXPECT_TRUE(marker_at(1).on_node);
  EXPECT_FALSE(marker_at(2).on_node);
  EXPECT_EQ(marker_at(2).r, flexible.body->nodes[2].position);
}

// Truth: z_a . z_b = 0 needs two axes; "wheel/" is a name without its end.
TEST(Compiler, AMissingAxisAndAChannelWithoutItsEndAreNamed) {
  System s;
  s.bodies = {rigid("wheel", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.joints = {joint("cardan", JointType::universal, "ground", "wheel")};
  s.joints[0].axis = Vector3d::UnitX();
  const auto refusal = [&] {
    Diagnostics diagnostics;
    try {
      static_cast<void>(compile(s, diagnostics));
    } catch (const ModelError& error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(refusal(),
            "joint cardan: a universal joint has two perpendicular axes, and that of b is missing");
  s.joints[0].axis_b = Vector3d::UnitY();
  EXPECT_EQ(refusal(), "");
  s.outputs = {"wheel/"};
  EXPECT_EQ(refusal(), "outputs: 'wheel/' names nothing after the '/'");
}

// Truth: the name of a joint is the beginning of all its channels; those of a body stand likewise
// for place and velocity.
TEST(Compiler, TheNameOfAJointMeansItsCoordinatesToo) {
  System s;
  s.bodies = {rigid("nut", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  const auto names_of = [&](JointType type) {
    s.joints = {joint("on", type, "ground", "nut")};
    s.joints[0].axis = Vector3d::UnitX();
    s.joints[0].pitch = 0.1;
    s.outputs = {"on"};
    Diagnostics diagnostics;
    std::vector<std::string> names;
    for (const Channel& channel : compile(s, diagnostics).outputs.channels)
      if (!channel.name.starts_with("on/reaction")) names.push_back(channel.name.substr(3));
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names_of(JointType::revolute), (Names{"angle", "angle_rate"}));
  EXPECT_EQ(names_of(JointType::prismatic), (Names{"displacement", "displacement_rate"}));
  EXPECT_EQ(names_of(JointType::screw),
            (Names{"angle", "angle_rate", "displacement", "displacement_rate"}));
  EXPECT_EQ(names_of(JointType::spherical), Names{});
}

// Truth: the motion jumps at -0.5 s.
TEST(RunWatch, ReportsAMotionThatJumpsBeforeTimeZero) {
  System s;
  s.bodies = {point("cart", 1.0, Vector3d::Zero())};
  s.motions = {{"drive", Motion::Coordinate::x, "", "cart", Value("0.001*step(t, -0.5)")}};
  DynamicOptions options;
  options.start = -1.0;
  options.end = 0.0;
  options.step = 0.1;
  Diagnostics diagnostics;
  Results results;
  simulate(s, options, results, diagnostics, no_progress());
  EXPECT_TRUE(std::any_of(diagnostics.warnings().begin(),
                          diagnostics.warnings().end(),
                          [](const Warning& w) { return w.code == "motion-jumps"; }));
}

/// A body turned by 90 degrees about z, and a bushing that is soft along its y axis, at a place
/// that stands for a node or has axes.
System bushed_place(bool has_axes) {
  System s;
  s.bodies = {rigid("plate", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[0].orientation = turn_z(0.5 * M_PI);
  s.bodies[0].markers["301"].has_axes = has_axes;
  Bushing bushing;
  bushing.a = "plate/301";
  bushing.b = "ground";
  bushing.stiffness.diagonal() << 1e7, 1e5, 1e6, 1e4, 1e4, 1e4;
  PointForce push;
  push.on = "plate";
  push.value = {Value(1000.0), Value(0.0), Value(0.0)};
  s.forces = {{"mount", bushing}, {"push", push}};
  s.outputs = {"plate/position/x"};
  return s;
}

// Truth: x = F / k. A node gives no axes, so those of the world hold, on a rigid body as well as on
// a flexible one; a marker gives its own.
TEST(Bushing, APlaceWithoutAxesTakesThoseOfTheWorld) {
  for (const bool has_axes : {false, true}) {
    Results row;
    Diagnostics diagnostics;
    solve_statics(bushed_place(has_axes), {}, row, diagnostics, no_progress());
    EXPECT_NEAR(row.value(0, 0), has_axes ? 1e-2 : 1e-4, tolerance(1e-12));
  }
}

// Truth: the same of the axis of a joint, along z of W or of a tilted body.
TEST(Joint, APlaceWithoutAxesGivesNoAxis) {
  System s;
  s.bodies = {rigid("wheel", 1.0, Vector3d::Zero(), Vector3d::Ones())};
  s.bodies[0].orientation = Eigen::AngleAxisd(0.5 * M_PI, Vector3d::UnitX()).toRotationMatrix();
  s.joints = {joint("pin", JointType::revolute, "ground", "wheel/7")};
  for (const bool has_axes : {false, true}) {
    s.bodies[0].markers["7"].has_axes = has_axes;
    Diagnostics diagnostics;
    const Model model = compile(s, diagnostics);
    const MarkerModel& on_wheel =
        model.markers[static_cast<std::size_t>(model.joints.at(0).legs[1])];
    const Vector3d axis = s.bodies[0].orientation * on_wheel.R.col(2);
    EXPECT_NEAR(std::abs(axis.z()), has_axes ? 0.0 : 1.0, tolerance(1e-12));
  }
}

// Truth: a point mass has no rotations.
TEST(PointMass, TakesNoMoments) {
  Bushing bushing;
  bushing.a = "ground";
  bushing.b = "m";
  bushing.stiffness.diagonal() << 1e3, 1e3, 1e3, 0, 0, 0;
  System s;
  s.bodies = {point("m", 1.0, Vector3d::Zero())};
  const auto code_of_bushing = [&] {
    s.forces = {{"mount", bushing}};
    return code_of_compile(s);
  };
  EXPECT_EQ(code_of_bushing(), "");
  bushing.stiffness(4, 4) = 10.0;
  EXPECT_EQ(code_of_bushing(), "point-turns");
  bushing.stiffness(4, 4) = 0.0;
  bushing.friction[5] = {1.0, 0.1};
  EXPECT_EQ(code_of_bushing(), "point-turns");
  PointTorque torque;
  torque.on = "m";
  torque.value = {Value(0.0), Value(0.0), Value(1.0)};
  s.forces = {{"twist", torque}};
  EXPECT_EQ(code_of_compile(s), "point-turns");
}

}  // namespace
}  // namespace femflex::mbd_solver

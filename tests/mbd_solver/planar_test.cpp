// Tests systems in the x-y plane: bodies, joints and loads that the plane cannot hold are refused
// or warned of. Truth: such a system moves along x and y and turns about z, and nothing else.
#include <algorithm>
#include <string>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/simulate.h"

#include "mechanisms.h"
#include "spatial/compiler.h"
#include "support/support.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::joint;
using testing::rigid;

System block_in_plane() {
  System s;
  s.planar = true;
  s.bodies = {rigid("block", 1.0, {0.5, 0, 0}, Vector3d::Ones())};
  return s;
}

System with_force(const ForceLaw& law) {
  System s = block_in_plane();
  s.forces = {{"f", law}};
  return s;
}

/// Codes of the error and of the warnings of a system, in words.
std::string codes_of(const System& s) {
  Diagnostics diagnostics;
  std::string out;
  try {
    static_cast<void>(compile(s, diagnostics));
  } catch (const Error& error) {
    out = "refused: " + error.code();
  }
  for (const Warning& warning : diagnostics.warnings())
    out += (out.empty() ? "" : ", ") + warning.code;
  return out;
}

Value3 vector(double x, double y, double z) {
  return {Value(x), Value(y), Value(z)};
}

TEST(Planar, ABodyHasTheZAxisOfTheWorld) {
  System s = block_in_plane();
  const auto turned = [&](double angle, const Vector3d& axis) {
    s.bodies[0].orientation = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    return codes_of(s);
  };
  EXPECT_EQ(turned(0.5 * M_PI, Vector3d::UnitX()), "refused: out-of-plane");
  EXPECT_EQ(turned(1e-3, Vector3d::UnitY()), "refused: out-of-plane");
  EXPECT_EQ(turned(0.7, Vector3d::UnitZ()), "");
  EXPECT_EQ(turned(M_PI, Vector3d::UnitX()), "");  // z points the other way
  s.planar = false;
  EXPECT_EQ(turned(0.5 * M_PI, Vector3d::UnitX()), "");
  s = block_in_plane();
  s.bodies = {testing::point("block", 1.0, Vector3d::Zero())};
  EXPECT_EQ(turned(0.5 * M_PI, Vector3d::UnitX()), "");  // a point has no axes
}

TEST(Planar, LoadsOutOfThePlaneAreWarnedOf) {
  PointForce push;
  push.on = "block";
  push.value = vector(1, 2, 0);
  EXPECT_EQ(codes_of(with_force(push)), "");
  push.value = vector(0, 0, 100);
  EXPECT_EQ(codes_of(with_force(push)), "out-of-plane");
  PointTorque twist;
  twist.on = "block";
  twist.value = vector(0, 0, 3);
  EXPECT_EQ(codes_of(with_force(twist)), "");
  twist.value = vector(3, 0, 0);
  EXPECT_EQ(codes_of(with_force(twist)), "out-of-plane");
  System s = block_in_plane();
  s.gravity = vector(0, -9.81, 0);
  EXPECT_EQ(codes_of(s), "");
  s.gravity = vector(0, 0, -9.81);
  EXPECT_EQ(codes_of(s), "out-of-plane");
  s = block_in_plane();
  s.bodies[0].angular_velocity = {0, 1, 0};
  EXPECT_EQ(codes_of(s), "out-of-plane");
  s.bodies[0].angular_velocity = {0, 0, 1};
  EXPECT_EQ(codes_of(s), "");
}

TEST(Planar, ContactsAndTyresPushInThePlane) {
  Contact floor;
  floor.on = "block";
  floor.stiffness = 1e5;
  EXPECT_EQ(codes_of(with_force(floor)), "refused: out-of-plane");
  floor.normal = Vector3d::UnitY();
  EXPECT_EQ(codes_of(with_force(floor)), "");
  FollowContact rail;
  rail.on = "block";
  rail.stiffness = 1e5;
  rail.path = {"ground/p", "ground/q"};
  System s = with_force(rail);
  s.ground_markers = {{"p", testing::at(-1, -1)}, {"q", testing::at(1, -1)}};
  EXPECT_EQ(codes_of(s), "refused: out-of-plane");
  std::get<FollowContact>(s.forces[0].law).up = Vector3d::UnitY();
  EXPECT_EQ(codes_of(s), "");
  Tyre tyre;
  tyre.on = "block";
  tyre.radius = 0.3;
  tyre.stiffness = 1e5;
  EXPECT_EQ(codes_of(with_force(tyre)), "refused: tyre-planar");
}

TEST(Planar, AScrewWouldHold) {
  System s = block_in_plane();
  s.joints = {joint("screw", JointType::screw, "ground", "block")};
  s.joints[0].pitch = 0.01;
  for (const Vector3d& axis : {Vector3d(Vector3d::UnitZ()), Vector3d(Vector3d::UnitX())}) {
    s.joints[0].axis = axis;
    EXPECT_EQ(codes_of(s), "refused: out-of-plane");
  }
}

}  // namespace
}  // namespace femflex::mbd_solver

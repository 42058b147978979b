// Tests the outputs of a system that lists none, with a picture, with a lattice, and without.
// Truth: mbd_solver's own list.
#include "femflex/mbd_solver/outputs.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/flex_body.h"
#include "femflex/io/atomic_file.h"

#include "support/support.h"
#include "system/scene.h"
#include "system/system_json.h"

namespace femflex::testing {
namespace {

using namespace mbd_solver;

TEST(DefaultOutputs, OfARunWithAPictureAreThoseOfARunWithoutOne) {
  FlexBody beam;
  beam.name = "beam";
  beam.nodes = {{1, Eigen::Vector3d::Zero()}};
  beam.shapes = Eigen::MatrixXd::Identity(6, 1);
  beam.modes.resize(1);
  System system;
  system.bodies.resize(1);
  system.bodies[0].name = "beam";
  system.bodies[0].kind = Flexible{std::make_shared<const FlexBody>(beam)};
  Joint pin, gear;
  pin.name = "pin";
  pin.type = JointType::revolute;
  gear.name = "gear";
  gear.type = JointType::gear;
  system.joints = {pin, gear};
  Block block;
  block.name = "controller";
  system.blocks = {block};
  const std::vector<std::string> expected = default_outputs(system);
  EXPECT_EQ(expected,
            (std::vector<std::string>{
                "beam", "pin/reaction", "pin/reaction_torque", "controller", "energy"}));
  std::vector<std::string> found = tools::with_motion(system, {}).outputs;
  ASSERT_GT(found.size(), expected.size());  // with the motion of the node
  found.resize(expected.size());
  EXPECT_EQ(found, expected);
}

TEST(DefaultOutputs, WithALatticeAreThoseOfOtherBodiesToo) {
  const TemporaryFolder folder;
  io::write_file(folder / "net.json",
                 R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 0], "mass": 1, "fixed": true },
    { "id": 2, "x": [1, 0], "mass": 1 } ], "springs": [ { "i": 1, "j": 2, "k": 200 } ] })");
  const std::string rod =
      R"("rod": { "rigid": { "mass": 0.7, "com": [1, 0, 0], "inertia": [0, 0, 0] } })";
  const auto outputs = [&](const std::string& bodies) {
    io::write_file(folder / "s.json",
                   R"({ "femflex": 1, "units": "m-kg-s", "planar": true, "bodies": { )" + bodies +
                       R"( }, "joints": { "pivot": { "type": "revolute", "a": "ground", "b": "rod",
      "at": [0, 0, 0], "axis": [0, 0, 1] } }, "analyses": [] })");
    Diagnostics notes;
    const System system = tools::read_system(folder / "s.json", {}, notes, no_progress()).system;
    return system.outputs.empty() ? default_outputs(system) : system.outputs;
  };
  const std::vector<std::string> both = outputs(rod + R"(, "net": { "lattice": "net.json" })");
  for (const std::string& name : outputs(rod))
    EXPECT_EQ(std::count(both.begin(), both.end(), name), 1) << name;
  EXPECT_EQ(std::count(both.begin(), both.end(), "net/2/position"), 1);
  for (const std::string& name : both)
    EXPECT_EQ(name.find("held"), std::string::npos) << name;
}

}  // namespace
}  // namespace femflex::testing

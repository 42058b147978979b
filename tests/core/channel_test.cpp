// Tests names of channels: object, node, quantity and component.
#include "femflex/channel.h"

#include <vector>

#include <gtest/gtest.h>

namespace femflex {
namespace {

struct Case {
  const char* text;
  ChannelName name;
};

// Truth: docs/formats/results.md, and what bodies, joints, forces and lattices write.
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"chassis/2101/position/x", {"chassis", "2101", "position", "x"}},
      {"chassis/2101", {"chassis", "2101", "", ""}},
      {"chassis/front/angular_velocity/z", {"chassis", "front", "angular_velocity", "z"}},
      {"chassis/51/displacement/y", {"chassis", "51", "displacement", "y"}},
      {"chassis/51/rotation/y", {"chassis", "51", "rotation", "y"}},
      {"cab/orientation/w", {"cab", "", "orientation", "w"}},
      {"cab/velocity", {"cab", "", "velocity", ""}},
      {"cab/acceleration/x", {"cab", "", "acceleration", "x"}},
      {"cab/angular_acceleration/x", {"cab", "", "angular_acceleration", "x"}},
      {"net/12/position/x", {"net", "12", "position", "x"}},
      {"net/12/hook/velocity/x", {"net", "12/hook", "velocity", "x"}},
      {"chassis/rib/strain/2", {"chassis", "rib", "strain", "2"}},
      {"chassis/zeta/12", {"chassis", "", "zeta", "12"}},
      {"chassis/zeta_dot/1", {"chassis", "", "zeta_dot", "1"}},
      {"chassis/zeta_ddot/1", {"chassis", "", "zeta_ddot", "1"}},
      {"chassis/eta/3", {"chassis", "", "eta", "3"}},
      {"chassis/eta_dot/3", {"chassis", "", "eta_dot", "3"}},
      {"pin/reaction/x", {"pin", "", "reaction", "x"}},
      {"pin/reaction_torque/z", {"pin", "", "reaction_torque", "z"}},
      {"pin/angle", {"pin", "", "angle", ""}},
      {"pin/angle_rate", {"pin", "", "angle_rate", ""}},
      {"slider/displacement", {"slider", "", "displacement", ""}},
      {"slider/displacement_rate", {"slider", "", "displacement_rate", ""}},
      {"drive/multiplier", {"drive", "", "multiplier", ""}},
      {"drive/torque", {"drive", "", "torque", ""}},
      {"spring/force/x", {"spring", "", "force", "x"}},
      {"spring/length", {"spring", "", "length", ""}},
      {"spring/value", {"spring", "", "value", ""}},
      {"energy/kinetic", {"energy", "", "kinetic", ""}},
      {"energy/potential", {"energy", "", "potential", ""}},
      {"energy/elastic", {"energy", "", "elastic", ""}},
      {"energy/work", {"energy", "", "work", ""}},
      {"energy/total", {"energy", "", "total", ""}},
      {"constraint_violation", {"constraint_violation", "", "", ""}},
      {"12/position/x", {"12", "", "position", "x"}},
      {"stress/extreme", {"stress", "", "extreme", ""}},
      {"stress/spring", {"stress", "", "spring", ""}},
      {"hinge3/angle", {"hinge3", "", "angle", ""}},
      {"state/7", {"state", "7", "", ""}},
  };
  return all;
}

TEST(Channel, ANameIsTakenApartAndPutTogetherAgain) {
  for (const Case& each : cases()) {
    EXPECT_EQ(parse_channel(each.text), each.name) << each.text;
    EXPECT_EQ(to_text(each.name), each.text);
  }
}

// Columns of files of other programs may have any name.
TEST(Channel, AnyTextComesBackAsItWas) {
  for (const char* text : {"", "/", "a//b", "/a/position/x", "a/position/", "a/b/c/d/e", "t [s]"})
    EXPECT_EQ(to_text(parse_channel(text)), text);
}

TEST(Channel, TheLastPartThatNamesAQuantityIsTheQuantity) {
  const ChannelName name = parse_channel("cab/force/position/x");
  EXPECT_EQ(name.place, "force");
  EXPECT_EQ(name.quantity, "position");
  EXPECT_EQ(name.owner(), "cab/force");
}

TEST(Channel, AChannelOfAWholeObjectHasNoPlace) {
  EXPECT_EQ(channel_text("cab", "zeta", "3"), "cab/zeta/3");
  EXPECT_EQ(channel_text("energy", "total"), "energy/total");
}

}  // namespace
}  // namespace femflex

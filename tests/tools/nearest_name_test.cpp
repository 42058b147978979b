// Tests suggestions for misspelt names. Truth: edit distances counted by hand.
#include "document/nearest_name.h"

#include <gtest/gtest.h>

namespace femflex::tools {
namespace {

// Cases: one swap of letters, one missing letter, a beginning, no similar name.
TEST(NearestName, FindsSlipsOfTheFingerAndBeginningsButNothingFar) {
  const std::vector<std::string> names{"stiffness", "damping", "simulate", "mass"};
  EXPECT_EQ(nearest_name("stifness", names), "stiffness");
  EXPECT_EQ(nearest_name("mas", names), "mass");
  EXPECT_EQ(nearest_name("dmaping", names), "damping");
  EXPECT_EQ(nearest_name("sim", names), "simulate");
  EXPECT_EQ(nearest_name("gravity", names), "");
}

}  // namespace
}  // namespace femflex::tools

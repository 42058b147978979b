// Tests unit systems against the definitions of pound and inch, and the error for an unknown
// system.
#include "femflex/units.h"

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

// Truth: 1 lbf = 4.4482216152605 N and 1 in = 0.0254 m, by definition.
TEST(Units, PoundInchStiffnessIs175NewtonPerMetre) {
  EXPECT_NEAR(parse_units("in-lbf-s").stiffness(), 4.4482216152605 / 0.0254, 1e-9);
}

TEST(Units, TonneMillimetreForceIsNewton) {
  EXPECT_DOUBLE_EQ(parse_units("mm-t-s").force(), 1.0);
  EXPECT_DOUBLE_EQ(parse_units("mm-kg-ms").force(), 1000.0);
}

TEST(Units, AnUnknownNameListsTheKnownOnes) {
  try {
    parse_units("furlong");
    FAIL() << "accepted";
  } catch (const UsageError& e) {
    EXPECT_NE(e.fix().find("mm-t-s"), std::string::npos);
  }
}

}  // namespace
}  // namespace femflex

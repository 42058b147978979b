// Tests members of a lattice in JSON that would have no effect, or another one than they say.
#include <string>

#include <gtest/gtest.h>

#include "document/json_text.h"
#include "lattice/lattice_json.h"
#include "support/support.h"

namespace femflex::testing {
namespace {

tools::LatticeDocument read_with(const std::string& first_node,
                                 const std::string& spring,
                                 const std::string& more = {}) {
  return tools::read_lattice_json(tools::parse_json(
      R"({ "dimension": 2, "nodes": [ { "id": 1, "x": [0, 0])" + first_node +
          R"( }, { "id": 2, "x": [2, 0], "mass": 1 }, { "id": 3, "x": [2, 2], "mass": 1 } ],
        "springs": [ { "i": 1, "j": 2, )" +
          spring + R"( }, { "i": 2, "j": 3, "k": 5 } ])" + more + " }",
      "test"));
}

// Truth: E A / d = 7 * 2 / 2, and the 0 that the file says.
TEST(LatticeMembers, AStiffnessOfZeroIsNotTakenForTheSectionsStiffness) {
  const std::string section = R"("law": "linear", "area": 2, "modulus": 7)";
  const auto read = [&](const std::string& spring) {
    return read_with(R"(, "fixed": true)", spring).lattice.springs[0].stiffness;
  };
  EXPECT_EQ(read(section), 7.0);
  EXPECT_EQ(code_of([&] { (void)read(section + R"(, "k": 0)"); }), "contradiction");
  EXPECT_EQ(read(R"("law": "linear", "area": 2, "k": 0)"), 0.0);
  EXPECT_EQ(read(section + R"(, "k": 3)"), 3.0);
}

// Truth: a rate of angle has no mass.
TEST(LatticeMembers, DampingOfAHingeIsNotPerMass) {
  const auto read = [](const std::string& damping) {
    return read_with(
        R"(, "fixed": true)",
        R"("k": 5)",
        R"(, "rotational_springs": [ { "a": 1, "b": 2, "k": 1, "damping": )" + damping + " } ]");
  };
  EXPECT_EQ(read(R"({ "c": 2 })").lattice.hinges[0].damping.c, 2.0);
  EXPECT_EQ(code_of([&] { (void)read(R"({ "c": 2, "per_mass": true })"); }), "bad-damping");
}

// Truth: a fixed axis has no velocity.
TEST(LatticeMembers, AStartVelocityAlongAFixedAxisIsTold) {
  const auto told = [](const std::string& node) {
    const Diagnostics warnings = read_with(node, R"("k": 5)").warnings;
    return warnings.warnings().empty() ? std::string() : warnings.warnings()[0].code;
  };
  EXPECT_EQ(told(R"(, "fixed": "xy", "v": [0, 1])"), "held-velocity");
  EXPECT_EQ(told(R"(, "mass": 1, "fixed": "x", "v": [0, 1])"), "");
}

}  // namespace
}  // namespace femflex::testing

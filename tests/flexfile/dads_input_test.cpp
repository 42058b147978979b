// Tests formatted DADS input files. Truth: the published input file, number by number and letter by
// letter.
#include "femflex/flexfile/dads_input.h"

#include <string>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/flexfile/flexfile.h"

#include "bodies.h"
#include "support/support.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;

fs::path sample() {
  return testing::data("double_mass_spring/dms.dads");
}

void expect_published(const DadsInput& input) {
  EXPECT_EQ(input.gravity, 0.0);
  EXPECT_EQ(input.gravity_direction, Eigen::Vector3d(0, 0, -1));
  EXPECT_EQ(input.start, 0.0);
  EXPECT_EQ(input.end, 15.0);
  EXPECT_EQ(input.print_step, 0.05);
  EXPECT_EQ(input.redundancy_tolerance, 1e-12);
  EXPECT_EQ(input.integration_tolerance, 1e-3);
  ASSERT_EQ(input.brackets.size(), 1U);
  EXPECT_EQ(input.brackets[0].body_i, "GROUND");
  EXPECT_EQ(input.brackets[0].body_j, "DMSS");
  EXPECT_EQ(input.brackets[0].node_j, 1);
  EXPECT_EQ(input.brackets[0].triad_j[2], Eigen::Vector3d(1, 0, 0));
  ASSERT_EQ(input.bodies.size(), 2U);
  EXPECT_TRUE(input.bodies[1].is_ground);
  EXPECT_FALSE(input.bodies[0].is_ground);
  ASSERT_EQ(input.flexible.size(), 1U);
  const DadsFlexible& flexible = input.flexible[0];
  EXPECT_EQ(flexible.code, 6);
  EXPECT_EQ(flexible.name, "DMSSFLEX");
  EXPECT_EQ(flexible.body, "DMSS");
  EXPECT_EQ(flexible.damping_ratio, (std::vector<double>{0.35, 0.25}));
  ASSERT_EQ(flexible.forces.size(), 1U);
  EXPECT_EQ(flexible.forces[0].node, 3);
  EXPECT_EQ(flexible.forces[0].force, Eigen::Vector3d(0, 0, 1));
  EXPECT_EQ(flexible.flex.modes[1].damping_ratio, 0.25);
  EXPECT_EQ(flexible.flex.stiffness(0, 0), 0.15);
}

// Truth: the published input file, number by number.
TEST(DadsInput, ReadsThePublishedFile) {
  if (testing::shared_folder().empty()) GTEST_SKIP() << "no folder of reference files";
  Diagnostics diagnostics;
  expect_published(read_dads_input(
      testing::shared_folder() / "reference/meeuwse/formatted_dads.txt", diagnostics));
}

TEST(DadsInput, ReadsTheFileOfTheDataFolder) {
  Diagnostics diagnostics;
  expect_published(read_dads_input(sample(), diagnostics));
  EXPECT_TRUE(diagnostics.empty());
}

// Truth: the file itself, letter by letter.
TEST(DadsInput, WritesWhatItReads) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  write_dads_input(read_dads_input(sample(), diagnostics), folder / "a.dads", diagnostics);
  EXPECT_EQ(testing::read_text(folder / "a.dads"), testing::read_text(sample()));
}

// Truth: the published input, made of the same body. Node 1 is held: the bracket is found.
TEST(DadsInput, ABodyAloneBecomesTheSameInputButForItsForceAndTimes) {
  const testing::TemporaryFolder folder;
  Diagnostics diagnostics;
  const DadsInput published = read_dads_input(sample(), diagnostics);
  FlexBody body = published.flexible[0].flex;
  body.name = "dmss";
  write_body(body, folder / "a.dads", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  const DadsInput written = read_dads_input(folder / "a.dads", diagnostics);
  ASSERT_EQ(written.brackets.size(), 1U);
  EXPECT_EQ(written.brackets[0].body_i, "GROUND");
  EXPECT_EQ(written.brackets[0].body_j, "DMSS");
  EXPECT_EQ(written.brackets[0].node_j, published.brackets[0].node_j);
  EXPECT_EQ(written.brackets[0].triad_j, published.brackets[0].triad_j);
  ASSERT_EQ(written.flexible.size(), 1U);
  EXPECT_EQ(written.flexible[0].body, "DMSS");
  EXPECT_EQ(written.flexible[0].damping_ratio, published.flexible[0].damping_ratio);
  EXPECT_EQ(written.flexible[0].flex.mass, body.mass);
  EXPECT_EQ(written.flexible[0].flex.stiffness, body.stiffness);
  EXPECT_EQ(written.flexible[0].flex.lumped_mass, body.lumped_mass);
}

TEST(DadsInput, AFreeBodyWithACoupledDampingMatrixSaysWhatIsLeftOut) {
  const testing::TemporaryFolder folder;
  FlexBody body = testing::random_body(2);
  body.name = "left arm";
  Diagnostics diagnostics;
  write_body(body, folder / "a.dads", {}, diagnostics);
  std::string codes;
  for (const Warning& warning : diagnostics.warnings())
    codes += warning.code + " ";
  EXPECT_EQ(codes, "damping-coupling no-joint left-out ");
  const DadsInput written = read_dads_input(folder / "a.dads", diagnostics);
  EXPECT_EQ(written.flexible[0].body, "LEFT_ARM");
  EXPECT_TRUE(written.brackets.empty());
}

// 35 in the file may mean 35 %: critical damping is 1.
TEST(DadsInput, ARelativeDampingAboveOneIsToldWithItsLine) {
  const testing::TemporaryFolder folder;
  std::string text = testing::read_text(sample());
  const std::string good = "0.350000000000    ";
  text.replace(text.find(good), good.size(), " 35.0000000000    ");
  testing::write_text(folder / "a.dads", text);
  Diagnostics diagnostics;
  EXPECT_EQ(read_dads_input(folder / "a.dads", diagnostics).flexible[0].damping_ratio[0], 35.0);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "damping-ratio");
  EXPECT_NE(diagnostics.warnings()[0].message.find("write 0.35 for 35 %"), std::string::npos);
  EXPECT_GT(diagnostics.warnings()[0].where.line, 0);
}

TEST(DadsInput, NamesTheColumnOfARealThatSlipped) {
  const testing::TemporaryFolder folder;
  std::string text = testing::read_text(sample());
  const std::string record =
      "0.000000000000E+00 0.000000000000E+00 15.0000000000    0.500000000000E-01";
  const std::string good =
      "0.000000000000E+000.000000000000E+00 15.0000000000    0.500000000000E-01";
  text.replace(text.find(good), good.size(), record);
  testing::write_text(folder / "a.dads", text);
  Diagnostics diagnostics;
  try {
    read_dads_input(folder / "a.dads", diagnostics);
    FAIL();
  } catch (const ParseError& error) {
    EXPECT_EQ(error.where().column, 19);
    EXPECT_EQ(error.where().record, "SYSTEM");
  }
}

/// The code of the error that the sample brings with `to` in the place of `from`; empty: it is
/// read.
std::string fault_with(const std::string& from, const std::string& to) {
  const testing::TemporaryFolder folder;
  std::string text = testing::read_text(sample());
  text.replace(text.find(from), from.size(), to);
  testing::write_text(folder / "a.dads", text);
  Diagnostics diagnostics;
  try {
    read_dads_input(folder / "a.dads", diagnostics);
  } catch (const ParseError& error) {
    EXPECT_GT(error.where().line, 0);
    return error.code();
  }
  return "";
}

// Truth: the words of the published file, whose response settles the meaning of the numbers.
TEST(DadsInput, OtherUnitsAnalysesAndOrientationsAreNotTakenForTheKnownOnes) {
  EXPECT_EQ(fault_with("SYSTEM SI", "SYSTEM MMKS"), "unsupported");
  EXPECT_EQ(fault_with("SI DYNAMIC", "SI STATIC"), "unsupported");
  EXPECT_EQ(fault_with(" 1.00000000000    0.0", "0.100000000000E-020.0"), "unsupported");
  EXPECT_EQ(fault_with("DMSS POSITIVE", "DMSS NEGATIVE"), "unsupported");
  EXPECT_EQ(fault_with("EULER FALSE", "BRYANT FALSE"), "unsupported");
  EXPECT_EQ(fault_with("NONE NONE NONE", "NONE RAMP NONE"), "unsupported");
}

// Truth: Fortran's G18.12 writes no such fields, and 32 bits hold no such numbers.
TEST(DadsInput, NumbersThatAreNotFiniteOrTooLargeAreRefused) {
  EXPECT_EQ(fault_with("FLEXIBLE 6DMSS", "FLEXIBLE 99999999999DMSS"), "bad-number");
  EXPECT_EQ(fault_with("FLEXIBLE 6DMSS", "FLEXIBLE 99999999999 DMSS"), "bad-number");
  EXPECT_EQ(fault_with("0.350000000000    ", "nan               "), "bad-number");
  EXPECT_EQ(fault_with("0.350000000000    ", "           nan    "), "bad-number");
  EXPECT_EQ(fault_with("0.350000000000    ", "           inf    "), "bad-number");
}

TEST(DadsInput, RefusesABodyThatNobodyDeclares) {
  const testing::TemporaryFolder folder;
  std::string text = testing::read_text(sample());
  text.replace(text.find("BRACKET GROUND DMSS"), 19, "BRACKET GROUND DMSX");
  testing::write_text(folder / "a.dads", text);
  Diagnostics diagnostics;
  EXPECT_THROW(read_dads_input(folder / "a.dads", diagnostics), ParseError);
}

}  // namespace
}  // namespace femflex::flexfile

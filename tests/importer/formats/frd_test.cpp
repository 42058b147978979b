// Tests binary CalculiX result files field by field. Truth: the numbers that the test writes.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

template <typename T>
void put_bytes(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Value of component `c` from 0 at a node in field `field`.
float frd_value(int field, std::int32_t node, int c) {
  return static_cast<float>(100 * field) + static_cast<float>(node) + static_cast<float>(c) / 8.0F;
}

const std::vector<std::int32_t> kFrdNodes{4, 7, 19};

/// A field of a binary file at these nodes. `form`: 2 single precision, 3 double; 0 `components`: 3
/// displacements or 6 stresses.
std::string frd_field(int number,
                      const std::string& name,
                      const std::vector<std::int32_t>& nodes,
                      int form = 2,
                      int components = 0) {
  if (components == 0) components = name == "DISP" ? 3 : 6;
  std::string out = fmt::format("  100CL{:>5}{:12.5f}{:12}{:20}{:2}{:5}{:10}{:2}\n",
                                100 + number,
                                static_cast<double>(number),
                                nodes.size(),
                                "",
                                2,
                                number,
                                "MODAL",
                                form);
  out += fmt::format(" -4  {:8}{:5}{:5}\n", name, components, 1);
  for (int c = 1; c <= components; ++c)
    out += fmt::format(" -5  C{:<7}{:5}{:5}{:5}{:5}\n", c, 1, 2, c, 0);
  for (const std::int32_t node : nodes) {
    put_bytes(out, node);
    for (int c = 0; c < components; ++c)
      if (form == 2)
        put_bytes(out, frd_value(number, node, c));
      else
        put_bytes(out, static_cast<double>(frd_value(number, node, c)));
  }
  return out;
}

/// Reads a file of nodes and these fields.
FileContents read_fields(const std::string& fields, Diagnostics& diagnostics) {
  const testing::TemporaryFolder folder;
  std::string text = "    1C\n    1UPGM               CalculiX\n";
  text += fmt::format("    2C{:18}{:12}{:37}{:1}\n", "", kFrdNodes.size(), "", 2);
  for (const std::int32_t node : kFrdNodes) {
    put_bytes(text, node);
    for (int c = 0; c < 3; ++c)
      put_bytes(text, static_cast<float>(c));
  }
  testing::write_text(folder / "job.frd", text + fields + " 9999\n");
  return read_contents(folder / "job.frd", {}, diagnostics);
}

void expect_shape(const RawModes& modes, Eigen::Index column, int number) {
  ASSERT_EQ(modes.components, 3);
  ASSERT_EQ(modes.shapes.rows(), 3 * static_cast<Eigen::Index>(modes.points.size()));
  for (std::size_t k = 0; k < modes.points.size(); ++k)
    for (int c = 0; c < 3; ++c)
      EXPECT_EQ(modes.shapes(static_cast<Eigen::Index>(3 * k) + c, column),
                frd_value(number, static_cast<std::int32_t>(modes.points[k]), c));
}

TEST(FrdBinary, FieldsOnOtherNodesBeginAGroupOfTheirOwn) {
  for (const int form : {2, 3}) {
    Diagnostics diagnostics;
    const FileContents contents =
        read_fields(frd_field(1, "DISP", kFrdNodes, form) + frd_field(2, "DISP", kFrdNodes, form) +
                        frd_field(3, "DISP", {4, 19}, form) + frd_field(4, "DISP", {7, 19}, form) +
                        frd_field(5, "DISP", kFrdNodes, form),
                    diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    ASSERT_EQ(contents.modes.size(), 4U);
    ASSERT_EQ(contents.modes[0].shapes.cols(), 2);
    expect_shape(contents.modes[0], 0, 1);
    expect_shape(contents.modes[0], 1, 2);
    EXPECT_EQ(contents.modes[1].points, (std::vector<std::int64_t>{4, 19}));
    expect_shape(contents.modes[1], 0, 3);
    EXPECT_EQ(contents.modes[2].points, (std::vector<std::int64_t>{7, 19}));
    expect_shape(contents.modes[2], 0, 4);
    expect_shape(contents.modes[3], 0, 5);
    EXPECT_EQ(contents.modes[3].frequencies_hz, (std::vector<double>{5.0}));
  }
}

TEST(FrdBinary, FewerNumbersAreFilledUpToTranslationsAndMoreToSix) {
  for (const int form : {2, 3})
    for (int given = 1; given <= 6; ++given) {
      SCOPED_TRACE(given);
      Diagnostics diagnostics;
      const FileContents contents = read_fields(
          frd_field(1, "DISP", kFrdNodes, form, given) + frd_field(2, "DISP", {7, 19}, form, given),
          diagnostics);
      EXPECT_TRUE(diagnostics.empty());
      ASSERT_EQ(contents.modes.size(), 2U);
      const RawModes& modes = contents.modes[0];
      const Eigen::Index rows = given <= 3 ? 3 : 6;
      EXPECT_EQ(modes.components, rows);
      ASSERT_EQ(modes.shapes.rows(), 3 * rows);
      for (Eigen::Index row = 0; row < modes.shapes.rows(); ++row) {
        const auto c = static_cast<int>(row % rows);
        const std::int32_t node = kFrdNodes[static_cast<std::size_t>(row / rows)];
        EXPECT_EQ(modes.shapes(row, 0), c < given ? frd_value(1, node, c) : 0.0F);
      }
    }
}

TEST(FrdBinary, AFieldWithRotationsBeginsAGroupOfItsOwn) {
  Diagnostics diagnostics;
  const FileContents contents =
      read_fields(frd_field(1, "DISP", kFrdNodes) + frd_field(2, "DISP", kFrdNodes, 2, 6) +
                      frd_field(3, "DISP", kFrdNodes, 2, 5) + frd_field(4, "DISP", kFrdNodes),
                  diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(contents.modes.size(), 3U);
  expect_shape(contents.modes[0], 0, 1);
  EXPECT_EQ(contents.modes[1].components, 6);
  ASSERT_EQ(contents.modes[1].shapes.cols(), 2);
  EXPECT_EQ(contents.modes[1].shapes(11, 0), frd_value(2, kFrdNodes[1], 5));
  EXPECT_EQ(contents.modes[1].shapes(10, 1), frd_value(3, kFrdNodes[1], 4));
  EXPECT_EQ(contents.modes[1].shapes(11, 1), 0.0);
  expect_shape(contents.modes[2], 0, 4);
}

/// A text field at nodes 4 and 7 with these lines of values.
std::string frd_text_field(const std::string& first, const std::string& second) {
  std::string out = fmt::format(
      "  100CL{:>5}{:12.5f}{:12}{:20}{:2}{:5}{:10}{:2}\n", 101, 1.0, 2, "", 2, 1, "MODAL", 1);
  out += fmt::format(" -4  {:8}{:5}{:5}\n", "DISP", 6, 1);
  for (int c = 1; c <= 6; ++c)
    out += fmt::format(" -5  C{:<7}{:5}{:5}{:5}{:5}\n", c, 1, 2, c, 0);
  return out + " -1         4" + first + "\n -1         7" + second + "\n -3\n";
}

TEST(FrdText, OneNodeWithRotationsGivesAllNodesSixRows) {
  const std::string two = " 1.00000E+00 2.00000E+00";
  const std::string four = " 3.00000E+00 4.00000E+00 5.00000E+00 6.00000E+00";
  Diagnostics diagnostics;
  const RawModes both = read_fields(frd_text_field(two, four), diagnostics).modes.at(0);
  EXPECT_EQ(both.components, 6);
  EXPECT_EQ(both.shapes, (Eigen::VectorXd(12) << 1, 2, 0, 0, 0, 0, 3, 4, 5, 6, 0, 0).finished());
  const RawModes short_ones = read_fields(frd_text_field(two, two), diagnostics).modes.at(0);
  EXPECT_EQ(short_ones.components, 3);
  EXPECT_EQ(short_ones.shapes, (Eigen::VectorXd(6) << 1, 2, 0, 1, 2, 0).finished());
  EXPECT_TRUE(diagnostics.empty());
}

TEST(FrdBinary, FieldsWithoutNodesHoldNothing) {
  Diagnostics diagnostics;
  const FileContents contents =
      read_fields(frd_field(1, "DISP", {}) + frd_field(1, "STRESS", {}) +
                      frd_field(2, "DISP", kFrdNodes) + frd_field(2, "STRESS", kFrdNodes),
                  diagnostics);
  ASSERT_EQ(contents.modes.size(), 2U);
  EXPECT_EQ(contents.modes[0].shapes.rows(), 0);
  expect_shape(contents.modes[1], 0, 2);
  ASSERT_EQ(contents.stresses.size(), 2U);
  EXPECT_EQ(contents.stresses[1].values(0, 0), frd_value(2, kFrdNodes[0], 0));
}

// Shear strains of tensors become gamma, stresses stay; both stand in the columns of their modes.
TEST(FrdBinary, StressesFollowTheirDisplacements) {
  Diagnostics diagnostics;
  std::string fields;
  for (const int mode : {1, 2, 3})
    fields += frd_field(mode, "DISP", kFrdNodes) + frd_field(mode, "STRESS", kFrdNodes) +
              (mode == 2 ? frd_field(mode, "TOSTRAIN", kFrdNodes) : "");
  const FileContents contents = read_fields(fields, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(contents.stresses.size(), 2U);
  const RawStress& stress = contents.stresses[0];
  EXPECT_EQ(stress.numbers, (std::vector<std::int64_t>{1, 2, 3}));
  ASSERT_EQ(stress.values.cols(), 3);
  for (int mode = 1; mode <= 3; ++mode)
    for (std::size_t k = 0; k < kFrdNodes.size(); ++k)
      for (int c = 0; c < 6; ++c)
        EXPECT_EQ(stress.values(static_cast<Eigen::Index>(6 * k) + c, mode - 1),
                  frd_value(mode, kFrdNodes[k], c));
  const RawStress& strain = contents.stresses[1];
  EXPECT_EQ(strain.numbers, (std::vector<std::int64_t>{2}));
  ASSERT_EQ(strain.values.cols(), 1);
  EXPECT_EQ(strain.values(2, 0), frd_value(2, kFrdNodes[0], 2));
  EXPECT_EQ(strain.values(3, 0), 2.0F * frd_value(2, kFrdNodes[0], 3));
}

/// `text` with the last number of single precision in it replaced by NaN or infinity.
std::string with_last(std::string text, float value) {
  text.resize(text.size() - sizeof value);
  put_bytes(text, value);
  return text;
}

TEST(FrdBinary, StressesThatOverflowedAreCountedAndTheShapesStay) {
  for (const float special :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Diagnostics diagnostics;
    const FileContents contents = read_fields(
        frd_field(1, "DISP", kFrdNodes) + with_last(frd_field(1, "STRESS", kFrdNodes), special) +
            frd_field(2, "DISP", kFrdNodes) + frd_field(2, "STRESS", kFrdNodes),
        diagnostics);
    ASSERT_EQ(contents.modes.size(), 1U);
    EXPECT_EQ(contents.modes[0].shapes.cols(), 2);
    ASSERT_EQ(contents.stresses.size(), 1U);
    EXPECT_EQ(contents.stresses[0].numbers, (std::vector<std::int64_t>{2}));
    ASSERT_EQ(contents.stresses[0].values.cols(), 1);
    EXPECT_EQ(contents.stresses[0].values(0, 0), frd_value(2, kFrdNodes[0], 0));
    ASSERT_EQ(contents.unread.size(), 1U);
    EXPECT_EQ(contents.unread[0].what, "STRESS");
    EXPECT_TRUE(read_fields(frd_field(1, "DISP", kFrdNodes) +
                                with_last(frd_field(1, "STRESS", kFrdNodes), special),
                            diagnostics)
                    .stresses.empty());
    EXPECT_THROW(read_fields(with_last(frd_field(1, "DISP", kFrdNodes), special), diagnostics),
                 ParseError);
  }
}

}  // namespace
}  // namespace femflex::importer

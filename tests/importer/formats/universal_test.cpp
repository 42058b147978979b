// Tests universal files. Truth: the numbers that data/universal/make_universal.py writes, and the
// geometry of every element shape.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/universal_functions.h"

#include "importer/formats/element_order.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

FileContents universal(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(data("universal/valid/" + name), {}, diagnostics);
  EXPECT_EQ(contents.format, "universal");
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

// Truth: each mid node lies in the middle of its edge, each solid has positive volume.
TEST(Universal, EveryShapeHasItsNodesInOrder) {
  const FileContents contents = universal("shapes.unv");
  EXPECT_EQ(contents.units->name, "mm-kg-s");
  EXPECT_EQ(contents.title, "a brick in thirteen ways");
  const std::map<std::string, int> expected{{"hexahedron8", 1},
                                            {"wedge6", 1},
                                            {"tetrahedron4", 1},
                                            {"hexahedron20", 1},
                                            {"wedge15", 1},
                                            {"tetrahedron10", 1},
                                            {"quad4", 1},
                                            {"quad8", 1},
                                            {"triangle3", 1},
                                            {"triangle6", 1},
                                            {"bar2", 2},
                                            {"bar3", 1}};
  EXPECT_EQ(shapes_in_order(contents), expected);
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "elements of kind 136");
}

// Truth: node + component / 8 + 100 mode.
TEST(Universal, ShapesOfModesAndLoadCases) {
  const FileContents contents = universal("modes.unv");
  ASSERT_EQ(contents.modes.size(), 2U);
  const RawModes& modes = contents.modes[0];
  EXPECT_EQ(modes.points, (std::vector<std::int64_t>{3, 8, 5}));
  EXPECT_EQ(modes.frequencies_hz, (std::vector<double>{12.5, 40.0}));
  EXPECT_EQ(modes.generalised_mass, (std::vector<double>{2.0, 2.0}));
  EXPECT_EQ(modes.components, 6);
  ASSERT_EQ(modes.shapes.cols(), 2);
  for (int mode = 1; mode <= 2; ++mode)
    for (int c = 1; c <= 6; ++c)
      EXPECT_NEAR(modes.shapes(6 + c - 1, mode - 1), 8 + c / 8.0 + 100 * mode, 0.51e-3);
  const RawModes& load = contents.modes[1];
  EXPECT_EQ(load.kind, RawModes::Kind::displacement);
  EXPECT_EQ(load.points, (std::vector<std::int64_t>{3, 8}));
  EXPECT_EQ(load.components, 3);
  EXPECT_EQ(load.shapes.rows(), 6);
  EXPECT_EQ(load.shapes(2, 0), 3.375);
  EXPECT_EQ(load.shapes(5, 0), 8.375);
}

TEST(Universal, GroupsBecomeSetsAndTheRestIsTold) {
  const FileContents contents = universal("modes.unv");
  EXPECT_EQ(contents.node_sets.at("FOOT"), (std::vector<std::int64_t>{3, 5}));
  std::map<std::string, std::int64_t> unread;
  for (const Unread& each : contents.unread)
    unread[each.what] = each.count;
  EXPECT_EQ(unread,
            (std::map<std::string, std::int64_t>{{"frequency response (58)", 1},
                                                 {"results of quantity 2", 1}}));
}

// Truth: the functions of make_universal.py, to the digits of E13.5, E20.12 and of single
// precision.
TEST(Universal, FunctionsAreCountedByTheirKindAndReadWithTheirPlaces) {
  for (const auto& [name, counts] :
       {std::pair{"functions.unv",
                  std::map<std::string, std::int64_t>{{"frequency response (58)", 1},
                                                      {"time response (58)", 3}}},
        {"functions_binary.unv", {{"time response (58)", 2}}}}) {
    SCOPED_TRACE(name);
    std::map<std::string, std::int64_t> unread;
    for (const Unread& each : universal(name).unread)
      unread[each.what] = each.count;
    EXPECT_EQ(unread, counts);
    const std::vector<UniversalFunction> functions =
        read_universal_functions(data(std::string("universal/valid/") + name));
    EXPECT_EQ(functions.at(0).name, "12+Z");
    EXPECT_EQ(functions.at(1).name, "12-X");
    if (functions.size() > 2) {
      EXPECT_EQ(functions.at(2).name, "7");
      EXPECT_EQ(functions.at(3).name, "12+Z/3+X");
      EXPECT_EQ(functions.at(3).y, (std::vector<double>{1.0, 0.0, 2.0, 0.0}));
    }
    for (std::size_t f = 0; f < std::min<std::size_t>(functions.size(), 3); ++f) {
      ASSERT_EQ(functions[f].y.size(), 201U);
      for (std::size_t k = 0; k <= 200; ++k) {
        const double t = 0.01 * static_cast<double>(k);
        EXPECT_NEAR(functions[f].x[k], t, 1e-5);
        EXPECT_NEAR(functions[f].y[k],
                    f == 0 ? 40.0 * std::sin(3.0 * t) : 0.5 * std::cos(2.0 * t),
                    f == 0 ? 5.1e-5 : 5.1e-6);
      }
    }
  }
}

/// Reads a universal file of these data sets.
FileContents universal_text(const std::vector<std::string>& sets, Diagnostics& diagnostics) {
  const testing::TemporaryFolder folder;
  std::string text;
  for (const std::string& set : sets)
    text += "    -1\n" + set + "    -1\n";
  testing::write_text(folder / "a.unv", text);
  return read_contents(folder / "a.unv", {}, diagnostics);
}

/// Data set 18: a system at (10, 0, 0) whose x is global y and whose z is global z, and one in it
/// at (0, 0, 5), turned in the same way.
std::string turned_systems(int type = 0) {
  const std::string numbers =
      "  0.00000E+00  1.00000E+00  5.00000E+00\n  0.00000E+00  0.00000E+00  6.00000E+00\n";
  return "    18\n         4" + std::string(9, ' ') + std::to_string(type) +
         "         0         8         1\nTURNED\n"
         "  1.00000E+01  0.00000E+00  0.00000E+00  1.00000E+01  2.00000E+00  0.00000E+00\n"
         "  1.00000E+01  0.00000E+00  3.00000E+00\n"
         "         5         0         4         8         1\n\n"
         "  0.00000E+00  0.00000E+00  5.00000E+00" +
         numbers;
}

const char* const kDefinedNodes =
    "    15\n"
    "         1         0         0         8  1.00000E+00  2.00000E+00  3.00000E+00\n"
    "         2         1         0         8  1.00000E+00  2.00000E+00  3.00000E+00\n"
    "         3         4         0         8  1.00000E+00  2.00000E+00  3.00000E+00\n"
    "         4         5         0         8  1.00000E+00  2.00000E+00  3.00000E+00\n";

// Truth: geometry. x' = y, y' = -x of the system at (10, 0, 0); the second one turns once more.
TEST(Universal, NodesStandInTheSystemsThatDefineThem) {
  for (const bool is_before : {true, false}) {
    Diagnostics diagnostics;
    const FileContents contents =
        is_before ? universal_text({turned_systems(), kDefinedNodes}, diagnostics)
                  : universal_text({kDefinedNodes, turned_systems()}, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    ASSERT_EQ(contents.grids.size(), 4U);
    EXPECT_EQ(contents.grids[0].x, (std::array{1.0, 2.0, 3.0}));
    EXPECT_EQ(contents.grids[1].x, (std::array{1.0, 2.0, 3.0}));
    EXPECT_EQ(contents.grids[2].x, (std::array{8.0, 1.0, 3.0}));
    EXPECT_EQ(contents.grids[3].x, (std::array{9.0, -2.0, 8.0}));
    EXPECT_TRUE(contents.unread.empty());
  }
}

TEST(Universal, SystemsThatAreNotThereOrNotCartesianAreTold) {
  Diagnostics diagnostics;
  const FileContents alone = universal_text({kDefinedNodes}, diagnostics);
  EXPECT_EQ(alone.grids.at(2).x, (std::array{1.0, 2.0, 3.0}));
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NE(diagnostics.warnings()[0].message.find("2 nodes, the first is 3"), std::string::npos);
  try {
    universal_text({turned_systems(1), kDefinedNodes}, diagnostics);
    FAIL() << "a cylindrical system was read";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "definition-system");
  }
  std::string flat = turned_systems();
  flat.replace(flat.find("3.00000E+00"), 11, "0.00000E+00");
  EXPECT_THROW(universal_text({flat}, diagnostics), ParseError);
}

// A blank line in place of numbers is a fault, at that line of the file.
TEST(Universal, ABlankLineBetweenSystemsIsTold) {
  std::string blank = turned_systems();
  blank.insert(blank.find("         5         0"), "\n");
  Diagnostics diagnostics;
  try {
    universal_text({blank, kDefinedNodes}, diagnostics);
    FAIL() << "the second system is missing";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "system");
    EXPECT_EQ(error.where().line, 7);
  }
}

// Truth: the units of each number; for the user's own, factors from SI.
TEST(Universal, UnitsComeFromTheirNumberOrTheirFactors) {
  for (const auto& [line, factors, name] :
       {std::tuple{"         1Meter (newton)               2", "1.0D+00  1.0D+00", "m-kg-s"},
        {"         2Foot (pound f)                2", "3.28084D+00  2.24809D-01", "ft-lbf-s"},
        {"         5mm (milli newton)             2", "1.0D+03  1.0D+03", "mm-kg-s"},
        {"         7Inch (pound f)               2", "3.937D+01  2.2481D-01", "in-lbf-s"},
        {"        10mm (newton)                  2", "1.0D+03  1.0D+00", "mm-t-s"},
        {"         9USER_DEFINED                  2", "1.00000D+03  1.00000D+00", "mm-t-s"},
        {"         9USER_DEFINED                  2", "1.00000D+02  1.00000D+05", "cm-g-s"}}) {
    Diagnostics diagnostics;
    const FileContents contents = universal_text(
        {std::string("   164\n") + line + "\n  " + factors + "  1.0D+00\n  2.7315D+02\n"},
        diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << line;
    ASSERT_TRUE(contents.units.has_value()) << line;
    EXPECT_EQ(contents.units->name, name);
  }
  Diagnostics diagnostics;
  EXPECT_FALSE(universal_text({"   164\n         4Foot (poundal)\n  3.28084D+00  7.23301D+00\n"},
                              diagnostics)
                   .units.has_value());
  EXPECT_EQ(diagnostics.warnings().size(), 1U);
}

// Truth: what was done to each file of data/universal/invalid.
TEST(Universal, EachDamageIsNamed) {
  for (const auto& [name, code] : {std::pair{"cut", "truncated"},
                                   {"element", "element"},
                                   {"node", "node"},
                                   {"between", "data-set"},
                                   {"few", "results"}}) {
    Diagnostics diagnostics;
    try {
      read_contents(data(std::string("universal/invalid/") + name + ".unv"), {}, diagnostics);
      FAIL() << name << " was read";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), code) << name << ": " << error.what();
      EXPECT_GT(error.where().line, 0);
    }
  }
}

}  // namespace
}  // namespace femflex::importer

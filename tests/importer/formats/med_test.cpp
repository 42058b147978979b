// Tests MED files. Truth: the numbers that data/med/make_med.py writes, and the geometry of every
// element shape.
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/io/hdf5_file.h"

#include "importer/formats/element_order.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

FileContents med(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(data("med/valid/" + name), {}, diagnostics);
  EXPECT_EQ(contents.format, "med");
  // the load case of modes.med is no mode, and its name says so
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

// Truth: each mid node lies in the middle of its edge, each solid has positive volume.
TEST(Med, EveryShapeHasItsNodesInOrder) {
  const FileContents contents = med("shapes.med");
  const std::map<std::string, int> expected{{"hexahedron8", 1},
                                            {"wedge6", 1},
                                            {"pyramid5", 1},
                                            {"tetrahedron4", 1},
                                            {"hexahedron20", 1},
                                            {"wedge15", 1},
                                            {"pyramid13", 1},
                                            {"tetrahedron10", 1},
                                            {"quad4", 1},
                                            {"quad8", 1},
                                            {"triangle3", 1},
                                            {"triangle6", 1},
                                            {"bar2", 1},
                                            {"bar3", 1}};
  EXPECT_EQ(shapes_in_order(contents), expected);
  ASSERT_EQ(contents.unread.size(), 1U);
  EXPECT_EQ(contents.unread[0].what, "elements PO1");
  EXPECT_EQ(contents.program, "MED 4.0");
  EXPECT_EQ(contents.title, "brick");
}

/// Expects the fields of modes.med.
void expect_fields(const FileContents& contents) {
  ASSERT_EQ(contents.modes.size(), 2U);
  const RawModes& load = contents.modes[0];
  EXPECT_EQ(load.source, "LOAD____DEPL");
  EXPECT_EQ(load.kind, RawModes::Kind::displacement);
  EXPECT_EQ(load.points, (std::vector<std::int64_t>{11, 12, 13, 14}));
  EXPECT_EQ(load.components, 3);  // DX, DY, DZ
  EXPECT_EQ(load.shapes.rows(), 12);
  EXPECT_EQ(load.shapes(3 + 2, 0), 2.375);
  const RawModes& modes = contents.modes[1];
  EXPECT_EQ(modes.kind, RawModes::Kind::normal);
  EXPECT_EQ(modes.frequencies_hz, (std::vector<double>{12.5, 40.0}));
  EXPECT_EQ(modes.components, 6);
  ASSERT_EQ(modes.shapes.rows(), 48);
  ASSERT_EQ(modes.shapes.cols(), 2);
  for (Eigen::Index k = 0; k < 8; ++k)
    for (Eigen::Index c = 0; c < 6; ++c)
      for (Eigen::Index mode = 0; mode < 2; ++mode)
        EXPECT_EQ(modes.shapes(6 * k + c, mode),
                  static_cast<double>(k + 1) + static_cast<double>(c + 1) / 8.0 +
                      100.0 * static_cast<double>(mode + 1));
  std::map<std::string, std::int64_t> unread;
  for (const Unread& each : contents.unread)
    unread[each.what] = each.count;
  EXPECT_EQ(unread, (std::map<std::string, std::int64_t>{{"field LOAD____SIEQ", 1}}));
}

// Truth: k + component / 8 + 100 mode at the k-th node, in both forms of HDF5.
TEST(Med, ShapesOfModesAndOfALoadCaseOnAProfile) {
  for (const char* name : {"modes.med", "modes_new.med"}) {
    SCOPED_TRACE(name);
    expect_fields(med(name));
  }
}

TEST(Med, NumbersAndGroupsOfNodesAndOfFaces) {
  const FileContents contents = med("modes.med");
  EXPECT_EQ(contents.grids.at(4).id, 21);
  EXPECT_EQ(contents.grids.at(4).x, (std::array<double, 3>{0.0, 0.0, 3.0}));
  EXPECT_EQ(contents.node_sets.at("FOOT"), (std::vector<std::int64_t>{11, 12, 13, 14}));
  EXPECT_EQ(contents.node_sets.at("CORNER"), (std::vector<std::int64_t>{14}));
  EXPECT_EQ(contents.node_sets.at("TOP"), (std::vector<std::int64_t>{21, 22, 23, 24}));
  const std::map<std::string, int> expected{{"hexahedron8", 1}, {"quad4", 1}};
  EXPECT_EQ(shapes_in_order(contents), expected);
}

/// A file of one node with these changes.
std::string refusal(const testing::TemporaryFolder& folder,
                    const std::vector<double>& coordinates,
                    const std::vector<std::int32_t>& segment,
                    std::int64_t type) {
  const std::filesystem::path path = folder / "bad.med";
  {
    io::Hdf5File file = io::Hdf5File::create(path);
    const std::string step = "/ENS_MAA/m/step";
    file.write(step + "/NOE/COO", coordinates, {coordinates.size()});
    file.write(step + "/MAI/SE2/NOD", segment, {segment.size()});
    file.set_attribute("/ENS_MAA/m", "ESP", std::int64_t{3});
    file.set_attribute("/ENS_MAA/m", "TYP", type);
    file.commit();
  }
  Diagnostics diagnostics;
  try {
    read_contents(path, {}, diagnostics);
  } catch (const ParseError& error) {
    return error.code();
  }
  return "read";
}

// Truth: what is wrong in each file.
TEST(Med, EachDamageIsNamed) {
  const testing::TemporaryFolder folder;
  const std::vector<double> two{0, 1, 0, 0, 0, 0};
  EXPECT_EQ(refusal(folder, two, {1, 2}, 0), "read");
  EXPECT_EQ(refusal(folder, two, {1, 2}, 1), "structured");
  EXPECT_EQ(refusal(folder, {0, 1, 0, 0}, {1, 2}, 0), "nodes");
  EXPECT_EQ(refusal(folder, two, {1, 3}, 0), "node");
  EXPECT_EQ(refusal(folder, two, {1, 2, 1}, 0), "elements");
}

// Truth: the file does not say whether its steps are modes; then a warning does.
TEST(Med, StepsThatMayBeTimesAreNamed) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "steps.med";
  for (const bool begins_at_zero : {false, true}) {
    io::Hdf5File file = io::Hdf5File::create(path);
    file.write("/ENS_MAA/m/step/NOE/COO", std::vector<double>{0, 0, 0}, {3});
    file.set_attribute("/ENS_MAA/m", "ESP", std::int64_t{3});
    for (std::int64_t k = 0; k < 2; ++k) {
      const std::string step = "/CHA/RESULT__DEPL/" + std::to_string(k);
      file.write(step + "/NOE/MED_NO_PROFILE_INTERNAL/CO", std::vector<double>{1, 2, 3}, {3});
      file.set_attribute(step, "NDT", k + (begins_at_zero ? 0 : 1));
      file.set_attribute(step, "NOR", k);
      file.set_attribute(step, "PDT", 0.5 * static_cast<double>(k));
    }
    file.set_attribute("/CHA/RESULT__DEPL", "NCO", std::int64_t{3});
    file.set_attribute("/CHA/RESULT__DEPL", "NOM", "DX              DY              DZ");
    file.commit();
    Diagnostics diagnostics;
    const FileContents contents = read_contents(path, {}, diagnostics);
    ASSERT_EQ(contents.modes.size(), 1U);
    EXPECT_EQ(contents.modes[0].kind,
              begins_at_zero ? RawModes::Kind::displacement : RawModes::Kind::normal);
    EXPECT_EQ(diagnostics.warnings().size(), begins_at_zero ? 0U : 1U);
  }
}

// Truth: what the file says of itself, against what is read from it.
TEST(Med, OtherCoordinatesMeshesAndProfilesAreTold) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "odd.med";
  const auto write = [&](std::int64_t coordinates, const std::string& mesh) {
    io::Hdf5File file = io::Hdf5File::create(path);
    file.write("/ENS_MAA/m/step/NOE/COO", std::vector<double>{0, 1, 0, 0, 0, 0}, {6});
    file.set_attribute("/ENS_MAA/m", "ESP", std::int64_t{3});
    file.set_attribute("/ENS_MAA/m", "REP", coordinates);
    const std::string step = "/CHA/MODES/1";
    for (const auto& [profile, node] : {std::pair{"FIRST", 1}, {"SECOND", 2}}) {
      file.write(step + "/NOE/" + profile + "/CO", std::vector<double>{1, 2, 3}, {3});
      file.write(std::string("/PROFILS/") + profile + "/PFL", std::vector<std::int64_t>{node}, {1});
    }
    for (const char* number : {"NDT", "NOR"})
      file.set_attribute(step, number, std::int64_t{1});
    file.set_attribute(step, "PDT", 7.0);
    file.set_attribute("/CHA/MODES", "NCO", std::int64_t{3});
    file.set_attribute("/CHA/MODES", "NOM", "DX              DY              DZ");
    file.set_attribute("/CHA/MODES", "MAI", mesh);
    file.commit();
  };
  Diagnostics diagnostics;
  write(0, "m");
  const FileContents two = read_contents(path, {}, diagnostics);
  ASSERT_EQ(two.modes.size(), 1U);
  EXPECT_EQ(two.modes[0].points, (std::vector<std::int64_t>{1}));
  ASSERT_EQ(two.unread.size(), 1U);
  EXPECT_EQ(two.unread[0].what, "further profiles of field MODES");
  write(0, "other");
  const FileContents other = read_contents(path, {}, diagnostics);
  EXPECT_TRUE(other.modes.empty());
  ASSERT_EQ(other.unread.size(), 1U);
  EXPECT_EQ(other.unread[0].what, "field MODES of another mesh");
  write(1, "m");
  try {
    read_contents(path, {}, diagnostics);
    FAIL() << "cylindrical coordinates were read as Cartesian ones";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "coordinates");
  }
}

}  // namespace
}  // namespace femflex::importer

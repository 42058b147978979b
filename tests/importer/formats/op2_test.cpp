// Tests the reader of NASTRAN OUTPUT2 files.
#include <cmath>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::shared_folder;
using testing::tolerance;

FileContents read(const std::string& name) {
  Diagnostics diagnostics;
  FileContents contents = read_contents(data("op2/" + name), {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents;
}

/// What data/op2/make_op2.py puts on a point: id / 8 + component + 100 mode.
double value_of(std::int64_t id, int component, int mode) {
  return static_cast<double>(id) / 8.0 + component + 100.0 * mode;
}

void expect_model(const FileContents& contents, const std::string& name) {
  SCOPED_TRACE(name);
  ASSERT_EQ(contents.grids.size(), 3U);
  EXPECT_EQ(contents.grids[1].id, 12);
  EXPECT_EQ(contents.grids[1].position_system, 20);
  EXPECT_EQ(contents.grids[1].displacement_system, 20);
  EXPECT_EQ(contents.grids[1].x, (std::array<double, 3>{2.0, 90.0, 0.5}));
  EXPECT_EQ(contents.scalar_points, (std::vector<std::int64_t>{101, 102}));
  ASSERT_EQ(contents.systems.size(), 3U);
  EXPECT_EQ(contents.systems[1].kind, CoordinateSystem::Kind::cylindrical);
  EXPECT_EQ(contents.systems[1].reference, 10);
  EXPECT_EQ(contents.systems[1].points[2], (std::array<double, 3>{1.0, 0.0, 0.0}));
  EXPECT_EQ(contents.systems[2].grids, (std::array<std::int64_t, 3>{11, 12, 15}));
  EXPECT_EQ(contents.interface, (std::vector<Dof>{{11, 1}, {11, 2}, {11, 3}, {101, 0}}));
  ASSERT_EQ(contents.row_map.size(), 20U);
  EXPECT_EQ(contents.row_map[17], (Dof{15, 6}));
  EXPECT_EQ(contents.row_map[19], (Dof{102, 0}));
  ASSERT_EQ(contents.row_sets.size(), 20U);
  EXPECT_EQ(contents.row_sets[18], 4U);
}

void expect_shapes(const FileContents& contents, const std::string& name) {
  SCOPED_TRACE(name);
  ASSERT_EQ(contents.modes.size(), 1U);
  const RawModes& modes = contents.modes[0];
  EXPECT_EQ(modes.kind, RawModes::Kind::normal);
  EXPECT_EQ(modes.points, (std::vector<std::int64_t>{11, 15, 101}));
  EXPECT_EQ(modes.is_scalar, (std::vector<std::uint8_t>{0, 0, 1}));
  ASSERT_EQ(modes.shapes.cols(), 2);
  ASSERT_EQ(modes.shapes.rows(), 18);
  for (int mode = 1; mode <= 2; ++mode) {
    for (int p = 0; p < 3; ++p) {
      for (int c = 1; c <= (p < 2 ? 6 : 1); ++c) {
        EXPECT_EQ(modes.shapes(6 * p + c - 1, mode - 1),
                  value_of(modes.points[static_cast<std::size_t>(p)], c, mode));
      }
    }
  }
  EXPECT_EQ(modes.eigenvalues, (std::vector<double>{1.5, 6.25}));
  EXPECT_EQ(modes.frequencies_hz, (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(modes.generalised_mass, (std::vector<double>{2.0, 3.0}));
}

void expect_matrices(const FileContents& contents, const std::string& name) {
  SCOPED_TRACE(name);
  ASSERT_EQ(contents.matrices.size(), 3U);
  const RawMatrix& stiffness = contents.matrices[0];
  EXPECT_EQ(stiffness.name, "KGG");
  EXPECT_EQ(stiffness.form, RawMatrix::Form::symmetric);
  EXPECT_EQ(stiffness.rows, 20);
  EXPECT_EQ(entry_of(stiffness, 3, 3).real(), 4.0 + 3.0 / 16.0);
  EXPECT_EQ(entry_of(stiffness, 4, 3).real(), -1.0);
  EXPECT_EQ(entry_of(stiffness, 7, 7).real(), 0.0);
  EXPECT_EQ(stiffness.row_dofs, contents.row_map);
  const RawMatrix& general = contents.matrices[1];
  EXPECT_TRUE(general.is_complex);
  EXPECT_EQ(entry_of(general, 2, 3), std::complex<double>(4.5, -3.0));
  const RawMatrix& dmig = contents.matrices[2];
  EXPECT_EQ(dmig.name, "KAAX");
  EXPECT_EQ(dmig.row_dofs, (std::vector<Dof>{{11, 1}, {11, 2}, {101, 0}}));
  EXPECT_EQ(entry_of(dmig, 0, 2).real(), -2.0);  // stored as (101, 11/1): mirrored
}

// The same contents in every layout, written by data/op2/make_op2.py; all numbers are exact in
// single precision.
TEST(Op2, EveryByteOrderWordSizeAndHeaderGivesTheSameContents) {
  for (const char* name : {"le32",
                           "be32",
                           "le64",
                           "be64",
                           "le64_names",
                           "no_header",
                           "versions",
                           "double_grids",
                           "le64_double_grids",
                           "no_end_key",
                           "sort2",
                           "table_a_mode",
                           "basic_frame"}) {
    const FileContents contents = read(std::string("valid/") + name + ".op2");
    expect_model(contents, name);
    expect_shapes(contents, name);
    expect_matrices(contents, name);
  }
}

TEST(Op2, RecordsBrokenAnywhereAreJoined) {
  for (const char* name : {"split", "be64_split"}) {
    const FileContents contents = read(std::string("valid/") + name + ".op2");
    expect_model(contents, name);
    expect_shapes(contents, name);
  }
}

TEST(Op2, LayoutIsReported) {
  EXPECT_EQ(read("valid/be64.op2").endian, "big");
  EXPECT_EQ(read("valid/be64.op2").word_bytes, 8);
  EXPECT_EQ(read("valid/le32.op2").endian, "little");
  EXPECT_EQ(read("valid/le32.op2").title, "FEMFLEX OP2 VARIANT");
}

TEST(Op2, TablesOfAnUnknownFormAreCounted) {
  const FileContents contents = read("valid/le32.op2");
  ASSERT_EQ(contents.unread.size(), 2U);
  EXPECT_EQ(contents.unread[0].what, "GEOM2S key 2408,24,180");
  EXPECT_EQ(contents.unread[1].what, "OES1X");
}

TEST(Op2, TablesInTheBasicSystemSaySo) {
  EXPECT_EQ(read("valid/basic_frame.op2").modes[0].frame, RawModes::Frame::basic);
  EXPECT_EQ(read("valid/le32.op2").modes[0].frame, RawModes::Frame::nodal);
}

TEST(Op2, FrequencyResponseIsComplexInEitherSort) {
  for (const char* name : {"response", "response_sort2"}) {
    SCOPED_TRACE(name);
    const FileContents contents = read(std::string("valid/") + name + ".op2");
    ASSERT_EQ(contents.modes.size(), 1U);
    const RawModes& modes = contents.modes[0];
    EXPECT_EQ(modes.kind, RawModes::Kind::complex);
    EXPECT_EQ(modes.subcase, 3);
    EXPECT_EQ(modes.frequencies_hz, (std::vector<double>{5.0, 7.5}));
    EXPECT_EQ(modes.shapes(7, 1), value_of(15, 2, 1));
    EXPECT_EQ(modes.imaginary(7, 1), value_of(15, 2, 2));
  }
}

// Magnitude r at 90 degrees is i r.
TEST(Op2, MagnitudeAndPhaseBecomeRealAndImaginary) {
  const RawModes modes = read("valid/response_polar.op2").modes.at(0);
  EXPECT_NEAR(modes.shapes(8, 0), 0.0, tolerance(1e-13) * value_of(15, 3, 1));
  EXPECT_NEAR(modes.imaginary(8, 0), value_of(15, 3, 1), tolerance(1e-13) * 200.0);
}

TEST(Op2, AFileThatEndsEarlyGivesWhatIsComplete) {
  Diagnostics diagnostics;
  const FileContents contents = read_contents(data("op2/valid/cut_in_matrix.op2"), {}, diagnostics);
  expect_model(contents, "cut_in_matrix");
  expect_shapes(contents, "cut_in_matrix");
  ASSERT_EQ(contents.matrices.size(), 1U);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "truncated");
}

TEST(Op2, BadFilesAreRefusedWithTheReason) {
  const std::vector<std::pair<std::string, std::string>> files{{"cut_in_header", "truncated"},
                                                               {"cut_in_first_table", "truncated"},
                                                               {"matrix_type", "damaged"},
                                                               {"row_beyond", "damaged"},
                                                               {"entry_cut", "damaged"},
                                                               {"length_words_differ", "damaged"},
                                                               {"formatted", "formatted-op2"}};
  for (const auto& [name, code] : files) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    try {
      read_contents(data("op2/invalid/" + name + ".op2"), {}, diagnostics);
      FAIL() << "was read";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_FALSE(error.where().file.empty());
    }
  }
}

// Two masses of 5 kg on springs of 20 and 10 N/m: omega^2 = 4 -+ 2 sqrt(2); unit modal mass.
TEST(Op2, DoubleMassSpringHasItsTwoModes) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(shared_folder() / "data/nastran/mystran/dms.op2", {}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(contents.format, "op2");
  ASSERT_EQ(contents.modes.size(), 1U);  // one table per mode in the file, one group here
  const RawModes& modes = contents.modes[0];
  ASSERT_EQ(modes.shapes.cols(), 2);
  ASSERT_EQ(modes.points.size(), 3U);
  EXPECT_NEAR(modes.eigenvalues[0], 4.0 - 2.0 * std::sqrt(2.0), tolerance(2e-7));
  EXPECT_NEAR(modes.eigenvalues[1], 4.0 + 2.0 * std::sqrt(2.0), tolerance(2e-6));
  EXPECT_NEAR(5.0 * modes.shapes.col(0).squaredNorm(), 1.0, tolerance(1e-6));
}

// The directory of an external superelement gives the names that its tables do not carry.
TEST(Op2, TablesOfAnExternalSuperelementKeepTheirOwnNames) {
  if (shared_folder().empty()) GTEST_SKIP() << "the folder of real files is absent";
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(shared_folder() / "data/nastran/op2/extse04c_cnv2_0.op2", {}, diagnostics);
  ASSERT_EQ(contents.matrices.size(), 5U);
  EXPECT_EQ(contents.matrices[0].inner_name, "MATK");
  EXPECT_EQ(contents.matrices[1].inner_name, "MATM");
  EXPECT_EQ(contents.matrices[3].rows, 1038);
  EXPECT_EQ(contents.interface.size(), 28U);
}

}  // namespace
}  // namespace femflex::importer

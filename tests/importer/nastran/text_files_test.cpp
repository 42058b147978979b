// Tests the readers of NASTRAN text with small decks and punch files of this project (data/bulk,
// data/punch, data/op4). Truth: the numbers in the files, in the columns given by NASTRAN's guides.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::tolerance;

FileContents read_text_file(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  return read_contents(path, {}, diagnostics);
}

const RawMatrix& matrix_of(const FileContents& contents, const std::string& name) {
  const auto it = std::find_if(contents.matrices.begin(),
                               contents.matrices.end(),
                               [&](const RawMatrix& m) { return m.name == name; });
  if (it == contents.matrices.end()) throw UsageError("test", "no matrix " + name);
  return *it;
}

TEST(Op4Files, HoldTheSameMatricesInEveryLayout) {
  const double real[5][4] = {{1.5, 0.0, 0.0, -2.25},
                             {0.0, 0.0, 0.0, 8.0},
                             {-0.125, 4.0, 0.0, 0.0},
                             {3.0, 5.0, 0.0, 0.0},
                             {0.0, 0.0, 0.0, 1024.0}};
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(data("op4/valid"))) {
    SCOPED_TRACE(entry.path().filename().string());
    ++files;
    const FileContents contents = read_text_file(entry.path());
    EXPECT_EQ(contents.format, "op4");
    ASSERT_EQ(contents.matrices.size(), 3U);
    EXPECT_EQ(contents.matrices[2].name, "NONE");
    EXPECT_EQ(contents.matrices[2].rows, 1);
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t j = 0; j < 4; ++j) {
        const double x = real[i][j];
        const std::complex<double> z(x, x * ((i + j) % 2 == 1 ? -2.0 : 0.5));
        EXPECT_EQ(entry_of(contents.matrices[0], i, j), std::complex<double>(x));
        EXPECT_EQ(entry_of(contents.matrices[1], i, j), z);
      }
  }
  EXPECT_EQ(files, 31);
}

TEST(BulkFiles, EveryWayToWriteAPointGivesTheSamePoint) {
  const FileContents contents = read_text_file(data("bulk/valid/fields.bdf"));
  EXPECT_EQ(contents.format, "bulk");
  EXPECT_EQ(contents.title, "EVERY KIND OF FIELD");
  ASSERT_EQ(contents.grids.size(), 10U);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(contents.grids[k].id, static_cast<std::int64_t>(k) + 1);
    EXPECT_EQ(contents.grids[k].x, (std::array<double, 3>{0.5, -1.5, 20.0})) << k;
  }
  // SPC = 7 alone counts
  std::vector<Dof> fixed;
  for (std::int64_t id = 1; id <= 4; ++id)
    for (std::int8_t c = 1; c <= 3; ++c)
      fixed.push_back({id, c});
  for (const std::int64_t id : {5, 6, 8, 9})
    fixed.push_back({id, 4});
  fixed.push_back({10, 5});
  fixed.push_back({10, 6});
  EXPECT_EQ(contents.fixed, fixed);
  EXPECT_EQ(read_text_file(data("bulk/valid/crlf.bdf")).elements.size(), 1U);
}

TEST(BulkFiles, AllCardsAreRead) {
  const FileContents contents = read_text_file(data("bulk/valid/cards.bdf"));
  Diagnostics diagnostics;
  const auto systems = resolve_systems(contents, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_EQ(systems.size(), 4U);
  const auto basic = basic_positions(contents, systems, diagnostics);
  ASSERT_EQ(basic.size(), 6U);
  // 4: cylinder (1, 90 deg, 5) in system 10, moved by 1 along x with its x axis along basic y... C
  // of CORD2R 10 lies along basic y, so its x is basic y and its y is basic -x
  const Eigen::Vector3d expected4(1.0 - 1.0 * 1.0, 0.0, 5.0);
  EXPECT_LT((basic[3] - expected4).norm(), tolerance(1e-14));
  EXPECT_LT((basic[4] - Eigen::Vector3d(2, 0, 0)).norm(), tolerance(1e-14));
  // 40 by grids 1, 2, 3: z along basic z, x towards grid 3 = basic x
  EXPECT_LT((basic[5] - Eigen::Vector3d(1, 1, 0)).norm(), tolerance(1e-14));
  EXPECT_EQ(contents.grids[0].fixed, "345");
  EXPECT_EQ(contents.grids[3].fixed, "126");
  EXPECT_EQ(contents.scalar_points, (std::vector<std::int64_t>{101, 102, 103, 104, 105}));
  std::int64_t elements = 0;
  for (const auto& [name, count] : contents.element_counts)
    elements += count;
  EXPECT_EQ(elements, 18);
  ASSERT_EQ(contents.masses.size(), 2U);
  EXPECT_EQ(contents.masses[0].mass, 450.0);
  EXPECT_EQ(contents.masses[0].offset, (std::array<double, 3>{0.1, 0.2, 0.3}));
  EXPECT_EQ(contents.masses[0].inertia, (std::array<double, 6>{30, 1, 40, 2, 3, 50}));
  EXPECT_EQ(contents.masses[1].mass, 5.0);
  ASSERT_EQ(contents.rigid_elements.size(), 5U);
  EXPECT_EQ(contents.rigid_elements[0].dependent, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(contents.rigid_elements[1].dependent, (std::vector<std::int64_t>{4, 5, 6}));
  EXPECT_EQ(contents.rigid_elements[2].dependent, (std::vector<std::int64_t>{6}));
  EXPECT_EQ(contents.rigid_elements[2].independent, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(contents.rigid_elements[4].type, "MPC");
  EXPECT_EQ(contents.rigid_elements[4].independent, (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(contents.interface.size(), 6U + 3U + 12U);
  EXPECT_EQ(contents.generalised, (std::vector<Dof>{{101, 0}, {102, 0}, {103, 0}}));
  EXPECT_EQ(contents.omitted, (std::vector<Dof>{{5, 4}, {5, 5}, {5, 6}}));
  EXPECT_EQ(contents.supports.size(), 6U);
  EXPECT_EQ(contents.mass_factor, 0.00259);
  ASSERT_TRUE(contents.units);
  EXPECT_EQ(contents.units->name, "mm-t-s");
  // unknown cards are counted
  const auto tload = std::find_if(contents.unread.begin(),
                                  contents.unread.end(),
                                  [](const Unread& u) { return u.what == "TLOAD1"; });
  ASSERT_NE(tload, contents.unread.end());
  EXPECT_EQ(tload->count, 1);
}

/// Reads a deck; the codes of its warnings go to `codes`, one after the other.
FileContents read_deck(const std::string& text, std::string& codes) {
  const testing::TemporaryFolder folder;
  testing::write_text(folder / "part.bdf", "SPC1,1,123,7\n");
  testing::write_text(folder / "deck.bdf", text);
  Diagnostics diagnostics;
  FileContents out = read_contents(folder / "deck.bdf", {}, diagnostics);
  codes.clear();
  for (const Warning& each : diagnostics.warnings())
    codes += each.code + " ";
  return out;
}

// Truth: NASTRAN takes one SPC set in a subcase: its own, else the one before the subcases.
TEST(BulkFiles, SupportsAreThoseOfTheFirstSubcase) {
  const std::string bulk = "BEGIN BULK\nGRID,1\nGRID,5\nSPC1,1,1,1\nSPC1,2,2,5\nENDDATA\n";
  std::string codes;
  EXPECT_EQ(read_deck("SOL 103\nCEND\nSUBCASE 1\nSPC=1\nSUBCASE 2\nSPC=2\n" + bulk, codes).fixed,
            (std::vector<Dof>{{1, 1}}));
  EXPECT_EQ(codes, "spc-set ");
  EXPECT_EQ(read_deck("SOL 103\nCEND\nSPC=1\nSUBCASE 1\nSPC=2\n" + bulk, codes).fixed,
            (std::vector<Dof>{{5, 2}}));
  EXPECT_EQ(codes, "");  // set 1 is the default of subcases without a set, and there is none
  EXPECT_EQ(read_deck("SOL 103\nCEND\nSPC=2\nSUBCASE 1\n" + bulk, codes).fixed,
            (std::vector<Dof>{{5, 2}}));
  EXPECT_EQ(codes, "");
  EXPECT_EQ(read_deck(bulk, codes).fixed, (std::vector<Dof>{{1, 1}, {5, 2}}));
  EXPECT_EQ(codes, "spc-set ");
}

TEST(BulkFiles, LinesOutsideTheirUsualPlaceAreRead) {
  for (const char* indent : {"", "  ", "\t"}) {
    std::string codes;
    const FileContents deck =
        read_deck(std::string("SOL 103\nCEND\nPARAM,WTMASS,0.001\nSPC=1\nBEGIN BULK\nGRID,7\n") +
                      indent + "INCLUDE 'part.bdf'\nENDDATA\n",
                  codes);
    EXPECT_EQ(deck.fixed, (std::vector<Dof>{{7, 1}, {7, 2}, {7, 3}}));
    EXPECT_EQ(deck.mass_factor, 0.001);
  }
}

// Truth: NASTRAN joins lines by their marks, wherever they stand; here only the order counts.
TEST(BulkFiles, CrossedContinuationsAreTold) {
  std::string codes;
  const std::string cards =
      "RBE2    21      2       123456  100     101     102     103     104     +R1\n"
      "RBE2    22      4       123456  107     108     109     110     111     +R2\n"
      "+R1     105     106\n+R2     112     113\n";
  (void)read_deck("GRID,2\nGRID,4\n" + cards, codes);
  EXPECT_EQ(codes, "continuation ");
  (void)read_deck(
      "GRID,2\nRBE2,21,2,123456,100,101,102,103,104,+R1\n+R1,105\n"
      "RBE2*   22              2               123456          100             *R2\n"
      "+R2     107\n",
      codes);
  EXPECT_EQ(codes, "");
}

// Truth: the range is in a file without its points; an id alone needs none.
TEST(BulkFiles, RangesWithoutPointsAreTold) {
  std::string codes;
  EXPECT_EQ(read_deck("SPC1,1,123,1,THRU,2\n", codes).fixed.size(), 0U);
  EXPECT_EQ(codes, "empty-range ");
  EXPECT_EQ(read_deck("SPC1,1,123,1\n", codes).fixed.size(), 3U);
  EXPECT_EQ(codes, "");
}

// Truth: a subcase with a temperature load is not its forces alone.
TEST(BulkFiles, TemperatureLoadsOfASubcaseAreKnown) {
  std::string codes;
  const std::string bulk = "BEGIN BULK\nGRID,1\nFORCE,1,1,,1.0,1.0\nENDDATA\n";
  for (const char* order : {"LOAD=1\nTEMP(LOAD)=2\n", "TEMP(LOAD)=2\nLOAD=1\n"}) {
    const FileContents deck =
        read_deck(std::string("SOL 101\nCEND\nSUBCASE 1\n") + order + bulk, codes);
    ASSERT_EQ(deck.loads.chosen.size(), 1U);
    EXPECT_EQ(deck.loads.chosen[0].unread, "TEMP(LOAD)");
  }
  const FileContents other =
      read_deck("SOL 101\nCEND\nTEMP(MATERIAL)=2\nSUBCASE 1\nLOAD=1\n" + bulk, codes);
  EXPECT_EQ(other.loads.chosen.at(0).unread, "");
}

TEST(BulkFiles, IncludesAndSuperelementsAreFollowed) {
  const FileContents contents = read_text_file(data("bulk/valid/includes.bdf"));
  EXPECT_EQ(contents.grids.size(), 2U);
  EXPECT_EQ(contents.element_counts.at("CBAR"), 1);
  const FileContents super = read_text_file(data("bulk/valid/superelements.bdf"));
  ASSERT_EQ(super.grids.size(), 3U);
  EXPECT_EQ(super.grids[1].superelement, 10);
  EXPECT_EQ(super.grids[1].displacement_system, 10);
  EXPECT_EQ(super.grids[2].superelement, 20);
  EXPECT_EQ(super.grids[2].displacement_system, 0);
}

TEST(PunchFiles, DirectMatricesOfEveryForm) {
  const FileContents contents = read_text_file(data("punch/valid/dmig.pch"));
  EXPECT_EQ(contents.format, "punch");
  const RawMatrix& symmetric = matrix_of(contents, "SYMU");
  EXPECT_EQ(symmetric.row_dofs, (std::vector<Dof>{{1, 1}, {1, 2}, {50, 0}}));
  EXPECT_EQ(entry_of(symmetric, 0, 1), -1.0);
  EXPECT_EQ(entry_of(symmetric, 1, 0), -1.0);
  EXPECT_EQ(entry_of(symmetric, 2, 2), 7.25);
  const RawMatrix& square = matrix_of(contents, "SQUARE");
  EXPECT_EQ(entry_of(square, 0, 1), -1.0);
  EXPECT_EQ(entry_of(square, 1, 0), 0.0);
  EXPECT_EQ(entry_of(square, 1, 1), 2.0);
  const std::complex<double> pole = entry_of(matrix_of(contents, "POLE"), 0, 0);
  EXPECT_NEAR(pole.real(), 0.0, tolerance(1e-15));
  EXPECT_NEAR(pole.imag(), 2.0, tolerance(1e-15));
  const RawMatrix& vector = matrix_of(contents, "VECTOR");
  EXPECT_EQ(vector.cols, 2);
  EXPECT_EQ(vector.rows, 3);
  EXPECT_EQ(entry_of(vector, 0, 1), 0.25);
  EXPECT_EQ(entry_of(matrix_of(contents, "AXI"), 0, 0), 5.0);
  const RawMatrix& direct = matrix_of(contents, "DIRECT");
  EXPECT_EQ(entry_of(direct, 1, 0), 2.0);
  EXPECT_EQ(entry_of(direct, 2, 0), 0.0);
  EXPECT_EQ(entry_of(direct, 3, 0), 8.0);
  EXPECT_EQ(entry_of(direct, 3, 1), 6.0);
  EXPECT_EQ(contents.row_map, (std::vector<Dof>{{1, 1}, {1, 2}, {50, 0}}));
}

// Truth: the lines. A result has its rows below the titles, a deck has cards or a case control.
TEST(PunchFiles, ADeckMayBeginWithATitleAsAComment) {
  const testing::TemporaryFolder folder;
  const std::string title = "$TITLE   = a bracket\n$SUBTITLE=\n$ by hand\n";
  const auto format = [&](const std::string& text) {
    testing::write_text(folder / "file", title + text);
    return detect_format(folder / "file");
  };
  EXPECT_EQ(format("SOL 103\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\n"), "bulk");
  EXPECT_EQ(format("GRID,1,,0.,0.,0.\n"), "bulk");
  EXPECT_EQ(format("MAT1,1,2.1+11,,0.3\n+,1.\nGRID,1,,0.,0.,0.\n"), "bulk");
  for (const char* indented : {"  SOL 103\n  CEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\n",
                               "\tSOL 103\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\n",
                               "   \nSOL 103\nCEND\nBEGIN BULK\nGRID,1,,0.,0.,0.\n",
                               "  BEGIN BULK\nGRID,1,,0.,0.,0.\n"})
    EXPECT_EQ(format(indented), "bulk") << indented;
  EXPECT_EQ(format("-1234567       G      1.000000E+00      0.0               0.0\n"), "punch");
  EXPECT_EQ(format("$DISPLACEMENTS\n$REAL OUTPUT\n$SUBCASE ID =           1\n"
                   "         1       G      1.000000E+00      0.0               0.0\n"),
            "punch");
  EXPECT_EQ(format("DMIG    KAAX           0       6       1       0\n"), "punch");
}

// Truth: the lines. A MATLAB file has "IM" or "MI" at byte 126, after its version.
TEST(BulkFiles, AWordAtByte126DoesNotMakeAMatlabFile) {
  const testing::TemporaryFolder folder;
  for (const char* word : {"TIME", "DMIG", "LIMIT", "MIN"}) {
    const std::string start = std::string("$ ") + std::string(124 - 2, 'x');
    testing::write_text(folder / "deck",
                        start + word + "\nBEGIN BULK\nGRID,1,,0.,0.,0.\nENDDATA\n");
    EXPECT_EQ(detect_format(folder / "deck"), "bulk") << word;
  }
}

TEST(PunchFiles, ShapesRealAndComplex) {
  const FileContents contents = read_text_file(data("punch/valid/results.pch"));
  ASSERT_EQ(contents.modes.size(), 2U);  // one line for a scalar point is the same table
  const RawModes& modes = contents.modes[0];
  EXPECT_EQ(modes.points, (std::vector<std::int64_t>{1, 50}));
  EXPECT_EQ(modes.is_scalar[1], 1);
  EXPECT_EQ(modes.shapes(5, 0), 6.0);
  EXPECT_EQ(modes.shapes(6, 0), 7.0);
  EXPECT_EQ(modes.eigenvalues[0], 4.0);
  EXPECT_EQ(contents.modes.back().kind, RawModes::Kind::displacement);
  EXPECT_EQ(contents.modes.back().subcase, 2);
  const FileContents complex = read_text_file(data("punch/valid/complex.pch"));
  ASSERT_FALSE(complex.modes.empty());
  EXPECT_EQ(complex.modes[0].shapes(0, 0), 1.0);
  EXPECT_EQ(complex.modes[0].imaginary(0, 0), 3.0);
  EXPECT_EQ(complex.modes[0].eigenvalues_imaginary[0], 2.0);
  const RawModes& polar = complex.modes.back();
  EXPECT_NEAR(polar.imaginary(0, polar.imaginary.cols() - 1), 2.0, tolerance(1e-15));
}

struct Fault {
  const char* file;
  const char* code;
  std::int64_t line;  ///< -1: not said
};

// Truth: one fault each, put there by hand.
TEST(NastranFiles, EachFaultIsNamedWithItsPlace) {
  for (const Fault& fault :
       {Fault{"op4/invalid/truncated.op4", "truncated", -1},
        Fault{"op4/invalid/length_words_differ.op4", "record-length", -1},
        Fault{"op4/invalid/type_seven.op4", "op4-type", -1},
        Fault{"op4/invalid/column_too_long.op4", "op4-column", -1},
        Fault{"op4/invalid/letters.op4", "not-a-number", 6},
        Fault{"op4/invalid/truncated_ascii.op4", "truncated", -1},
        Fault{"op4/invalid/rows_beyond.op4", "op4-column", 5},
        Fault{"op4/invalid/huge_count.op4", "op4-column", 5},
        Fault{"bulk/invalid/text_in_number.bdf", "not-a-number", 3},
        Fault{"bulk/invalid/circle.bdf", "include-cycle", 2},
        Fault{"bulk/invalid/replication.bdf", "replication", 4},
        Fault{"bulk/invalid/spoints.bdf", "spoint", 2},
        Fault{"bulk/invalid/components.bdf", "components", 3},
        Fault{"bulk/invalid/dmig_without_header.bdf", "dmig-header", 2},
        Fault{"bulk/invalid/dmig_both_triangles.bdf", "dmig-both-triangles", 1},
        Fault{"punch/invalid/letters.pch", "not-a-number", 10},
        Fault{"punch/invalid/half_a_point.pch", "punch-point", -1}}) {
    SCOPED_TRACE(fault.file);
    const std::filesystem::path path = data(fault.file);
    try {
      Diagnostics diagnostics;
      const std::string folder = path.parent_path().parent_path().filename().string();
      read_contents(path, {folder}, diagnostics);
      ADD_FAILURE() << "was read without an error";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), fault.code) << error.what();
      if (fault.line > 0) {
        EXPECT_EQ(error.where().line, fault.line) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace femflex::importer

// Tests the readers of sparse matrices in text, Matrix Market and Harwell-Boeing, on small files
// whose numbers are known.
#include <algorithm>
#include <array>
#include <complex>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "importer/formats/read_files.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;
using testing::tolerance;
using testing::write_text;
using Complex = std::complex<double>;

/// The error of a file of this name and text; empty if it is read.
std::string refusal_of(const std::string& name, const std::string& text) {
  const testing::TemporaryFolder folder;
  write_text(folder / name, text);
  Diagnostics diagnostics;
  try {
    static_cast<void>(read_contents(folder / name, {}, diagnostics));
  } catch (const ParseError& error) {
    return error.code() + ": " + error.message();
  }
  return "";
}

/// The codes of the warnings of a file, one after the other.
std::string warnings_of(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  static_cast<void>(read_contents(path, {}, diagnostics));
  std::string out;
  for (const Warning& each : diagnostics.warnings())
    out += (out.empty() ? "" : " ") + each.code;
  return out;
}

/// A Harwell-Boeing file of a type, rows, columns and entries; its numbers stand one a line:
/// column pointers, rows, values.
std::string harwell_boeing(const std::string& type,
                           const std::array<int, 3>& sizes,
                           std::string numbers,
                           int right_hand_lines = 0) {
  std::replace(numbers.begin(), numbers.end(), ' ', '\n');
  std::string out =
      fmt::format("a matrix\n{:14}{:14}{:14}{:14}{:14}\n", 1, 1, 1, 1, right_hand_lines);
  out += fmt::format("{:14}{:14}{:14}{:14}{:14}\n", type, sizes[0], sizes[1], sizes[2], 0);
  out += fmt::format("{:16}{:16}{:20}\n", "(I14)", "(I14)", "(D25.15)");
  return out + numbers + "\n";
}

// --- Matrix Market; the numbers are in the files

TEST(MatrixMarket, RepeatsAddUpAndExponentsMayBeD) {
  const RawMatrix matrix = only_matrix_of("matrix_market/valid/general.mtx");
  EXPECT_EQ(matrix.rows, 3);
  EXPECT_EQ(matrix.cols, 4);
  EXPECT_EQ(entry_of(matrix, 2, 3).real(), -20.0);
  EXPECT_EQ(entry_of(matrix, 1, 1).real(), 0.5);
  EXPECT_EQ(statistics_of(matrix).nonzeros, 4);
}

TEST(MatrixMarket, ASymmetricFileMayHoldEitherTriangleAndAnyLineEnd) {
  for (const char* name : {"symmetric_lower", "symmetric_upper_crlf", "symmetric_cr"}) {
    SCOPED_TRACE(name);
    const RawMatrix matrix = only_matrix_of(std::string("matrix_market/valid/") + name + ".mtx");
    EXPECT_EQ(matrix.form, RawMatrix::Form::symmetric);
    EXPECT_EQ(entry_of(matrix, 0, 1).real(), -1.0);
    EXPECT_EQ(entry_of(matrix, 1, 0).real(), -1.0);
    EXPECT_EQ(statistics_of(matrix).nonzeros, 5);
  }
}

TEST(MatrixMarket, SkewAndHermitianFilesAreWhole) {
  const RawMatrix skew = only_matrix_of("matrix_market/valid/skew.mtx");
  EXPECT_EQ(entry_of(skew, 1, 0).real(), 5.0);
  EXPECT_EQ(entry_of(skew, 0, 1).real(), -5.0);
  const RawMatrix hermitian = only_matrix_of("matrix_market/valid/hermitian.mtx");
  EXPECT_EQ(entry_of(hermitian, 1, 0), Complex(1.0, -4.0));
  EXPECT_EQ(entry_of(hermitian, 0, 1), Complex(1.0, 4.0));
}

TEST(MatrixMarket, ArraysRunDownTheColumns) {
  EXPECT_EQ(entry_of(only_matrix_of("matrix_market/valid/array.mtx"), 0, 2).real(), 5.0);
  EXPECT_EQ(entry_of(only_matrix_of("matrix_market/valid/array_symmetric.mtx"), 0, 1).real(), 2.0);
  EXPECT_EQ(entry_of(only_matrix_of("matrix_market/valid/array_complex.mtx"), 0, 1),
            Complex(2.0, -2.0));
  EXPECT_EQ(entry_of(only_matrix_of("matrix_market/valid/vector.mtx"), 3, 0).real(), 9.0);
}

// Truth: the definition of the format, one triangle. [[2, -1], [-1, 3]] with both triangles became
// [[2, -2], [-2, 3]].
TEST(MatrixMarket, BothTrianglesOfASymmetricFileAreRefused) {
  const std::string real = "%%MatrixMarket matrix coordinate real ";
  const std::string both = "\n2 2 4\n1 1 2\n2 1 -1\n1 2 -1\n2 2 3\n";
  EXPECT_EQ(refusal_of("k.mtx", real + "symmetric" + both).substr(0, 28),
            "both-triangles: entry (1, 2)");
  EXPECT_EQ(refusal_of("k.mtx", real + "general" + both), "");
  EXPECT_EQ(refusal_of("k.mtx", real + "skew-symmetric\n2 2 2\n2 1 -1\n1 2 1\n").substr(0, 14),
            "both-triangles");
  EXPECT_EQ(refusal_of("k.mtx",
                       "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 2 1 4\n"
                       "2 1 1 -4\n")
                .substr(0, 28),
            "both-triangles: entry (2, 1)");
  // zeros written in the other triangle count nothing
  EXPECT_EQ(refusal_of("k.mtx", real + "symmetric\n2 2 3\n1 1 2\n2 1 -1\n1 2 0\n"), "");
  EXPECT_EQ(refusal_of("k.mtx", real + "symmetric\n3 3 3\n1 2 2\n1 2 2\n2 3 -1\n"), "");
}

TEST(MatrixMarket, APatternIsToldToBecomeOnes) {
  const std::filesystem::path path = data("matrix_market/valid/pattern.mtx");
  Diagnostics diagnostics;
  EXPECT_EQ(entry_of(read_contents(path, {}, diagnostics).matrices.at(0), 0, 2).real(), 1.0);
  EXPECT_EQ(warnings_of(path), "pattern");
}

TEST(MatrixMarket, TwoThousandMillionColumnsCostOnlyThoseWithEntries) {
  const RawMatrix matrix = only_matrix_of("matrix_market/valid/huge_columns.mtx");
  EXPECT_EQ(matrix.cols, 2000000000);
  EXPECT_EQ(matrix.col.size(), 2U);
  EXPECT_EQ(entry_of(matrix, 2, 1999999999).real(), 2.0);
}

TEST(MatrixMarket, AMappingVectorGivesTheOrderOfNodes) {
  EXPECT_EQ(read_silently("matrix_market/valid/mapping_vector.mtx").node_order,
            (std::vector<std::int64_t>{7, 3, 12, 1}));
}

TEST(MatrixMarket, BadFilesAreRefusedWithTheReason) {
  const std::string folder = "matrix_market/invalid/";
  expect_fault(folder + "banner.mtx", "banner");
  expect_fault(folder + "field.mtx", "banner");
  expect_fault(folder + "too_few.mtx", "truncated");
  expect_fault(folder + "too_many.mtx", "entries");
  expect_fault(folder + "outside.mtx", "entry");
  expect_fault(folder + "not_a_number.mtx", "entry");
  expect_fault(folder + "too_large.mtx", "too-large");
  expect_fault(folder + "claims_too_much.mtx", "truncated");
  expect_fault(folder + "not_square.mtx", "sizes");
}

// --- Harwell-Boeing

TEST(HarwellBoeing, AnAnsysExportFindsItsMappingAndTellsOfRightHandSides) {
  Diagnostics diagnostics;
  const FileContents contents =
      read_contents(data("harwell_boeing/valid/job_stiff.matrix"), {}, diagnostics);
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_EQ(diagnostics.warnings()[0].code, "right-hand-sides");
  EXPECT_EQ(diagnostics.warnings()[0].message, "3 lines of right-hand sides are not read");
  EXPECT_EQ(contents.program, "ANSYS");
  const RawMatrix& matrix = contents.matrices.at(0);
  EXPECT_EQ(matrix.name, "STIFFNESS");
  EXPECT_EQ(entry_of(matrix, 0, 2).real(), -1.0);  // stored below the diagonal
  EXPECT_EQ(entry_of(matrix, 2, 2).real(), 0.25);
  EXPECT_EQ(matrix.row_dofs, (std::vector<Dof>{{5, 1}, {5, 2}, {2, 6}}));
}

TEST(HarwellBoeing, ValuesAreCutByTheirFormat) {
  const RawMatrix matrix = only_matrix_of("harwell_boeing/valid/touching.hb");
  EXPECT_EQ(entry_of(matrix, 0, 0).real(), -1.0);
  EXPECT_EQ(entry_of(matrix, 1, 0).real(), -2.5);
  EXPECT_EQ(entry_of(matrix, 1, 1).real(), 0.4);
  EXPECT_EQ(entry_of(only_matrix_of("harwell_boeing/valid/complex.hb"), 1, 1), Complex(3.0, -4.0));
}

// Truth: the definition of the format, one triangle of a symmetric, skew-symmetric (Z) or Hermitian
// matrix; here [[2, -1], [-1, 3]] with both, and each triangle of it alone.
TEST(HarwellBoeing, BothTrianglesOfASymmetricFileAreRefused) {
  const std::array<int, 3> four{2, 2, 4};
  const std::string both = "1 3 5 1 2 1 2 2.0 -1.0 -1.0 3.0";
  EXPECT_EQ(refusal_of("k.rsa", harwell_boeing("RSA", four, both)).substr(0, 28),
            "both-triangles: entry (1, 2)");
  EXPECT_EQ(refusal_of("k.rua", harwell_boeing("RUA", four, both)), "");
  EXPECT_EQ(
      refusal_of("k.rza", harwell_boeing("RZA", {2, 2, 2}, "1 2 3 2 1 -1.0 1.0")).substr(0, 28),
      "both-triangles: entry (1, 2)");
  EXPECT_EQ(refusal_of("k.cha", harwell_boeing("CHA", {2, 2, 2}, "1 2 3 2 1 1.0 4.0 1.0 -4.0"))
                .substr(0, 28),
            "both-triangles: entry (1, 2)");
  const testing::TemporaryFolder folder;
  for (const char* numbers : {"1 3 4 1 2 2 2.0 -1.0 3.0", "1 2 4 1 1 2 2.0 -1.0 3.0"}) {
    write_text(folder / "k.rsa", harwell_boeing("RSA", {2, 2, 3}, numbers));
    Diagnostics diagnostics;
    const FileContents contents = read_contents(folder / "k.rsa", {}, diagnostics);
    EXPECT_TRUE(diagnostics.empty());
    EXPECT_EQ(entry_of(contents.matrices.at(0), 0, 1).real(), -1.0);
    EXPECT_EQ(entry_of(contents.matrices.at(0), 1, 0).real(), -1.0);
  }
}

TEST(HarwellBoeing, APatternIsToldToBecomeOnes) {
  const std::filesystem::path path = data("harwell_boeing/valid/pattern.hb");
  Diagnostics diagnostics;
  EXPECT_EQ(entry_of(read_contents(path, {}, diagnostics).matrices.at(0), 1, 0).real(), 1.0);
  EXPECT_EQ(warnings_of(path), "pattern");
}

// The list of another variant is not that of this matrix.
TEST(HarwellBoeing, OnlyTheListOfTheJobNamesTheRows) {
  const testing::TemporaryFolder folder;
  write_text(folder / "truck.mapping",
             testing::read_text(data("harwell_boeing/valid/job.mapping")));  // three rows
  const std::string three = "1 2 3 4 1 2 3 1.0 2.0 3.0";
  const auto rows_of = [&](const std::string& name) {
    write_text(folder / name, harwell_boeing("RSA", {3, 3, 3}, three));
    Diagnostics diagnostics;
    return read_contents(folder / name, {}, diagnostics).matrices.at(0).row_dofs.size();
  };
  EXPECT_EQ(rows_of("truck.matrix"), 3U);
  EXPECT_EQ(rows_of("truck_stiff.matrix"), 3U);
  EXPECT_EQ(rows_of("truck_MASS.rsa"), 3U);
  EXPECT_EQ(rows_of("truck-v2.rsa"), 0U);
  EXPECT_EQ(rows_of("truck_stiff_new.rsa"), 0U);
  EXPECT_EQ(rows_of("truck.2.rsa"), 0U);
}

TEST(HarwellBoeing, AListThatDoesNotFitIsToldWithTheSizeOfTheMatrix) {
  const testing::TemporaryFolder folder;
  write_text(folder / "job.mapping", testing::read_text(data("harwell_boeing/valid/job.mapping")));
  write_text(folder / "job.rra", harwell_boeing("RRA", {3, 2, 2}, "1 2 3 1 2 1.0 2.0"));
  Diagnostics diagnostics;
  EXPECT_TRUE(read_contents(folder / "job.rra", {}, diagnostics).row_map.empty());
  ASSERT_EQ(diagnostics.warnings().size(), 1U);
  EXPECT_NE(diagnostics.warnings()[0].message.find("lists 3 rows, but the matrix is 3 x 2"),
            std::string::npos)
      << diagnostics.warnings()[0].message;
}

TEST(HarwellBoeing, AFallingPointerIsNamedWithItsColumn) {
  const std::string numbers = "1 3 2 4 1 2 3 1.0 2.0 3.0";
  EXPECT_EQ(refusal_of("k.rua", harwell_boeing("RUA", {3, 3, 3}, numbers)),
            "pointers: the column pointers must not fall, but that of column 3 is 2 after 3");
  EXPECT_EQ(refusal_of("k.rua", harwell_boeing("RUA", {1, 1, 1}, "0 1 1 1.0")),
            "pointers: the column pointers must go from 1 to 2, but go from 0 to 1");
}

// Norm and sum by an independent reader.
TEST(HarwellBoeing, SeveralNumbersALineAreRead) {
  const RawMatrix matrix = only_matrix_of("harwell_boeing/valid/std_rua.hb");
  EXPECT_EQ(statistics_of(matrix).nonzeros, 40);
  EXPECT_NEAR(statistics_of(matrix).frobenius, 7.04940146867, tolerance(1e-10));
  EXPECT_NEAR(statistics_of(matrix).sum.real(), 9.56610950493, tolerance(1e-10));
}

TEST(HarwellBoeing, BadFilesAreRefusedWithTheReason) {
  const std::string folder = "harwell_boeing/invalid/";
  expect_fault(folder + "pointers.hb", "pointers");
  expect_fault(folder + "elemental.hb", "elemental");
  expect_fault(folder + "row.hb", "entry");
  expect_fault(folder + "cut.hb", "truncated");
}

}  // namespace
}  // namespace femflex::importer

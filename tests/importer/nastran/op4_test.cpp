// Tests the reader and writer of NASTRAN OUTPUT4 files.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/op4_writer.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "raw_matrix.h"
#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::TemporaryFolder;

FileContents read(const std::filesystem::path& path) {
  Diagnostics diagnostics;
  return read_contents(path, {}, diagnostics);
}

/// About a third of all places filled with numbers of every size and sign, in runs.
RawMatrix random_matrix(std::int64_t rows, std::int64_t cols, bool is_complex, bool is_single) {
  std::mt19937_64 random(static_cast<std::uint64_t>(rows * 31 + cols));
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  RawMatrix matrix;
  matrix.name = is_complex ? "CPLX" : "RANDOM01";
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.is_complex = is_complex;
  matrix.is_single = is_single;
  const auto number = [&] {
    const double exponent = is_single ? 30.0 : 300.0;
    const double x = uniform(random) * std::pow(10.0, exponent * uniform(random));
    return is_single ? static_cast<double>(static_cast<float>(x)) : x;
  };
  std::vector<RawEntry> entries;
  bool filled = false;
  for (std::int32_t col = 0; col < cols; ++col)
    for (std::int32_t row = 0; row < rows; ++row) {
      if (uniform(random) > 0.4) filled = !filled;
      if (filled && col % 5 != 3)
        entries.push_back({row, col, number(), is_complex ? number() : 0.0});
    }
  set_entries(matrix, std::move(entries));
  return matrix;
}

void expect_equal(const RawMatrix& a, const RawMatrix& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.rows, b.rows);
  ASSERT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.is_complex, b.is_complex);
  std::int64_t different = 0;
  for (std::int64_t col = 0; col < a.cols; ++col)
    for (std::int64_t row = 0; row < a.rows; ++row)
      different += entry_of(a, row, col) != entry_of(b, row, col) ? 1 : 0;
  EXPECT_EQ(different, 0) << a.name;
}

struct Variant {
  const char* name;
  Op4Format format;
  bool single;
};

std::vector<Variant> variants() {
  using Layout = Op4Format::Layout;
  std::vector<Variant> all;
  for (const Layout layout : {Layout::dense, Layout::nonbigmat, Layout::bigmat}) {
    all.push_back({"ascii", {layout, true, false, 4}, false});
    for (const bool big : {false, true}) {
      all.push_back({"binary32", {layout, false, big, 4}, false});
      all.push_back({"binary32 single", {layout, false, big, 4}, true});
      all.push_back({"binary64", {layout, false, big, 8}, false});
    }
  }
  return all;
}

// Truth: the matrices that were written; equality of every bit.
TEST(Op4, WriteAndReadGivesEqualBitsInEveryVariant) {
  const TemporaryFolder folder;
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(variant.name);
    const std::vector<RawMatrix> written{random_matrix(23, 17, false, variant.single),
                                         random_matrix(12, 40, true, variant.single),
                                         random_matrix(1, 1, false, variant.single)};
    write_op4(written, variant.format, folder / "a.op4");
    EXPECT_EQ(detect_format(folder / "a.op4"), "op4");
    const FileContents contents = read(folder / "a.op4");
    EXPECT_EQ(contents.encoding, variant.format.ascii ? "ascii" : "binary");
    ASSERT_EQ(contents.matrices.size(), written.size());
    for (std::size_t k = 0; k < written.size(); ++k)
      expect_equal(written[k], contents.matrices[k]);
  }
}

// Truth: the format itself. 10,000,001 rows and columns need |I16 headers, and memory must follow
// the three entries.
TEST(Op4, TenMillionRowsAndColumnsCostOnlyTheirEntries) {
  const TemporaryFolder folder;
  RawMatrix big;
  big.name = "BIG";
  big.rows = 10'000'001;
  big.cols = 10'000'001;
  set_entries(big, {{0, 0, 1.0, 0.0}, {10'000'000, 4, -2.0, 0.0}, {5, 10'000'000, 3.0, 0.0}});
  for (const bool ascii : {false, true}) {
    Op4Format format;
    format.ascii = ascii;
    write_op4({&big, 1}, format, folder / "big.op4");
    const FileContents contents = read(folder / "big.op4");
    ASSERT_EQ(contents.matrices.size(), 1U);
    const RawMatrix& matrix = contents.matrices[0];
    EXPECT_EQ(matrix.rows, 10'000'001);
    EXPECT_EQ(matrix.col.size(), 3U);
    EXPECT_EQ(entry_of(matrix, 10'000'000, 4), -2.0);
    EXPECT_EQ(entry_of(matrix, 5, 10'000'000), 3.0);
  }
}

// Truth: Fortran's fixed columns (docs/formats/op4.md): header fields and values touch, D
// exponents, an exponent that lost its letter, CR LF, no last line end.
TEST(Op4, ReadsTouchingFieldsAndOldExponents) {
  const TemporaryFolder folder;
  testing::write_text(folder / "touch.op4",
                      "       2       3       2       21MAT    1P,3E16.9\r\n"
                      "       1       1       3\r\n"
                      "-1.000000000D+00-2.000000000E-02 3.00000000-101\r\n"
                      "       3       1       1\r\n"
                      " 1.0");
  const FileContents contents = read(folder / "touch.op4");
  ASSERT_EQ(contents.matrices.size(), 1U);
  const RawMatrix& matrix = contents.matrices[0];
  EXPECT_EQ(matrix.name, "1MAT");
  EXPECT_EQ(entry_of(matrix, 0, 0), -1.0);
  EXPECT_EQ(entry_of(matrix, 1, 0), -0.02);
  EXPECT_EQ(entry_of(matrix, 2, 0), 3e-101);
  EXPECT_EQ(entry_of(matrix, 2, 1), 0.0);
}

// A matrix ends with a column of the number after its last one; another number is a damaged header,
// behind which columns may follow.
TEST(Op4, AColumnBeyondTheEndIsRefused) {
  const TemporaryFolder folder;
  const std::string head =
      "       2       3       2       21MAT    1P,3E16.9\n       1       1       3\n";
  const std::string values = " 1.000000000E+00 2.000000000E+00 3.000000000E+00\n";
  testing::write_text(folder / "end.op4", head + values + "       3       1       1\n 1.0\n");
  EXPECT_EQ(read(folder / "end.op4").matrices.size(), 1U);
  testing::write_text(folder / "damaged.op4",
                      head + values + "       9       1       3\n" + values);
  EXPECT_EQ(testing::code_of([&] { (void)read(folder / "damaged.op4"); }), "op4-column");
}

// Truth: the contract that wrong input gives one typed error with its place.
TEST(Op4, SaysWhereAFileIsWrong) {
  const TemporaryFolder folder;
  testing::write_text(folder / "text.op4",
                      "       2       2       2       2KAA     1P,3E23.16\n"
                      "       1       1       2\n"
                      " 1.0000000000000000E+00             hello\n");
  try {
    read(folder / "text.op4");
    FAIL() << "text was read as a number";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "not-a-number");
    EXPECT_EQ(error.where().line, 3);
    EXPECT_EQ(error.where().record, "KAA");
  }
  testing::write_text(folder / "rows.op4",
                      "       2       2       2       2KAA     1P,3E23.16\n"
                      "       1       2       2\n"
                      " 1.0000000000000000E+00 1.0000000000000000E+00\n");
  try {
    read(folder / "rows.op4");
    FAIL() << "a run outside the matrix was read";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.code(), "op4-column");
    EXPECT_EQ(error.where().line, 2);
  }
}

// Truth: the layouts' own limits.
TEST(Op4, RefusesToWriteWhatALayoutCannotHold) {
  const TemporaryFolder folder;
  RawMatrix tall;
  tall.rows = 70'000;
  tall.cols = 1;
  set_entries(tall, {{0, 0, 1.0, 0.0}});
  EXPECT_THROW(
      write_op4({&tall, 1}, {Op4Format::Layout::nonbigmat, false, false, 4}, folder / "a.op4"),
      UsageError);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.op4"));
  RawMatrix named;  // names have eight characters; cut ones could be equal
  named.name = "STIFFNESS";
  named.rows = named.cols = 1;
  set_entries(named, {{0, 0, 1.0, 0.0}});
  EXPECT_THROW(write_op4({&named, 1}, {}, folder / "a.op4"), UsageError);
}

}  // namespace
}  // namespace femflex::importer

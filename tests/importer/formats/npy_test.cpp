// Tests the NPY format, the example of docs/how-to/add-a-format.md.
#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/importer/read_contents.h"
#include "femflex/importer/statistics.h"

#include "support/support.h"

namespace femflex::importer {
namespace {

using testing::data;

RawMatrix matrix_of(const std::string& name) {
  Diagnostics diagnostics;
  const FileContents contents = read_contents(data("npy/valid/" + name), {}, diagnostics);
  EXPECT_EQ(contents.format, "npy");
  EXPECT_TRUE(diagnostics.empty()) << name;
  return contents.matrices.at(0);
}

// Truth: the numbers that numpy.save() was given, K of three masses on springs.
TEST(Npy, RowsColumnsAndBothByteOrdersGiveTheSameNumbers) {
  for (const char* name : {"rows.npy", "columns.npy", "big_endian.npy"}) {
    const RawMatrix matrix = matrix_of(name);
    EXPECT_EQ(matrix.rows, 3) << name;
    EXPECT_EQ(entry_of(matrix, 0, 0).real(), 20.0) << name;
    EXPECT_EQ(entry_of(matrix, 2, 1).real(), -20.0) << name;
    EXPECT_EQ(entry_of(matrix, 2, 0).real(), 0.0) << name;
  }
  EXPECT_EQ(matrix_of("rows.npy").name, "rows");
  EXPECT_EQ(matrix_of("columns.npy").cols, 2);
}

TEST(Npy, HoldsComplexNumbersAndColumnsOfIntegers) {
  const RawMatrix complex = matrix_of("complex.npy");
  EXPECT_TRUE(complex.is_complex && complex.is_single);
  EXPECT_EQ(entry_of(complex, 1, 1), std::complex<double>(3.0, -4.0));
  const RawMatrix integers = matrix_of("integers.npy");
  EXPECT_EQ(integers.rows, 4);
  EXPECT_EQ(integers.cols, 1);
  EXPECT_EQ(entry_of(integers, 3, 0).real(), 3.0);
}

// Truth: what was done to each file, see data/npy/ORIGIN.md.
TEST(Npy, EachDamageIsNamed) {
  for (const auto& [name, code] : {std::pair{"three", "shape"},
                                   {"text", "type"},
                                   {"infinite", "not-finite"},
                                   {"short", "size"},
                                   {"header", "header"},
                                   {"claims_too_much", "size"},
                                   {"empty", "size"}}) {
    Diagnostics diagnostics;
    try {
      read_contents(data(std::string("npy/invalid/") + name + ".npy"), {}, diagnostics);
      FAIL() << name << " was read";
    } catch (const ParseError& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_GE(error.where().byte, 0) << name;
    }
  }
}

}  // namespace
}  // namespace femflex::importer

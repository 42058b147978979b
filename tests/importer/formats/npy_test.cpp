// Tests the NPY format, the example of docs/how-to/add-a-format.md.
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>
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

/// A file of this version with this header and no numbers, and where and why it is refused.
std::string told(int major, const std::string& header) {
  const testing::TemporaryFolder folder;
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(major);
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += std::string(major == 1 ? 1 : 3, '\0');
  testing::write_text(folder / "a.npy", bytes + header);
  Diagnostics diagnostics;
  try {
    read_contents(folder / "a.npy", {}, diagnostics);
  } catch (const ParseError& error) {
    return fmt::format("{} at {}", error.code(), error.where().byte);
  }
  return "read";
}

// Truth: the format: the dictionary begins at byte 10 in version 1, at 12 from version 2 on.
TEST(Npy, TheByteOfTheDictionaryIsThatOfTheVersion) {
  const auto header = [](const char* type, const char* shape) {
    return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}\n", type, shape);
  };
  for (const auto& [version, byte] : {std::pair{1, 10}, {2, 12}, {3, 12}}) {
    EXPECT_EQ(told(version, header("<U3", "(3, 4)")), fmt::format("type at {}", byte));
    EXPECT_EQ(told(version, header("<f8", "(3, 4, 2)")), fmt::format("shape at {}", byte));
    EXPECT_EQ(told(version, header("<f8", "(3, x)")), fmt::format("shape at {}", byte));
    EXPECT_EQ(told(version, "{}"), fmt::format("header at {}", byte));
  }
}

// Truth: the bytes are all there, but the rows are more than 2^31 - 1. The file is a hole.
TEST(Npy, MoreRowsThanAMatrixHasAreToldAsSuch) {
  const testing::TemporaryFolder folder;
  const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2147483648,), }\n";
  testing::write_text(
      folder / "tall.npy",
      std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header);
  std::filesystem::resize_file(folder / "tall.npy", 10 + header.size() + 2147483648U);
  Diagnostics diagnostics;
  EXPECT_EQ(testing::code_of([&] { read_contents(folder / "tall.npy", {}, diagnostics); }),
            "too-large");
}

}  // namespace
}  // namespace femflex::importer

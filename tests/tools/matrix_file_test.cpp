// Tests files with matrices for other programs. Truth: the reader of MATLAB files, and the layout
// of ZIP and NPY.
#include "document/matrix_file.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "femflex/errors.h"
#include "femflex/io/hdf5_file.h"
#include "femflex/io/mat5.h"

#include "support/support.h"

namespace femflex::tools {
namespace {

NamedMatrices some_matrices() {
  Eigen::MatrixXd A(2, 3);
  A << 0.1, -2.0, 1e-300, M_PI, 5.0, 1e17 + 1.0;
  return {{{"A", A}, {"none", Eigen::MatrixXd(0, 2)}}, {{"names", {"mode/1", "", "servo"}}}};
}

TEST(MatrixFile, MatlabReadsTheSameNumbers) {
  const NamedMatrices contents = some_matrices();
  const std::string bytes = mat5_bytes(contents);
  EXPECT_EQ(bytes.size() % 8, 0U);
  const io::MatFile file = io::read_mat5(bytes, "x.mat");
  ASSERT_EQ(file.arrays.size(), 2U);
  EXPECT_EQ(file.arrays[0].name, "A");
  EXPECT_EQ(file.arrays[0].rows, 2U);
  EXPECT_EQ(file.arrays[0].columns, 3U);
  const Eigen::MatrixXd& A = contents.matrices[0].second;
  EXPECT_EQ(std::memcmp(file.arrays[0].values.data(), A.data(), 6 * sizeof(double)), 0);
  EXPECT_EQ(file.arrays[1].columns, 2U);
  EXPECT_EQ(file.others, std::vector<std::string>{"names"});
}

TEST(MatrixFile, NumpyFindsEachMember) {
  const std::string bytes = npz_bytes(some_matrices());
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  for (const char* member : {"A.npy", "none.npy", "names.npy"})
    EXPECT_NE(bytes.find(member), std::string::npos) << member;
  EXPECT_NE(bytes.find("'<U6'"), std::string::npos);
  EXPECT_EQ(bytes.substr(bytes.size() - 22, 4), "PK\x05\x06");
}

// Truth: the layout of level 7.3: 512 bytes with the header of level 5, then HDF5, whose datasets
// have the extents of the transpose and a class each.
TEST(MatrixFile, Level73IsHdf5AfterItsHeader) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder / "x.mat";
  const NamedMatrices contents = some_matrices();
  write_matrices(contents, path, MatLevel::level_73);
  const std::string bytes = testing::read_text(path);
  EXPECT_EQ(bytes.substr(0, 19), "MATLAB 7.3 MAT-file");
  EXPECT_EQ(bytes.substr(124, 4), std::string("\x00\x02IM", 4));
  EXPECT_EQ(bytes.substr(512, 4), "\x89HDF");
  const io::Hdf5File file = io::Hdf5File::open(path);
  const Eigen::MatrixXd& A = contents.matrices[0].second;
  EXPECT_EQ(file.shape("/A"), (std::vector<std::uint64_t>{3, 2}));
  EXPECT_EQ(file.text_attribute("/A", "MATLAB_class"), "double");
  const std::vector<double> values = file.read_reals("/A");
  EXPECT_EQ(std::memcmp(values.data(), A.data(), 6 * sizeof(double)), 0);
  EXPECT_EQ(file.read_integers("/none"), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(file.integer_attribute("/none", "MATLAB_empty"), 1);
  EXPECT_EQ(file.text_attribute("/names", "MATLAB_class"), "char");
  EXPECT_EQ(file.shape("/names"), (std::vector<std::uint64_t>{6, 3}));
  EXPECT_EQ(file.read_integers("/names")[0], 'm');
  EXPECT_EQ(file.read_integers("/names")[2], 's');
}

/// Bytes of 16-bit or 32-bit numbers.
template <class Text>
std::string bytes_of(const Text& text) {
  return {reinterpret_cast<const char*>(text.data()), text.size() * sizeof text[0]};
}

// Truth: "MAT-File Format" of The MathWorks, tables 1-1 and 1-3 (type 17 is miUTF16, extents count
// 16-bit units), and UCS-4 of numpy. scipy 1.10 and Octave 7 read these bytes as written.
TEST(MatrixFile, WritesTextsOutsideAsciiAsUnicode) {
  const NamedMatrices contents = {{}, {{"names", {"größe/1", "力", "a😀b"}}}};
  const std::string level_5 = mat5_bytes(contents);
  const std::string size_head("\x05\0\0\0\x08\0\0\0", 8), utf16_head("\x11\0\0\0", 4);
  for (const auto& [text, units] :
       {std::pair<std::u16string, std::int32_t>(u"größe/1", 7), {u"力", 1}, {u"a😀b", 4}}) {
    const std::size_t at = level_5.find(bytes_of(text));
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(level_5.substr(at - 8, 4), utf16_head);
    std::int32_t extents[2] = {};
    std::memcpy(extents, level_5.data() + level_5.rfind(size_head, at) + 8, sizeof extents);
    EXPECT_EQ(extents[0], 1);
    EXPECT_EQ(extents[1], units);
  }
  const std::string npz = npz_bytes(contents);
  EXPECT_NE(npz.find("'<U7'"), std::string::npos);
  for (const char32_t* text : {U"größe/1", U"力", U"a😀b"})
    EXPECT_NE(npz.find(bytes_of(std::u32string(text))), std::string::npos);
}

// Truth: the matrix of characters by hand, column by column.
TEST(MatrixFile, Level73HoldsUnitsOfUtf16) {
  const testing::TemporaryFolder folder;
  write_matrices({{}, {{"names", {"größe", "力"}}}}, folder / "x.mat", MatLevel::level_73);
  const io::Hdf5File file = io::Hdf5File::open(folder / "x.mat");
  EXPECT_EQ(file.shape("/names"), (std::vector<std::uint64_t>{5, 2}));
  EXPECT_EQ(file.read_integers("/names"),
            (std::vector<std::int64_t>{'g', 0x529B, 'r', ' ', 0xF6, ' ', 0xDF, ' ', 'e', ' '}));
}

TEST(MatrixFile, OtherEndingsAreRefused) {
  EXPECT_THROW(write_matrices(some_matrices(), "x.txt"), UsageError);
}

}  // namespace
}  // namespace femflex::tools

// Matrices for other programs. Truth: the reader of MATLAB files, and the layout of ZIP and NPY.
#include "document/matrix_file.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "femflex/errors.h"

#include "document/mat_file.h"

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
  const MatFile file = read_mat5(bytes, "x.mat");
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

TEST(MatrixFile, OtherEndingsAreRefused) {
  EXPECT_THROW(write_matrices(some_matrices(), "x.txt"), UsageError);
}

}  // namespace
}  // namespace femflex::tools

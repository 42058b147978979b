// Tests sparse matrices: assembly, asymmetry and mirroring. Truth: dense sums.
#include "femflex/sparse.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "femflex/errors.h"

namespace femflex {
namespace {

// Truth: the same sums in a dense matrix.
TEST(Assemble, AddsEntriesThatFallOnOnePlaceAndDropsZeros) {
  std::mt19937 engine(1);
  std::uniform_int_distribution<int> place(0, 11);
  std::vector<Entry> entries{{3, 4, 2.0}, {3, 4, -2.0}};
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(12, 12);
  for (int k = 0; k < 300; ++k) {
    const Entry e{place(engine), place(engine), static_cast<double>(k)};
    if (e.row == 3 && e.col == 4) continue;
    entries.push_back(e);
    dense(e.row, e.col) += e.value;
  }
  const SparseMatrix a = assemble(12, 12, entries);
  EXPECT_EQ((Eigen::MatrixXd(a) - dense).cwiseAbs().maxCoeff(), 0.0);
  EXPECT_EQ(a.nonZeros(), (dense.array() != 0.0).count());
}

// A value that is not a number is not symmetric to anything, on the diagonal or beside it.
TEST(Asymmetry, OfValuesThatAreNotNumbersIsNotANumber) {
  const double nan = std::nan("");
  for (const std::vector<Entry>& entries :
       {std::vector<Entry>{{0, 0, nan}, {1, 1, 2.0}},
        std::vector<Entry>{{0, 0, 1.0}, {1, 0, nan}, {0, 1, nan}},
        std::vector<Entry>{{0, 1, 3.0}, {1, 0, 3.0}, {2, 1, nan}}})
    EXPECT_TRUE(std::isnan(asymmetry(assemble(3, 3, entries)).relative));
  EXPECT_EQ(asymmetry(assemble(2, 2, {{0, 1, 3.0}, {1, 0, 3.0}})).relative, 0.0);
  EXPECT_EQ(asymmetry(assemble(2, 2, {})).relative, 0.0);
}

TEST(Assemble, RefusesAnIndexOutsideTheMatrix) {
  EXPECT_THROW(assemble(2, 2, {{2, 0, 1.0}}), ModelError);
}

TEST(Asymmetry, NamesThePlaceOfTheWorstPair) {
  const SparseMatrix a = assemble(3, 3, {{0, 0, 10.0}, {1, 2, 1.0}, {2, 1, 1.5}});
  const Asymmetry worst = asymmetry(a);
  EXPECT_DOUBLE_EQ(worst.relative, 0.05);
  EXPECT_EQ(worst.row + worst.col, 3);
}

TEST(Mirrored, GivesBackBothTriangles) {
  const SparseMatrix full = assemble(3, 3, {{0, 0, 4.0}, {1, 0, -1.0}, {0, 1, -1.0}, {2, 2, 3.0}});
  EXPECT_EQ((Eigen::MatrixXd(mirrored(lower_triangle(full))) - Eigen::MatrixXd(full)).norm(), 0.0);
}

}  // namespace
}  // namespace femflex

// Tests the memory and the kernels of the dense matrices inside a sparse factorisation.
#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <gtest/gtest.h>

#include "dense/array_pool.h"
#include "dense/packed_triangle.h"
#include "dense/panel.h"

namespace femflex::modal {
namespace {

// Truth: an array on loan keeps what was written at its ends, whatever is taken and given back.
TEST(ArrayPool, ArraysOnLoanDoNotOverlap) {
  struct Loan {
    ArrayPool::Array array;
    std::int64_t count;
    double mark;
  };
  ArrayPool pool;
  std::vector<Loan> loans;
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int64_t> size(60'000, 400'000);  // some are small
  for (int step = 0; step < 3000; ++step) {
    const bool takes = loans.empty() || (loans.size() < 60 && random() % 2 == 0);
    if (takes) {
      const std::int64_t count = size(random);
      Loan loan{pool.take(count), count, static_cast<double>(step)};
      loan.array.data[0] = loan.array.data[count - 1] = loan.mark;
      loans.push_back(std::move(loan));
      continue;
    }
    std::swap(loans[random() % loans.size()], loans.back());
    Loan loan = std::move(loans.back());
    loans.pop_back();
    ASSERT_EQ(loan.array.data[0], loan.mark);
    ASSERT_EQ(loan.array.data[loan.count - 1], loan.mark);
    pool.give_back(std::move(loan.array));
  }
}

// Truth: memory given back is the first to be lent again, also where neighbours came back apart.
TEST(ArrayPool, LendsTheSameMemoryAgain) {
  constexpr std::int64_t kCount = 100'000;
  ArrayPool pool;
  ArrayPool::Array a = pool.take(kCount), b = pool.take(kCount), c = pool.take(kCount);
  double* const first = a.data;
  pool.give_back(std::move(a));
  pool.give_back(std::move(c));
  pool.give_back(std::move(b));
  ArrayPool::Array all = pool.take(3 * kCount);
  EXPECT_EQ(all.data, first);
  pool.give_back(std::move(all));
}

// Truth: the number of entries on and below the diagonal, and one place for each.
TEST(PackedTriangle, EveryEntryHasItsOwnPlace) {
  for (const std::int64_t n : {1, 2, 255, 256, 257, 600}) {
    std::vector<double> memory(static_cast<std::size_t>(PackedTriangle<double>::entries(n)));
    const PackedTriangle<double> triangle{memory.data(), n};
    std::set<const double*> places;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = j; i < n; ++i)
        places.insert(triangle.column(j) + i);
    EXPECT_EQ(static_cast<std::int64_t>(places.size()), n * (n + 1) / 2);
    EXPECT_GE(*places.begin(), memory.data());
    EXPECT_LT(*places.rbegin(), memory.data() + memory.size());
  }
}

/// Largest difference of C - B S B' by the kernel and by Eigen, entry by entry.
template <typename Number>
double subtraction_error(int below, int width, const std::vector<std::int8_t>& sign) {
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  Matrix values = Matrix::Random(width + below, width);
  const Matrix before = Matrix::Random(below, below);
  std::vector<Number> memory(static_cast<std::size_t>(PackedTriangle<Number>::entries(below)));
  const PackedTriangle<Number> C{memory.data(), below};
  for (int j = 0; j < below; ++j)
    for (int i = j; i < below; ++i)
      C.column(j)[i] = before(i, j);
  const auto negative = static_cast<int>(std::count(sign.begin(), sign.end(), -1));
  subtract_square<Number>({values.data(), width, below}, sign.data(), negative, C);
  Eigen::MatrixXd signs = Eigen::MatrixXd::Zero(width, width);
  for (int j = 0; j < width; ++j)
    signs(j, j) = sign[static_cast<std::size_t>(j)];
  const Eigen::MatrixXd B = values.bottomRows(below).template cast<double>();
  const Eigen::MatrixXd expected = before.template cast<double>() - B * signs * B.transpose();
  double worst = 0.0;
  for (int j = 0; j < below; ++j)
    for (int i = j; i < below; ++i)
      worst = std::max(worst, std::abs(static_cast<double>(C.column(j)[i]) - expected(i, j)));
  return worst;
}

// Truth: the product by Eigen; no, few, many and only negative signs; one strip, whole strips, and
// a rest.
TEST(SubtractSquare, IsTheProductOfTheRowsBelow) {
  constexpr int kWidth = 40;
  for (const int below : {0, 1, 100, 256, 512, 600})
    for (const int period : {0, 10, 2, 1}) {  // every period-th sign is negative
      std::vector<std::int8_t> sign(kWidth, 1);
      for (int j = 0; j < kWidth && period > 0; j += period)
        sign[static_cast<std::size_t>(j)] = -1;
      EXPECT_LT(subtraction_error<double>(below, kWidth, sign), 1e-13) << below << " " << period;
      EXPECT_LT(subtraction_error<float>(below, kWidth, sign), 1e-4) << below << " " << period;
    }
}

}  // namespace
}  // namespace femflex::modal

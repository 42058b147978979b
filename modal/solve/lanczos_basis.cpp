// The basis of a Lanczos method in the memory of one process.
#include "solve/lanczos_basis.h"

#include <algorithm>
#include <cstddef>

#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"

namespace femflex::modal {

using Eigen::Index;
using Eigen::MatrixXd;

void rotate_rows(MatrixXd& V, const MatrixXd& Y, int threads) {
  constexpr Index slice = 4096;
  const auto slices = static_cast<int>((V.rows() + slice - 1) / slice);
  run_parallel(threads, slices, [&](int k) {
    const Index first = k * slice;
    const Index rows = std::min(slice, V.rows() - first);
    MatrixXd part = MatrixXd::Zero(rows, Y.cols());
    add_product(part, V.block(first, 0, rows, Y.rows()), Y);
    V.block(first, 0, rows, Y.cols()) = part;
  });
}

LanczosBasis::Matrix LanczosBasis::remove_twice(Matrix& W, Index from, Index end, Matrix& near) {
  near = remove(W, from, end - from);
  Matrix C = remove(W, 0, end);
  C.bottomRows(end - from) += near;
  return C;
}

LocalBasis::LocalBasis(Index rows, Index columns, int threads)
    : V_(rows, columns), MV_(rows, columns), threads_(threads) {}

void LocalBasis::fill(Matrix& columns, LargePages& pages, Index at, const Matrix& block) {
  const auto bytes_of = [&columns](Index count) {
    return static_cast<std::size_t>(columns.rows() * count) * sizeof(double);
  };
  pages.ask(columns.data(), bytes_of(columns.cols()), bytes_of(at), bytes_of(block.cols()));
  columns.middleCols(at, block.cols()) = block;
}

void LocalBasis::store(Index at, const Matrix& block, const Matrix& M_block) {
  fill(V_, V_pages_, at, block);
  fill(MV_, MV_pages_, at, M_block);
}

LocalBasis::Matrix LocalBasis::coefficients(const Matrix& W, Index from, Index count) const {
  return tall_transposed_product(MV_.middleCols(from, count), W, threads_);
}

void LocalBasis::subtract(Matrix& W, Index from, const Matrix& C) const {
  add_tall_product(W, V_.middleCols(from, C.rows()), C, -1.0, threads_);
}

LocalBasis::Matrix LocalBasis::remove(Matrix& W, Index from, Index count) {
  const Matrix C = coefficients(W, from, count);
  subtract(W, from, C);
  return C;
}

void LocalBasis::rotate(const Matrix& Y) {
  rotate_rows(V_, Y, threads_);
  rotate_rows(MV_, Y, threads_);
}

void LocalBasis::move(Index to, Index from, Index count) {
  V_.middleCols(to, count) = V_.middleCols(from, count).eval();
  MV_.middleCols(to, count) = MV_.middleCols(from, count).eval();
}

LocalBasis::Matrix LocalBasis::combine(Index from, const Matrix& Y) {
  Matrix X(V_.rows(), Y.cols());
  set_tall_product(X, V_.middleCols(from, Y.rows()), Y, threads_);
  return X;
}

void LocalBasis::drop_products() {
  MV_.resize(0, 0);
}

}  // namespace femflex::modal

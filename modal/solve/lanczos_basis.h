// LanczosBasis: the vectors of a Lanczos method, by far the most memory beside the factor.
#pragma once

#include <Eigen/Core>

#include "femflex/large_pages.h"

namespace femflex::modal {

/// An M-orthonormal basis V, and M V, both filled column by column.
class LanczosBasis {
 public:
  using Matrix = Eigen::MatrixXd;
  using Index = Eigen::Index;

  LanczosBasis() = default;
  LanczosBasis(const LanczosBasis&) = delete;
  LanczosBasis& operator=(const LanczosBasis&) = delete;
  LanczosBasis(LanczosBasis&&) = delete;
  LanczosBasis& operator=(LanczosBasis&&) = delete;
  virtual ~LanczosBasis() = default;

  /// Writes a block of columns of V, and M times it, from column `at` on.
  virtual void store(Index at, const Matrix& block, const Matrix& M_block) = 0;
  /// W <- W - Q C with C = (M Q)' W, which it returns; Q are `count` columns from `from` on.
  virtual Matrix remove(Matrix& W, Index from, Index count) = 0;
  /// remove() of the columns from `from` to `end`, then of all columns up to `end`, against
  /// round-off. Returns both coefficients, added: C of all columns up to `end`.
  /// @param near  C of the first removal
  virtual Matrix remove_twice(Matrix& W, Index from, Index end, Matrix& near);
  /// V <- V Y and M V <- M V Y, for the first Y.rows() columns, which become Y.cols().
  virtual void rotate(const Matrix& Y) = 0;
  /// Moves `count` columns to lower places.
  virtual void move(Index to, Index from, Index count) = 0;
  /// Q Y, where Q are Y.rows() columns of V from `from` on.
  virtual Matrix combine(Index from, const Matrix& Y) = 0;
  /// Frees M V, which is not used any more.
  virtual void drop_products() = 0;
};

/// V <- V Y in place, for the first Y.rows() columns of V, which become Y.cols().
void rotate_rows(Eigen::MatrixXd& V, const Eigen::MatrixXd& Y, int threads);

/// The basis on this process, or the rows of it that this process holds.
class LocalBasis : public LanczosBasis {
 public:
  LocalBasis(Index rows, Index columns, int threads);
  void store(Index at, const Matrix& block, const Matrix& M_block) override;
  Matrix remove(Matrix& W, Index from, Index count) override;
  void rotate(const Matrix& Y) override;
  void move(Index to, Index from, Index count) override;
  Matrix combine(Index from, const Matrix& Y) override;
  void drop_products() override;

  /// The two halves of remove(): C of these rows, and W <- W - Q C.
  Matrix coefficients(const Matrix& W, Index from, Index count) const;
  void subtract(Matrix& W, Index from, const Matrix& C) const;

 private:
  /// Columns of V or of M V from `at` on become these; the basis is large and filled bit by bit.
  static void fill(Matrix& columns, LargePages& pages, Index at, const Matrix& block);

  Matrix V_, MV_;
  LargePages V_pages_, MV_pages_;
  int threads_;
};

}  // namespace femflex::modal

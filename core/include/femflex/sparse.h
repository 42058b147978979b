// Assembles sparse matrices with 32-bit indices, checks their symmetry, converts their storage.
#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

namespace femflex {

/// Column-compressed with 32-bit indices, which take half the memory traffic of 64-bit ones. A
/// matrix that is assembled has less than 2^31 - 1 non-zeros; mirroring needs half as many or less.
/// Symmetric matrices hold the lower triangle and are used through selfadjointView<Eigen::Lower>().
using SparseMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::int32_t>;

/// One stored entry, 0-based.
struct Entry {
  std::int64_t row = 0;
  std::int64_t col = 0;
  double value = 0.0;
};

/// Sorts the entries, adds those at the same position, drops sums that are exactly zero.
/// @throws ModelError  an index outside (rows x cols), or more non-zeros than 32-bit indices hold
SparseMatrix assemble(std::int64_t rows, std::int64_t cols, const std::vector<Entry>& entries);

/// Largest entry of |A - A'| over that of |A|, and where it is (0-based); NaN if A holds a NaN.
struct Asymmetry {
  double relative = 0.0;
  std::int64_t row = 0;
  std::int64_t col = 0;
};
Asymmetry asymmetry(const SparseMatrix& full);

/// Lower triangle of (A + A')/2 of a matrix stored with both triangles.
SparseMatrix lower_triangle(const SparseMatrix& full);

/// Both triangles of a symmetric matrix stored by its lower one.
SparseMatrix mirrored(const SparseMatrix& lower);

}  // namespace femflex

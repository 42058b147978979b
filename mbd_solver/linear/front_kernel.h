// FrontKernel: dense elimination and substitution on one front of a BlockFactor, specialised by
// size.
#pragma once

namespace femflex::mbd_solver {

/// The operations on a dense front of w rows, of which the first s are pivot rows. For the sizes of
/// chains and loops of rigid bodies, the loop lengths are compile-time constants.
struct FrontKernel {
  /// Factors the first s rows and columns of F (w x w, row-major) as LU with row exchanges among
  /// these s rows. Each pivot is replaced by its inverse; the last w - s rows and columns are
  /// replaced by their Schur complement.
  /// @param permutation  receives the row exchanged with each pivot row (s numbers)
  /// @param pivots       receives the absolute value of each pivot (s numbers)
  /// @return false if a pivot does not exceed `min_pivot` or is not finite; F is then unusable
  bool (*eliminate)(double* F, int s, int w, int* permutation, double* pivots, double min_pivot);
  /// Forward substitution: b becomes L^-1 b in the rows of the front.
  /// @param rows  index in b of each row of the front; the indices of pivot rows are consecutive
  void (*forward)(
      const double* F, int s, int w, const int* permutation, const int* rows, double* b);
  /// Backward substitution: b becomes U^-1 b in the pivot rows.
  /// @param x  scratch of w numbers
  void (*backward)(const double* F, int s, int w, const int* rows, double* b, double* x);
};

/// The operations for fronts of w rows with s pivots, specialised for this size if it is common.
FrontKernel front_kernel(int s, int w);

}  // namespace femflex::mbd_solver

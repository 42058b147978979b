#pragma once

namespace femflex::mbd_solver {

/// The operations on a dense front of w rows, s of which are pivot rows. For the sizes that occur
/// in chains and loops of rigid bodies they are compiled with fixed loop lengths.
struct FrontKernel {
  /// LU of the first s rows and columns of F (w x w, row-major), rows swapped within the s, pivots
  /// inverted in place. The Schur complement replaces the rest of F.
  /// @return false if a pivot is not above `least`, or is not a number
  bool (*eliminate)(double* F, int s, int w, int* permutation, double* pivots, double least);
  /// b becomes L^-1 b in the rows of the front.
  void (*forward)(
      const double* F, int s, int w, const int* permutation, const int* rows, double* b);
  /// b becomes U^-1 b in the pivot rows; x holds w numbers.
  void (*backward)(const double* F, int s, int w, const int* rows, double* b, double* x);
};

FrontKernel front_kernel(int s, int w);

}  // namespace femflex::mbd_solver

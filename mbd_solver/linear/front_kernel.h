#pragma once

namespace femflex::mbd_solver {

/// What a dense front of w rows, s of them pivots, needs; for the sizes that chains and loops of
/// rigid bodies have, in a form whose loops the compiler knows.
struct FrontKernel {
  /// LU of the first s rows and columns of F (w x w, rows one after another), rows swapped within
  /// the s, pivots inverted in place. The Schur complement replaces the rest of F.
  /// @return false where a pivot is not above `least`, or not a number
  bool (*eliminate)(double* F, int s, int w, int* permutation, double* pivots, double least);
  /// b becomes L^-1 b in the rows of the front.
  void (*forward)(
      const double* F, int s, int w, const int* permutation, const int* rows, double* b);
  /// b becomes U^-1 b in the pivot rows; x holds w numbers.
  void (*backward)(const double* F, int s, int w, const int* rows, double* b, double* x);
};

FrontKernel front_kernel(int s, int w);

}  // namespace femflex::mbd_solver

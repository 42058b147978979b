// Values of a matrix polynomial R(s) = A_0 + A_1 s + ... + A_d s^d at one s.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "femflex/sparse.h"

namespace femflex::substructure {

using ComplexSparse = Eigen::SparseMatrix<std::complex<double>, Eigen::ColMajor, std::int32_t>;

/// R(s), compressed.
/// @param A  square matrices of one size, A_k at index k, at least one
ComplexSparse sparse_value(const std::vector<SparseMatrix>& A, std::complex<double> s);
SparseMatrix sparse_value(const std::vector<SparseMatrix>& A, double s);
/// The same, dense; empty without matrices.
Eigen::MatrixXcd dense_value(const std::vector<SparseMatrix>& A, std::complex<double> s);

}  // namespace femflex::substructure

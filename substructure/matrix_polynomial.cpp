// Sums the terms A_k s^k in ascending order of k.
#include "matrix_polynomial.h"

namespace femflex::substructure {
namespace {

template <typename Scalar>
Eigen::SparseMatrix<Scalar, Eigen::ColMajor, std::int32_t> sum_of_terms(
    const std::vector<SparseMatrix>& A, Scalar s) {
  using Sparse = Eigen::SparseMatrix<Scalar, Eigen::ColMajor, std::int32_t>;
  Sparse R(A.front().rows(), A.front().cols());
  Scalar power = 1.0;
  for (const SparseMatrix& a : A) {
    Sparse term = a.cast<Scalar>();
    term *= power;
    R += term;
    power *= s;
  }
  R.makeCompressed();
  return R;
}

}  // namespace

ComplexSparse sparse_value(const std::vector<SparseMatrix>& A, std::complex<double> s) {
  return sum_of_terms<std::complex<double>>(A, s);
}

SparseMatrix sparse_value(const std::vector<SparseMatrix>& A, double s) {
  return sum_of_terms<double>(A, s);
}

Eigen::MatrixXcd dense_value(const std::vector<SparseMatrix>& A, std::complex<double> s) {
  const Eigen::Index n = A.empty() ? 0 : A.front().rows();
  Eigen::MatrixXcd R = Eigen::MatrixXcd::Zero(n, n);
  std::complex<double> power = 1.0;
  for (const SparseMatrix& a : A) {
    for (Eigen::Index j = 0; j < a.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(a, j); it; ++it)
        R(it.row(), j) += power * it.value();
    power *= s;
  }
  return R;
}

}  // namespace femflex::substructure

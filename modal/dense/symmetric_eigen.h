#pragma once

#include <Eigen/Core>

namespace femflex::modal {

/// Eigenpairs by rising value.
struct DenseEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool ok = true;
};

/// Solves A x = lambda x for a symmetric A (lower triangle read). Uses LAPACK where built in.
DenseEigen symmetric_eigen(Eigen::MatrixXd A);

/// k x = lambda m x with x' m x = 1; `ok` is false where m is not positive definite.
DenseEigen generalised_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);

/// A' B through BLAS where built in: Eigen's own product uses only the oldest vector units.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& B);

/// C += factor A B, also through BLAS.
void add_product(Eigen::Ref<Eigen::MatrixXd> C,
                 const Eigen::Ref<const Eigen::MatrixXd>& A,
                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                 double factor = 1.0);

/// Sets the number of threads that BLAS may use; the destructor restores the previous number. Does
/// nothing if BLAS is not built in. One thread is for work spread over femflex's own threads: those
/// of BLAS would wait for the next call in busy loops, on the cores that the work needs.
class DenseThreads {
 public:
  explicit DenseThreads(int threads);
  ~DenseThreads();
  DenseThreads(const DenseThreads&) = delete;
  DenseThreads& operator=(const DenseThreads&) = delete;
  DenseThreads(DenseThreads&&) = delete;
  DenseThreads& operator=(DenseThreads&&) = delete;

 private:
  int before_ = 1;
};

}  // namespace femflex::modal

#pragma once

#include <Eigen/Core>

namespace femflex::modal {

/// Eigenpairs by rising value.
struct DenseEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
  bool ok = true;
};

/// A x = lambda x, A symmetric (lower triangle read). Through LAPACK where built in.
DenseEigen symmetric_eigen(Eigen::MatrixXd A);

/// k x = lambda m x with x' m x = 1; `ok` is false where m is not positive definite.
DenseEigen generalised_eigen(const Eigen::MatrixXd& k, const Eigen::MatrixXd& m);

/// A' B through BLAS where built in: Eigen alone knows only the oldest vector units.
Eigen::MatrixXd transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                   const Eigen::Ref<const Eigen::MatrixXd>& B);

/// C += factor A B, the same way.
void add_product(Eigen::Ref<Eigen::MatrixXd> C,
                 const Eigen::Ref<const Eigen::MatrixXd>& A,
                 const Eigen::Ref<const Eigen::MatrixXd>& B,
                 double factor = 1.0);

/// Threads that BLAS may use; nothing where it is not built in.
void set_dense_threads(int threads);

/// Keeps the BLAS on one thread while it lives: its own threads would wait for the next call in
/// busy loops, on the cores that ours need.
class OneDenseThread {
 public:
  explicit OneDenseThread(int threads_after) : after_(threads_after) { set_dense_threads(1); }
  ~OneDenseThread() { set_dense_threads(after_); }
  OneDenseThread(const OneDenseThread&) = delete;
  OneDenseThread& operator=(const OneDenseThread&) = delete;
  OneDenseThread(OneDenseThread&&) = delete;
  OneDenseThread& operator=(OneDenseThread&&) = delete;

 private:
  int after_;
};

}  // namespace femflex::modal

// Multiplies matrices with very many rows and few columns, on several threads.
#pragma once

#include <Eigen/Core>

namespace femflex::modal {

// BLAS first copies its operands into blocks, which takes longer than such a product itself. Rows
// are split into pieces whose size does not depend on the number of threads, so the results do not
// depend on it either.

/// A' B.
Eigen::MatrixXd tall_transposed_product(const Eigen::Ref<const Eigen::MatrixXd>& A,
                                        const Eigen::Ref<const Eigen::MatrixXd>& B,
                                        int threads);

/// C <- A Y with a small Y. C and A must not overlap.
void set_tall_product(Eigen::Ref<Eigen::MatrixXd> C,
                      const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& Y,
                      int threads);

/// C <- C + factor A Y with a small Y. C and A must not overlap.
void add_tall_product(Eigen::Ref<Eigen::MatrixXd> C,
                      const Eigen::Ref<const Eigen::MatrixXd>& A,
                      const Eigen::Ref<const Eigen::MatrixXd>& Y,
                      double factor,
                      int threads);

}  // namespace femflex::modal

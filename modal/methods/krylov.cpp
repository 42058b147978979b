// Computes the shapes of a Krylov reduction block by block. Each block is the static solution under
// M times the previous block, made M-orthonormal by Gram-Schmidt.
#include "methods/krylov.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "solve/projection.h"

namespace femflex::modal {
namespace {

// Gram-Schmidt passes: two give orthogonality [Parlett 1998], one in reserve
constexpr int kKrylovPasses = 3;
// largest remaining share of a vector that counts as dependent on the others
constexpr double kKrylovDependent = 1e-10;

}  // namespace

Eigen::MatrixXd krylov_vectors(const SparseMatrix& M,
                               const std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>& solve,
                               const Eigen::MatrixXd& start,
                               const Eigen::MatrixXd& inputs,
                               std::int64_t steps,
                               Progress& progress) {
  Eigen::MatrixXd basis = start;
  Eigen::MatrixXd next = inputs;
  for (std::int64_t step = 0; step < steps; ++step) {
    progress.step(static_cast<double>(step));
    next = solve(next);
    const Eigen::Index known = basis.cols();
    for (Eigen::Index j = 0; j < next.cols(); ++j) {
      Eigen::VectorXd x = next.col(j);
      const Eigen::VectorXd Mx0 = symmetric_product(M, x);
      const double before = std::sqrt(std::max(0.0, x.dot(Mx0)));
      if (!(before > 0.0)) continue;
      double length = 0.0;
      for (int pass = 0; pass < kKrylovPasses; ++pass) {
        const Eigen::VectorXd Mx = symmetric_product(M, x);
        x -= basis * (basis.transpose() * Mx);
        length = std::sqrt(std::max(0.0, x.dot(symmetric_product(M, x).col(0))));
        if (!(length > kKrylovDependent * before)) break;
      }
      if (!(length > kKrylovDependent * before)) continue;
      x /= length;
      basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
      basis.rightCols<1>() = x;
    }
    if (basis.cols() == known) break;
    next = symmetric_product(M, basis.rightCols(basis.cols() - known));
  }
  return basis;
}

Basis krylov_basis(const FeModel& model,
                   const ReduceOptions& options,
                   Diagnostics& diagnostics,
                   Progress& progress,
                   ReduceReport& report) {
  if (options.krylov <= 0)
    throw UsageError("krylov",
                     fmt::format("{} Krylov vectors per input were requested", options.krylov),
                     {},
                     "give at least 1 (--krylov)");
  ModeRequest request;
  request.krylov = options.krylov;
  request.solve = options.solve;
  return computed_basis(model, request, diagnostics, progress, report);
}

}  // namespace femflex::modal

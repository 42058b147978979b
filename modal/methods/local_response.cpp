// Computes the response of a sparse model at one frequency: projects K - s M on a Krylov space
// built at a nearby real shift, and enlarges that space until the response no longer changes.
#include "methods/local_response.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/memory.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

/// Orthonormal columns that span the columns of X without their share along V; columns that are
/// only round-off are dropped.
Eigen::MatrixXd new_directions(const Eigen::Ref<const Eigen::MatrixXd>& V, Eigen::MatrixXd X) {
  constexpr double kZeroSquaredLength = 1e-13;  // relative squared length that counts as zero
  for (int pass = 0; pass < 2; ++pass) {
    for (Eigen::Index j = 0; j < X.cols(); ++j)
      if (const double length = X.col(j).norm(); length > 0.0) X.col(j) /= length;
    if (V.cols() > 0) add_tall_product(X, V, tall_transposed_product(V, X, 1), -1.0, 1);
    const DenseEigen gram = symmetric_eigen(tall_transposed_product(X, X, 1));
    Eigen::Index first = 0;
    while (first < gram.values.size() && !(gram.values(first) > kZeroSquaredLength))
      ++first;
    const Eigen::Index kept = gram.values.size() - first;
    X = X * (gram.vectors.rightCols(kept) *
             gram.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal());
  }
  return X;
}

/// A^-1 B with A = K - tau M, whose factorisation is kept in `factor`. tau is w^2 or near it, but
/// not too close to an eigenvalue, because A^-1 B would then contain only the shape of that mode.
Eigen::MatrixXd solutions_near(ShiftedFactor& factor, const Eigen::MatrixXd& B, double w2) {
  constexpr int kTrials = 4;          // number of shifts tried near w^2
  constexpr double kStep = 2e-3;      // distance between them, relative to w^2
  constexpr double kTooClose = 1e-4;  // smallest relative distance of a Rayleigh quotient from tau
  Eigen::MatrixXd X;
  double tau = w2;
  for (int attempt = 1;; ++attempt) {
    const bool last = attempt > kTrials || w2 == 0.0;  // nothing is near zero on the scale of w^2
    const bool is_factored = factor.at(tau);
    if (w2 == 0.0 && !is_factored)
      throw NumericalError("singular",
                           "K is singular: at 0 Hz a part that can move has no finite response",
                           {},
                           "begin the band above 0 Hz, or hold the part");
    if (last && !is_factored)
      throw NumericalError("singular",
                           fmt::format("K - s M is singular at s = {:.6g} and at every shift tried "
                                       "near it",
                                       w2),
                           {},
                           "choose another sparse back end, or narrow the band");
    if (is_factored) {
      X = B;
      factor.solve(X);
      if (last) return X;
      Eigen::Index largest = 0;
      X.colwise().squaredNorm().maxCoeff(&largest);
      const Eigen::MatrixXd x = X.col(largest);
      const double strain = x.col(0).dot(symmetric_product(factor.K(), x).col(0));
      const double motion = x.col(0).dot(symmetric_product(factor.M(), x).col(0));
      if (!(std::abs(strain - tau * motion) < kTooClose * tau * motion)) return X;
    }
    tau = w2 * (1.0 + kStep * attempt);
  }
}

/// The pencil projected on directions that are added block by block.
class GrowingProjection {
 public:
  GrowingProjection(const SparseMatrix& K, const SparseMatrix& M, const Eigen::MatrixXd& B)
      : K_(K), M_(M), B_(B), V_(B.rows(), 0), b_(0, B.cols()) {}

  /// Adds the directions of X that are new; returns them, orthonormal.
  Eigen::MatrixXd add(Eigen::MatrixXd X) {
    X = new_directions(directions(), std::move(X));
    const Eigen::Index before = size_;
    const Eigen::Index now = before + X.cols();
    // room for half as many more, so that V is not copied for every block
    if (now > V_.cols()) V_.conservativeResize(Eigen::NoChange, now + now / 2);
    V_.middleCols(before, X.cols()) = X;
    size_ = now;
    grow(k_, tall_transposed_product(directions(), symmetric_product(K_, X), 1));
    grow(m_, tall_transposed_product(directions(), symmetric_product(M_, X), 1));
    b_.conservativeResize(now, Eigen::NoChange);
    b_.bottomRows(X.cols()) = tall_transposed_product(X, B_, 1);
    return X;
  }
  Eigen::MatrixXcd response(std::complex<double> s) const {
    if (size_ == 0) return Eigen::MatrixXcd::Zero(b_.cols(), b_.cols());
    Eigen::MatrixXcd Z = k_.cast<std::complex<double>>();
    Z -= s * m_;
    const Eigen::MatrixXcd b = b_.cast<std::complex<double>>();
    return b.transpose() * Z.partialPivLu().solve(b);
  }
  Eigen::Index size() const { return size_; }

 private:
  Eigen::Ref<const Eigen::MatrixXd> directions() const { return V_.leftCols(size_); }

  /// Enlarges a symmetric matrix. @param columns  its new columns, from the first row to the last
  static void grow(Eigen::MatrixXd& a, const Eigen::MatrixXd& columns) {
    const Eigen::Index now = columns.rows();
    const Eigen::Index before = a.rows();
    a.conservativeResize(now, now);
    a.rightCols(now - before) = columns;
    a.bottomLeftCorner(now - before, before) = columns.topRows(before).transpose();
  }
  const SparseMatrix& K_;
  const SparseMatrix& M_;
  const Eigen::MatrixXd& B_;
  Eigen::MatrixXd V_;      // the directions, and room for more
  Eigen::Index size_ = 0;  // number of directions
  Eigen::MatrixXd k_, m_, b_;
};

}  // namespace

Eigen::MatrixXcd local_response(ShiftedFactor& factor,
                                const Eigen::MatrixXd& B,
                                const Eigen::VectorXd& scale,
                                double w2,
                                std::complex<double> s) {
  // converged when the relative change per block is below this
  constexpr double kConverged = 1e-11;
  constexpr double kMaxDirections = 4000.0;  // dense matrices of them are solved for every block
  // of what is left, for the directions; while they get more room, 2.5 times their memory is taken
  constexpr double kShareOfMemory = 0.4;
  const double fit = kShareOfMemory * std::max(0.0, memory_limit() - resident_memory()) /
                     (sizeof(double) * static_cast<double>(std::max<Eigen::Index>(1, B.rows())));
  const double most = std::min(kMaxDirections, fit);
  const Eigen::VectorXd d =
      scale.unaryExpr([](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 0.0; });
  GrowingProjection space(factor.K(), factor.M(), B);
  Eigen::MatrixXd X = solutions_near(factor, B, w2);
  Eigen::MatrixXcd response;
  for (int unchanged = 0;;) {
    X = space.add(std::move(X));
    const Eigen::MatrixXcd next = space.response(s);
    if (X.cols() == 0) return next;
    // one block without change may be chance: two end the search
    if (response.size() > 0) {
      const double change = (d.asDiagonal() * (next - response) * d.asDiagonal()).norm();
      const double size = (d.asDiagonal() * next * d.asDiagonal()).norm();
      unchanged = change <= kConverged * size ? unchanged + 1 : 0;
    }
    response = next;
    if (unchanged == 2) return response;
    if (static_cast<double>(space.size() + X.cols()) > most)
      throw NumericalError(
          "no-convergence",
          fmt::format("the frequency response does not converge with {} directions around one "
                      "frequency{}",
                      space.size(),
                      most < kMaxDirections ? "; more do not fit into memory" : ""),
          {},
          "narrow the band, or take fewer interface nodes");
    X = symmetric_product(factor.M(), X);
    factor.solve(X);
  }
}

}  // namespace femflex::modal

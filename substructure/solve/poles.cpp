// Computes all poles of a part (the s at which its dynamic stiffness R(s) is singular) by dense
// matrices, sorts them, and computes their residuals. docs/theory/substructures.md §3.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "linearisation.h"
#include "partition.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

Eigen::VectorXcd times(const SparseMatrix& a, const Eigen::VectorXcd& x) {
  Eigen::VectorXcd y(a.rows());
  y.real() = a * x.real();
  y.imag() = a * x.imag();
  return y;
}

/// |R(s) x| relative to the size of its terms.
double residual_of(const Partition& partition, Complex s, const Eigen::VectorXcd& x) {
  Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(x.size());
  double scale = 0.0;
  Complex power = 1.0;
  for (const SparseMatrix& a : partition.coefficients()) {
    const Eigen::VectorXcd term = power * times(a, x);
    sum += term;
    scale += std::abs(power) * a.norm() * x.norm();
    power *= s;
  }
  return scale > 0.0 ? sum.norm() / scale : 0.0;
}

}  // namespace

Poles finished_poles(const Partition& partition,
                     const Eigen::VectorXcd& values,
                     const Eigen::MatrixXcd& vectors) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  // both members of a conjugate pair have bit-identical magnitude, so they stay side by side
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const double ra = std::abs(values(a));
    const double rb = std::abs(values(b));
    if (ra != rb) return ra < rb;
    if (values(a).real() != values(b).real()) return values(a).real() < values(b).real();
    return values(a).imag() < values(b).imag();
  });
  Poles out;
  out.values.resize(values.size());
  out.shapes = Eigen::MatrixXcd::Zero(partition.part().size(), values.size());
  for (Index k = 0; k < values.size(); ++k) {
    const Index from = order[static_cast<std::size_t>(k)];
    out.values(k) = values(from);
    for (Index i = 0; i < partition.free_count(); ++i) {
      out.shapes(partition.free()[static_cast<std::size_t>(i)], k) = vectors(i, from);
    }
    out.residual = std::max(out.residual, residual_of(partition, values(from), vectors.col(from)));
  }
  return out;
}

Poles poles(const DynamicStiffness& part, const Supports& supports) {
  const Partition partition(part, supports);
  const Index states =
      partition.free_count() * (static_cast<Index>(partition.coefficients().size()) - 1);
  if (states > kMaxDenseStates) {
    throw NumericalError("too-large",
                         fmt::format("part '{}' has {} states, all poles are computed up to {}",
                                     part.name,
                                     states,
                                     kMaxDenseStates),
                         {},
                         "compute the poles near a shift, or condense the part first");
  }
  std::vector<Eigen::MatrixXd> dense;
  for (const SparseMatrix& a : partition.coefficients())
    dense.emplace_back(a);
  const PolynomialEigenvalues eigen = polynomial_eigenvalues(dense);
  Poles out = finished_poles(partition, eigen.values, eigen.vectors);
  out.infinite = eigen.infinite;
  if (!is_symmetric(part)) {
    // left vectors are the right vectors of the transposed polynomial, which has the same poles
    for (Eigen::MatrixXd& a : dense)
      a.transposeInPlace();
    const PolynomialEigenvalues transposed = polynomial_eigenvalues(std::move(dense));
    out.left = Eigen::MatrixXcd::Zero(part.size(), out.values.size());
    for (Index k = 0; k < out.values.size(); ++k) {
      Index nearest = 0;
      (transposed.values.array() - out.values(k)).abs().minCoeff(&nearest);
      for (Index i = 0; i < partition.free_count(); ++i) {
        out.left(partition.free()[static_cast<std::size_t>(i)], k) = transposed.vectors(i, nearest);
      }
    }
  }
  return out;
}

}  // namespace femflex::substructure

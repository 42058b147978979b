// Finds the poles of a large part (the s at which its dynamic stiffness R(s) is singular) near a
// real shift by shift-invert Arnoldi iterations. docs/theory/substructures.md §3.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include <Eigen/SparseLU>
#include <Spectra/GenEigsSolver.h>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/solve.h"

#include "partition.h"

namespace femflex::substructure {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXd;

namespace {

/// y = (A - sigma B)^-1 B x of the companion form, through one real factorisation of R(sigma):
/// with x = (x_0, x_1, ...) the first block y_0 solves R(sigma) y_0 = right side, and
/// y_{k+1} = sigma y_k + x_k.
class ShiftedInverse {
 public:
  using Scalar = double;

  ShiftedInverse(const Partition& partition, double sigma)
      : coefficients_(partition.coefficients()), sigma_(sigma), n_(partition.free_count()) {
    lu_.compute(sparse_value(coefficients_, sigma));
    if (lu_.info() != Eigen::Success) {
      throw NumericalError("singular",
                           fmt::format("R(s) is singular at the shift s = {}", sigma),
                           {},
                           "give another shift");
    }
  }

  Index rows() const { return n_ * states(); }
  Index cols() const { return rows(); }
  Index states() const { return static_cast<Index>(coefficients_.size()) - 1; }

  void perform_op(const double* in, double* out) const {
    const Index d = states();
    const Eigen::Map<const VectorXd> x(in, rows());
    Eigen::Map<VectorXd> y(out, rows());
    // y_{k+1} = sigma y_k + x_k =: sigma^{k+1} y_0 + g_{k+1};
    // -sum_{k<d} A_k y_k - sigma A_d y_{d-1} = A_d x_{d-1}
    std::vector<VectorXd> g(static_cast<std::size_t>(d), VectorXd::Zero(n_));
    for (Index k = 0; k + 1 < d; ++k) {
      g[static_cast<std::size_t>(k) + 1] =
          sigma_ * g[static_cast<std::size_t>(k)] + x.segment(k * n_, n_);
    }
    VectorXd right = coefficients_.back() *
                     (x.segment((d - 1) * n_, n_) + sigma_ * g[static_cast<std::size_t>(d) - 1]);
    for (Index k = 1; k < d; ++k) {
      right += coefficients_[static_cast<std::size_t>(k)] * g[static_cast<std::size_t>(k)];
    }
    VectorXd head = lu_.solve(-right);
    for (Index k = 0; k < d; ++k) {
      y.segment(k * n_, n_) = head;
      if (k + 1 < d) {
        head *= sigma_;
        head += x.segment(k * n_, n_);
      }
    }
  }

 private:
  const std::vector<SparseMatrix>& coefficients_;
  double sigma_;
  Index n_;
  Eigen::SparseLU<SparseMatrix, Eigen::COLAMDOrdering<std::int32_t>> lu_;
};

/// The numbers of the `count` values nearest to the shift, in ascending order, with the conjugate
/// of each.
std::vector<Index> nearest(const Eigen::VectorXcd& values, double shift, Index count) {
  std::vector<Index> order(static_cast<std::size_t>(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  // conjugates are equally near and stay side by side
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(values(a) - shift) < std::abs(values(b) - shift);
  });
  const std::vector<Index> all = order;
  order.resize(std::min(all.size(), static_cast<std::size_t>(count)));
  int unpaired = 0;  // those of positive imaginary part less those of negative
  const auto sign_of = [&](Index k) { return (values(k).imag() > 0.0) - (values(k).imag() < 0.0); };
  for (const Index k : order)
    unpaired += sign_of(k);
  for (std::size_t k = order.size(); k < all.size() && unpaired != 0; ++k)
    if (sign_of(all[k]) * unpaired < 0) {
      order.push_back(all[k]);
      unpaired += sign_of(all[k]);
    }
  std::sort(order.begin(), order.end());
  return order;
}

/// Those of all poles that are nearest to the shift.
Poles nearest_of_all(const Partition& partition,
                     const Supports& supports,
                     double shift,
                     Index count) {
  const Poles all = poles(partition.part(), supports);
  const std::vector<Index> kept = nearest(all.values, shift, count);
  Poles out = finished_poles(partition, all.values(kept), all.shapes(partition.free(), kept));
  if (all.left.size() > 0) out.left = all.left(Eigen::all, kept);
  out.infinite = all.infinite;
  return out;
}

/// Finite poles and their shapes.
struct Found {
  std::vector<Complex> values;
  std::vector<Eigen::VectorXcd> shapes;
};

/// The poles of the eigenvalues theta = 1 / (s - shift), without those at infinity, where theta is
/// zero up to round-off; each complex pole with its conjugate.
Found with_conjugates(const Eigen::VectorXcd& theta, const Eigen::MatrixXcd& shapes, double shift) {
  constexpr double kInfinite = 1e-13;  // of the largest theta
  constexpr double kSame = 1e-9;       // conjugates differ by round-off alone
  const double largest = theta.size() > 0 ? theta.cwiseAbs().maxCoeff() : 0.0;
  std::vector<bool> is_paired(static_cast<std::size_t>(theta.size()), false);
  Found out;
  const auto add = [&](Complex value, const Eigen::VectorXcd& shape) {
    out.values.push_back(value);
    out.shapes.push_back(shape);
  };
  for (Index k = 0; k < theta.size(); ++k) {
    if (is_paired[static_cast<std::size_t>(k)] || !(std::abs(theta(k)) > kInfinite * largest))
      continue;
    const Complex value = 1.0 / theta(k) + shift;
    const Eigen::VectorXcd shape = shapes.col(k).normalized();
    add(value, shape);
    if (theta(k).imag() == 0.0) continue;
    for (Index j = k + 1; j < theta.size(); ++j)
      if (!is_paired[static_cast<std::size_t>(j)] &&
          std::abs(theta(j) - std::conj(theta(k))) <= kSame * std::abs(theta(k))) {
        is_paired[static_cast<std::size_t>(j)] = true;
        break;
      }
    add(std::conj(value), shape.conjugate());
  }
  return out;
}

constexpr double kPoleTolerance = 1e-12;  // relative tolerance of 1 / (s - shift)
// maximum number of restarts, far more than any convergent case needs
constexpr int kPoleIterations = 1000;
// smallest number of basis vectors; Spectra advises at least twice the number of poles
constexpr Index kMinPoleBasis = 24;

}  // namespace

Poles poles_near(const DynamicStiffness& part,
                 const Supports& supports,
                 double shift,
                 Index count) {
  if (count < 1)
    throw ModelError(
        "count", fmt::format("{} poles were requested", count), {}, "give a positive number");
  const Partition partition(part, supports);
  ShiftedInverse inverse(partition, shift);
  const Index states = inverse.rows();
  if (count + 2 > states) {  // as many as the iterations cannot find
    if (states > kMaxDenseStates)
      throw NumericalError(
          "too-many-poles",
          fmt::format("{} poles of {} states are requested", count, states),
          {},
          fmt::format("request at most {}, or condense the part first", states - 2));
    return nearest_of_all(partition, supports, shift, count);
  }
  const Index basis = std::min(states, std::max<Index>(2 * count + 2, kMinPoleBasis));
  Spectra::GenEigsSolver<ShiftedInverse> solver(inverse, count, basis);
  solver.init();
  const Index converged =
      solver.compute(Spectra::SortRule::LargestMagn, kPoleIterations, kPoleTolerance);
  if (converged < count) {
    throw NumericalError("not-converged",
                         fmt::format("{} of {} poles near {} converged", converged, count, shift),
                         {},
                         "request more or fewer poles, or move the shift");
  }
  const Found found = with_conjugates(
      solver.eigenvalues(), solver.eigenvectors().topRows(partition.free_count()), shift);
  const auto n = static_cast<Index>(found.values.size());
  Eigen::MatrixXcd shapes(partition.free_count(), n);
  for (Index k = 0; k < n; ++k)
    shapes.col(k) = found.shapes[static_cast<std::size_t>(k)];
  Poles out =
      finished_poles(partition, Eigen::Map<const Eigen::VectorXcd>(found.values.data(), n), shapes);
  out.infinite = kNotCounted;
  return out;
}

}  // namespace femflex::substructure

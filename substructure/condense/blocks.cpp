// Steps that several condensations of a part share: partitions the part into ports and inner
// coordinates, computes how the inner coordinates follow the ports statically, finds the modes of
// the inner coordinates with fixed ports, by dense matrices or by Lanczos iterations, and fits
// Rayleigh damping.
#include "blocks.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>
#include <Spectra/MatOp/SparseCholesky.h>
#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymGEigsSolver.h>
#include <fmt/format.h>

#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// number of inner DOFs up to which the dense eigensolver is faster
constexpr Index kDenseInner = 400;

// 1 / omega^2 below this share of the largest is a rounded zero
constexpr double kMasslessMode = 1e-14;
// allowed asymmetry relative to the largest entry, from the limited digits of a file
constexpr double kSymmetric = 1e-9;
// smaller pivots, relative to their diagonal entry, are round-off, left by a DOF that nothing holds
constexpr double kSingularPivot = 1e-13;
// relative tolerance of 1 / omega^2, if the largest is near 1: see mass_scale()
constexpr double kModeTolerance = 1e-12;
// share of the diagonal of M by which limited digits of a file may make it indefinite
constexpr double kMassDigits = 1e-6;
constexpr int kPowerSteps = 8;  // they give the largest 1 / omega^2 to a factor of two
// maximum number of restarts, far more than any convergent case needs
constexpr int kModeIterations = 1000;
// smallest number of basis vectors; Spectra advises twice the number of modes
constexpr Index kMinBasis = 20;
constexpr double kParallel = 1e-12;  // K and M are proportional if the determinant is below this
// a smaller contribution relative to |C| counts as zero
constexpr double kRayleighRounding = 1e-12;
constexpr double kRayleighFits = 1e-10;  // allowed remainder relative to |C|

SparseMatrix block(const SparseMatrix& a, Index row, Index col, Index rows, Index cols) {
  return a.block(row, col, rows, cols);
}

[[noreturn]] void throw_singular_inner_stiffness(const std::string& part) {
  throw NumericalError(
      "singular",
      fmt::format("K_ii of '{}' is singular: inner coordinates can move without force while the "
                  "ports are fixed",
                  part),
      {},
      "make a port of an inner DOF that can move so");
}

[[noreturn]] void throw_indefinite_inner_stiffness(const std::string& part) {
  throw ModelError("indefinite",
                   fmt::format("K_ii of '{}' is not positive definite: inner coordinates are "
                               "unstable while the ports are fixed",
                               part),
                   {},
                   "make ports of the unstable DOFs, or condense the part by guyan");
}

[[noreturn]] void throw_indefinite_inner_mass(const std::string& part) {
  throw ModelError("indefinite",
                   fmt::format("M_ii of '{}' is not positive semidefinite: a motion of inner "
                               "coordinates has a negative mass",
                               part),
                   {},
                   "correct the mass, or condense the part by guyan");
}

/// Makes InnerModes from eigenpairs of M x = mu K x with K positive definite, in descending order
/// of mu = 1 / omega^2.
InnerModes finished(const VectorXd& mu, const MatrixXd& shapes) {
  InnerModes out;
  const double largest = mu.size() > 0 ? mu.maxCoeff() : 0.0;
  Index count = 0;
  while (count < mu.size() && mu(count) > kMasslessMode * largest)
    ++count;
  out.omega = mu.head(count).array().rsqrt();
  // vectors have x' K x = 1 and are scaled to unit mass
  out.shapes = shapes.leftCols(count) * out.omega.asDiagonal();
  return out;
}

}  // namespace

void check_band(double band) {
  if (!(band > 0.0) || !std::isfinite(band)) {
    throw ModelError("band", fmt::format("the band ends at {} rad/s, but must end above 0", band));
  }
}

Blocks blocks_of(const DynamicStiffness& part) {
  if (part.order() > 2) {
    throw ModelError("order",
                     fmt::format("R(s) of '{}' is of order {}; this condensation takes order two",
                                 part.name,
                                 part.order()));
  }
  if (!is_symmetric(part, kSymmetric)) {
    throw ModelError("not-symmetric",
                     fmt::format("R(s) of '{}' is not symmetric", part.name),
                     {},
                     "condense it at a frequency instead");
  }
  const Index b = part.port_count();
  const Index i = part.inner_count();
  const SparseMatrix zero(part.size(), part.size());
  const auto coefficient = [&](std::size_t k) -> const SparseMatrix& {
    return k < part.coefficients.size() ? part.coefficients[k] : zero;
  };
  const SparseMatrix& K = coefficient(0);
  const SparseMatrix& C = coefficient(1);
  const SparseMatrix& M = coefficient(2);
  return {part.name,
          block(K, 0, 0, b, b),
          block(K, b, 0, i, b),
          block(K, b, b, i, i),
          block(C, 0, 0, b, b),
          block(C, b, 0, i, b),
          block(C, b, b, i, i),
          block(M, 0, 0, b, b),
          block(M, b, 0, i, b),
          block(M, b, b, i, i)};
}

StaticReduction static_reduction(const Blocks& blocks) {
  StaticReduction out;
  if (blocks.K_ii.rows() == 0) {
    out.T.resize(0, blocks.K_bb.rows());
    out.L = out.G = out.T;
    out.K = blocks.K_bb;
    out.C = blocks.C_bb;
    out.M = blocks.M_bb;
    out.static_sum = MatrixXd::Zero(out.K.rows(), out.K.cols());
    return out;
  }
  const Eigen::SimplicialLDLT<SparseMatrix> factor(blocks.K_ii);
  if (factor.info() != Eigen::Success) throw_singular_inner_stiffness(blocks.name);
  const VectorXd own = factor.permutationP() * VectorXd(blocks.K_ii.diagonal());
  const VectorXd pivots = factor.vectorD();
  if (!(pivots.array().abs() > kSingularPivot * own.array().abs()).all())
    throw_singular_inner_stiffness(blocks.name);
  out.T = factor.solve(-MatrixXd(blocks.K_ib));
  const auto projected =
      [&](const SparseMatrix& bb, const SparseMatrix& ib, const SparseMatrix& ii) {
        const MatrixXd cross = out.T.transpose() * ib;
        const MatrixXd sum =
            MatrixXd(bb) + cross + cross.transpose() + out.T.transpose() * (ii * out.T);
        return MatrixXd(0.5 * (sum + sum.transpose()));
      };
  const MatrixXd K = MatrixXd(blocks.K_bb) + out.T.transpose() * blocks.K_ib;
  out.K = 0.5 * (K + K.transpose());
  out.C = projected(blocks.C_bb, blocks.C_ib, blocks.C_ii);
  out.M = projected(blocks.M_bb, blocks.M_ib, blocks.M_ii);
  out.L = MatrixXd(blocks.M_ib) + blocks.M_ii * out.T;
  out.G = MatrixXd(blocks.C_ib) + blocks.C_ii * out.T;
  const MatrixXd solved = factor.solve(out.L);
  out.static_sum = out.L.transpose() * solved;
  return out;
}

namespace {

using Product = Spectra::SparseSymMatProd<double, Eigen::Lower, Eigen::ColMajor, std::int32_t>;
using Cholesky = Spectra::SparseCholesky<double, Eigen::Lower, Eigen::ColMajor, std::int32_t>;

/// Whether M has no motion of negative mass, up to the digits of a file. Rows without mass are
/// allowed.
bool is_semidefinite(const SparseMatrix& M) {
  const VectorXd own = M.diagonal();
  if ((own.array() < 0.0).any()) return false;
  for (Index k = 0; k < M.outerSize(); ++k)
    for (SparseMatrix::InnerIterator it(M, k); it; ++it)
      if (it.value() != 0.0 && (own(it.row()) == 0.0 || own(it.col()) == 0.0)) return false;
  const VectorXd lift = (own.array() > 0.0).select(kMassDigits * own.array(), 1.0);
  SparseMatrix lifted(M.rows(), M.cols());
  lifted.setIdentity();
  lifted = M + lift.asDiagonal() * lifted;
  return Eigen::SimplicialLLT<SparseMatrix>(lifted).info() == Eigen::Success;
}

InnerModes dense_modes(const Blocks& blocks) {
  const MatrixXd K(blocks.K_ii);
  // the eigensolver does not look whether its own factorisation of K succeeds
  if (Eigen::LLT<MatrixXd>(K).info() != Eigen::Success)
    throw_indefinite_inner_stiffness(blocks.name);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(MatrixXd(blocks.M_ii), K);
  if (solver.info() != Eigen::Success)
    throw NumericalError("not-converged",
                         fmt::format("the inner modes of '{}' did not converge", blocks.name));
  const VectorXd& mu = solver.eigenvalues();
  InnerModes out = finished(mu.reverse(), solver.eigenvectors().rowwise().reverse());
  out.complete = true;
  return out;
}

/// A factor that brings the largest 1 / omega^2 near 1, by power iteration: the limits of Spectra
/// are absolute numbers.
double mass_scale(const SparseMatrix& M, const Cholesky& K) {
  const Index n = M.rows();
  VectorXd x(n), y(n);
  for (Index i = 0; i < n; ++i)
    x(i) = 1.0 + 0.5 * std::sin(static_cast<double>(i));  // neither symmetric nor antisymmetric
  double largest = 0.0;
  for (int k = 0; k < kPowerSteps && x.norm() > 0.0; ++k) {
    x /= x.norm();
    K.upper_triangular_solve(x.data(), y.data());
    const VectorXd load = M.selfadjointView<Eigen::Lower>() * y;
    K.lower_triangular_solve(load.data(), x.data());
    largest = x.norm();
  }
  return largest > 0.0 ? 1.0 / largest : 1.0;
}

InnerModes lanczos_modes(const Blocks& blocks, Index count) {
  const Index n = blocks.K_ii.rows();
  Cholesky K(blocks.K_ii);
  if (K.info() != Spectra::CompInfo::Successful) throw_indefinite_inner_stiffness(blocks.name);
  const double scale = mass_scale(blocks.M_ii, K);
  const SparseMatrix scaled = scale * blocks.M_ii;
  Product M(scaled);
  const Index basis = std::min(n, std::max<Index>(2 * count + 1, kMinBasis));
  Spectra::SymGEigsSolver<Product, Cholesky, Spectra::GEigsMode::Cholesky> solver(
      M, K, count, basis);
  solver.init();
  const Index converged =
      solver.compute(Spectra::SortRule::LargestAlge, kModeIterations, kModeTolerance);
  if (converged < count)
    throw NumericalError(
        "not-converged",
        fmt::format("{} of {} inner modes of '{}' converged", converged, count, blocks.name));
  InnerModes out = finished(solver.eigenvalues() / scale, solver.eigenvectors());
  out.complete = out.omega.size() < count;  // the rest has no mass
  return out;
}

}  // namespace

InnerModes inner_modes(const Blocks& blocks, Index count) {
  const Index n = blocks.K_ii.rows();
  if (n == 0 || blocks.M_ii.nonZeros() == 0) return {VectorXd(0), MatrixXd(n, 0), true};
  if (!is_semidefinite(blocks.M_ii)) throw_indefinite_inner_mass(blocks.name);
  if (n <= kDenseInner || 2 * count + 1 >= n) return dense_modes(blocks);
  return lanczos_modes(blocks, count);
}

Rayleigh rayleigh_damping(const DynamicStiffness& part) {
  if (part.order() < 1 || part.coefficients[1].norm() == 0.0) return {true, 0.0, 0.0};
  const SparseMatrix& K = part.coefficients[0];
  const SparseMatrix& C = part.coefficients[1];
  const SparseMatrix zero(part.size(), part.size());
  const SparseMatrix& M = part.order() >= 2 ? part.coefficients[2] : zero;
  // least squares on matrices scaled to the same size
  const auto dot = [](const SparseMatrix& a, const SparseMatrix& b) {
    return SparseMatrix(a.cwiseProduct(b)).sum();
  };
  const double k = K.norm() > 0.0 ? K.norm() : 1.0;
  const double m = M.norm() > 0.0 ? M.norm() : 1.0;
  const double kk = dot(K, K) / (k * k);
  const double mm = dot(M, M) / (m * m);
  const double km = dot(K, M) / (k * m);
  const double ck = dot(C, K) / k;
  const double cm = dot(C, M) / m;
  const double det = kk * mm - km * km;
  Rayleigh out;
  if (det > kParallel) {
    out.stiffness = (ck * mm - cm * km) / det / k;
    out.mass = (cm * kk - ck * km) / det / m;
  } else if (kk > 0.0) {
    out.stiffness = ck / kk / k;
  }
  if (std::abs(out.mass) * m < kRayleighRounding * C.norm()) out.mass = 0.0;
  if (std::abs(out.stiffness) * k < kRayleighRounding * C.norm()) out.stiffness = 0.0;
  const SparseMatrix rest = C - out.stiffness * K - out.mass * M;
  out.holds = rest.norm() <= kRayleighFits * C.norm() && out.mass >= 0.0 && out.stiffness >= 0.0;
  return out;
}

double symmetric_norm(const MatrixXd& a) {
  if (a.size() == 0) return 0.0;
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(a, Eigen::EigenvaluesOnly)
      .eigenvalues()
      .cwiseAbs()
      .maxCoeff();
}

DynamicStiffness part_like(const DynamicStiffness& from,
                           const std::vector<MatrixXd>& coefficients) {
  DynamicStiffness out;
  out.name = from.name;
  out.ports = from.ports;
  for (const MatrixXd& a : coefficients)
    out.coefficients.emplace_back(a.sparseView());
  return make_part(std::move(out));
}

}  // namespace femflex::substructure

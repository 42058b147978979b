// Finds the few shapes that represent the motion of a body in given runs, by proper orthogonal
// decomposition of its modal accelerations in the mass norm. Notation as in motion_modes.h:
// m = L L', C = sum (L' a)(L' a)', S are the kept shapes.
#include "femflex/modal/motion_modes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/errors.h"

namespace femflex::modal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// eigenvalues of C below this, relative to the largest, are round-off
constexpr double kZeroShare = 1e-13;
constexpr double kMinEigenvalue = 1e-300;  // eigenvalues of C below this are zero

BodyMode describe(const VectorXd& part, const std::vector<BodyMode>& modes) {
  // weight of a mode, relative to the largest, from which it is named as a source
  constexpr double kNamedSource = 0.05;
  Index main_mode = 0;
  const double largest = part.cwiseAbs().maxCoeff(&main_mode);
  BodyMode out;
  out.kind = modes[static_cast<std::size_t>(main_mode)].kind;
  for (Index i = 0; i < part.size(); ++i) {
    if (i != main_mode && std::abs(part(i)) < kNamedSource * largest) continue;
    for (const std::string& source : modes[static_cast<std::size_t>(i)].sources)
      if (std::find(out.sources.begin(), out.sources.end(), source) == out.sources.end())
        out.sources.push_back(source);
  }
  return out;
}

// The body in the coordinates of the columns of S, S' m S = 1 and S' k S diagonal.
FlexBody in_columns(const FlexBody& body, const MatrixXd& S) {
  FlexBody out = body;
  const Index n = S.cols();
  out.shapes = body.shapes * S;
  out.mass = MatrixXd::Identity(n, n);
  out.stiffness = MatrixXd((S.transpose() * body.stiffness * S).diagonal().asDiagonal());
  out.invariants = in_basis(body.invariants, S);
  for (GeometricStiffness& g : out.geometric)
    g.stiffness = (S.transpose() * g.stiffness * S).eval();
  const VectorXd root_mass = body.mass.diagonal().cwiseMax(0.0).cwiseSqrt();
  out.modes.clear();
  double min_ratio = std::numeric_limits<double>::infinity(), max_ratio = -min_ratio;
  bool is_known = true;
  for (const BodyMode& mode : body.modes) {
    is_known = is_known && std::isfinite(mode.damping_ratio);
    min_ratio = std::min(min_ratio, mode.damping_ratio);
    max_ratio = std::max(max_ratio, mode.damping_ratio);
  }
  // a single ratio for all modes stays a single ratio; otherwise use the damping matrix
  constexpr double kSameRatio = 1e-12;  // derived ratios differ by their last digits
  const bool is_uniform =
      !body.damping && is_known && max_ratio - min_ratio <= kSameRatio * std::abs(max_ratio);
  const MatrixXd b = S.transpose() * damping_matrix(body) * S;
  for (Index i = 0; i < n; ++i) {
    BodyMode mode = describe(S.col(i).cwiseProduct(root_mass), body.modes);
    mode.eigenvalue = out.stiffness(i, i);
    mode.damping_ratio =
        is_uniform ? max_ratio : ratio_from_damping(b(i, i), out.stiffness(i, i), 1.0);
    out.modes.push_back(std::move(mode));
  }
  out.damping.reset();
  if (!is_uniform && (body.damping || is_known)) out.damping = 0.5 * (b + b.transpose());
  if (body.back) {
    out.back->V = body.back->V * body.back->alpha.asDiagonal() * S;
    out.back->alpha = VectorXd::Ones(n);
  }
  // zeta_old = S zeta in the mass norm
  const MatrixXd to_new = S.transpose() * body.mass;
  out.initial_zeta = to_new * body.initial_zeta;
  out.initial_zeta_dot = to_new * body.initial_zeta_dot;
  out.path.orthogonalised = true;
  out.path.scaled = true;
  return make_flex_body(std::move(out));
}

}  // namespace

MotionSnapshots::MotionSnapshots(const FlexBody& body)
    : C_(MatrixXd::Zero(body.mode_count(), body.mode_count())) {
  const Eigen::LLT<MatrixXd> factor(body.mass);
  if (factor.info() != Eigen::Success)
    throw ModelError("modal-mass-singular",
                     fmt::format("{}: the modal mass matrix is not positive definite", body.name),
                     {},
                     "reduce with --orthogonalise");
  upper_ = factor.matrixU();
}

void MotionSnapshots::add_run(std::span<const MatrixXd> accelerations) {
  MatrixXd of_run = MatrixXd::Zero(C_.rows(), C_.cols());
  for (const MatrixXd& a : accelerations) {
    const MatrixXd y = upper_ * a;
    of_run.selfadjointView<Eigen::Lower>().rankUpdate(y);
  }
  if (const double size = of_run.trace(); size > 0.0) C_ += of_run / size;
}

MotionModes MotionSnapshots::modes(const FlexBody& body, Index count) const {
  MotionModes out;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(C_);  // eigenvalues in ascending order
  const VectorXd share = solver.eigenvalues().cwiseMax(0.0);
  const double total = share.sum();
  if (total > 0.0)
    out.moved = (share.array() > kZeroShare * std::max(share.maxCoeff(), kMinEigenvalue)).count();
  if (count > out.moved) return out;
  out.kept_share = share.tail(count).sum() / total;
  const MatrixXd S =
      upper_.triangularView<Eigen::Upper>().solve(solver.eigenvectors().rightCols(count).eval());
  const MatrixXd k = S.transpose() * body.stiffness * S;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> diagonal(MatrixXd(0.5 * (k + k.transpose())));
  out.body = in_columns(body, S * diagonal.eigenvectors());
  return out;
}

}  // namespace femflex::modal

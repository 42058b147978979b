// Finds the massless motions among shapes that are dependent in the mass norm, and condenses them
// statically, as the full model does with its massless DOFs.
#include "static_followers.h"

#include <algorithm>
#include <cstddef>

#include <Eigen/Cholesky>

namespace femflex::modal {
namespace {

/// For each dependent column: the column less the combination of kept ones that moves the same
/// mass.
Eigen::MatrixXd massless_motions(const Eigen::MatrixXd& m, const IndependentColumns& split) {
  std::vector<Eigen::Index> dependent;
  for (const DependentColumn& column : split.dependent)
    dependent.push_back(column.column);
  const auto count = static_cast<Eigen::Index>(dependent.size());
  const Eigen::VectorXd scale = m.diagonal()(split.kept).cwiseSqrt().cwiseInverse();
  const Eigen::LDLT<Eigen::MatrixXd> factor(scale.asDiagonal() * m(split.kept, split.kept) *
                                            scale.asDiagonal());
  Eigen::MatrixXd N = Eigen::MatrixXd::Zero(m.rows(), count);
  N(split.kept, Eigen::all) =
      scale.asDiagonal() * factor.solve(-(scale.asDiagonal() * m(split.kept, dependent)));
  for (Eigen::Index j = 0; j < count; ++j)
    N(dependent[static_cast<std::size_t>(j)], j) = 1.0;
  return N;
}

/// The columns of N whose strain energy keeps digits: its terms cancel in a column that repeats
/// others. Of columns that are dependent in energy the first ones.
std::vector<Eigen::Index> stiff_columns(const Eigen::MatrixXd& N, const Eigen::MatrixXd& k) {
  constexpr double kDigitsLeft = 1e-8;   // share of the terms of the energy, each known to 1e-16
  constexpr double kIndependent = 1e-4;  // least share of a column next to the others, in energy
  const Eigen::VectorXd terms = N.cwiseAbs().transpose() * k.diagonal().cwiseMax(0.0).cwiseSqrt();
  std::vector<Eigen::Index> stiff;
  for (Eigen::Index j = 0; j < N.cols(); ++j)
    if (N.col(j).dot(k * N.col(j)) > kDigitsLeft * terms(j) * terms(j)) stiff.push_back(j);
  if (stiff.empty()) return stiff;
  const Eigen::MatrixXd S = N(Eigen::all, stiff);
  const IndependentColumns split = independent_in_mass(S.transpose() * k * S, kIndependent);
  std::vector<Eigen::Index> out;
  for (const Eigen::Index j : split.kept)
    out.push_back(stiff[static_cast<std::size_t>(j)]);
  return out;
}

}  // namespace

StaticFollowers static_followers(const Eigen::MatrixXd& m,
                                 const Eigen::MatrixXd& k,
                                 const IndependentColumns& split) {
  StaticFollowers out;
  if (split.kept.empty() || split.dependent.empty()) return out;
  const Eigen::MatrixXd all = massless_motions(m, split);
  const std::vector<Eigen::Index> stiff = stiff_columns(all, k);
  if (stiff.empty()) return out;
  const Eigen::MatrixXd N = all(Eigen::all, stiff);
  for (const Eigen::Index j : stiff)
    out.columns.push_back(split.dependent[static_cast<std::size_t>(j)].column);
  std::sort(out.columns.begin(), out.columns.end());

  const Eigen::MatrixXd kN = k * N;
  const auto kept = static_cast<Eigen::Index>(split.kept.size());
  out.shapes = Eigen::MatrixXd::Zero(m.rows(), kept);
  for (Eigen::Index i = 0; i < kept; ++i)
    out.shapes(split.kept[static_cast<std::size_t>(i)], i) = 1.0;
  out.shapes -= N * (N.transpose() * kN).ldlt().solve(kN(split.kept, Eigen::all).transpose());
  return out;
}

}  // namespace femflex::modal

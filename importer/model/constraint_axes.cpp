// Transforms constraint equations from CD axes to basic directions. The equations of one triad (the
// translations or the rotations of a node) are solved together for as many basic components as
// there are equations.
#include "model/constraint_axes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"

namespace femflex::importer {
namespace {

using Term = ConstraintEquation::Term;

/// Transforms the equations of one triad of node `id`; `first` is 1 for translations, 4 for
/// rotations. Solves A u_triad = (the other terms) for as many basic components as there are
/// equations, choosing those for which A is best conditioned. Equations that do not determine their
/// components are recorded in out.refused and out.contradicting.
void transform_triad(const Gathered& gathered,
                     std::int64_t id,
                     int first,
                     const std::vector<LocalEquation>& equations,
                     Constraints& out) {
  const Eigen::Matrix3d axes = displacement_axes(gathered, id);
  const auto count = static_cast<Eigen::Index>(equations.size());
  Eigen::MatrixXd A(count, 3);
  std::vector<std::vector<Term>> other_terms(equations.size());
  for (std::size_t k = 0; k < equations.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    A.row(row) = axes.col((equations[k].dependent.component - 1) % 3).transpose();
    for (const Term& term : equations[k].terms) {
      const int c = term.dof.component - first;
      if (term.dof.node == id && term.dof.component != 0 && c >= 0 && c < 3)
        A(row, c) -= term.factor;
      else
        other_terms[k].push_back(term);
    }
  }
  Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
  // above the round-off of the axes, which are orthonormal, and below the last of the seven digits
  // that tell factors of a card apart
  constexpr double kMinPivot = 1e-9;
  lu.setThreshold(kMinPivot);
  if (lu.rank() < count) {
    for (const LocalEquation& equation : equations) {
      out.refused[equation.element] =
          fmt::format("the equations of node {} do not determine {} of its {} dependent DOFs",
                      id,
                      count - lu.rank(),
                      count);
      out.contradicting.insert(equation.element);
    }
    return;
  }
  std::vector<Eigen::Index> dependent;
  std::vector<Eigen::Index> independent;
  for (Eigen::Index j = 0; j < 3; ++j)
    (j < count ? dependent : independent).push_back(lu.permutationQ().indices()(j));
  const Eigen::MatrixXd inverse = A(Eigen::all, dependent).inverse();
  const Eigen::MatrixXd same_triad = -inverse * A(Eigen::all, independent);
  for (Eigen::Index i = 0; i < count; ++i) {
    ConstraintEquation equation{
        {id, static_cast<std::int8_t>(first + dependent[static_cast<std::size_t>(i)])},
        {},
        equations[static_cast<std::size_t>(i)].element};
    // below: round-off of unit-vector components, and of factors relative to the largest
    constexpr double kMinComponent = 1e-13;
    constexpr double kMinRelativeFactor = 1e-14;
    std::map<Dof, double> sum;
    for (Eigen::Index k = 0; k < count; ++k)
      for (const Term& term : other_terms[static_cast<std::size_t>(k)])
        sum[term.dof] += inverse(i, k) * term.factor;
    for (std::size_t j = 0; j < independent.size(); ++j)
      if (const double part = same_triad(i, static_cast<Eigen::Index>(j));
          std::abs(part) > kMinComponent)
        sum[{id, static_cast<std::int8_t>(first + independent[j])}] += part;
    double largest = 0.0;
    for (const auto& [dof, factor] : sum)
      largest = std::max(largest, std::abs(factor));
    for (const auto& [dof, factor] : sum)
      if (std::abs(factor) > kMinRelativeFactor * largest) equation.terms.push_back({dof, factor});
    out.equations.push_back(std::move(equation));
  }
}

}  // namespace

Constraints in_basic_directions(const Gathered& gathered, std::vector<LocalEquation> equations) {
  Constraints out;
  std::map<std::pair<std::int64_t, bool>, std::vector<LocalEquation>> inclined;
  for (LocalEquation& equation : equations) {
    const Dof& dof = equation.dependent;
    if (dof.component == 0 || displacement_axes(gathered, dof.node).isIdentity(0.0))
      out.equations.push_back({dof, std::move(equation.terms), equation.element});
    else
      inclined[{dof.node, dof.component > 3}].push_back(std::move(equation));
  }
  for (auto& [triad, list] : inclined)
    transform_triad(gathered, triad.first, triad.second ? 4 : 1, list, out);
  return out;
}

}  // namespace femflex::importer

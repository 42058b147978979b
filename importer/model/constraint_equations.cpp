// Writes rigid elements and multipoint constraints as equations, one per dependent DOF.
// Notation: u displacement; S rigid motions of the independent DOFs; W weights of these DOFs. A
// rigid motion is (t, L theta) with the length L of the element, so that both parts have one unit.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/dense.h"

#include "model/constraint_axes.h"
#include "model/constraints.h"
#include "model/supports.h"

namespace femflex::importer {
namespace {

using Law = RawConstraint::Law;
using Term = ConstraintEquation::Term;
using Row6 = Eigen::Matrix<double, 1, 6>;
using Six = Eigen::Matrix<double, 6, 6>;

// smaller components, of unit vectors or of lever arms relative to their length, are round-off
constexpr double kMinComponent = 1e-15;

/// Writes the equations of all elements of one import.
class EquationBuilder {
 public:
  explicit EquationBuilder(const Gathered& gathered) : gathered_(gathered) {}

  Constraints build() {
    std::map<std::int64_t, std::string> refused;
    const std::vector<RawConstraint>& elements = gathered_.geometry.rigid_elements;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      element_index_ = static_cast<std::int64_t>(k);
      const std::size_t before = local_.size();
      std::string reason = add(elements[k]);
      if (reason.empty()) continue;
      local_.resize(before);
      refused.emplace(element_index_, std::move(reason));
    }
    Supports fixed = supports(gathered_, local_, static_cast<std::int64_t>(elements.size()));
    local_.insert(local_.end(), fixed.equations.begin(), fixed.equations.end());
    Constraints out = in_basic_directions(gathered_, std::move(local_));
    out.refused.merge(refused);
    out.fixed = std::move(fixed.fixed);
    add_supports(std::move(fixed.elements), out);
    return out;
  }

 private:
  /// Completes the supports along inclined axes. A support whose equation has no independent terms
  /// fixes a basic DOF and goes to out.fixed; the others go to out.supports.
  void add_supports(std::vector<RigidElement> elements, Constraints& out) const {
    const auto first = static_cast<std::int64_t>(gathered_.geometry.rigid_elements.size());
    std::erase_if(out.equations, [&](const ConstraintEquation& equation) {
      const bool is_basic = equation.element >= first && equation.terms.empty();
      if (is_basic) out.fixed.push_back(equation.dependent);
      return is_basic;
    });
    std::sort(out.fixed.begin(), out.fixed.end());
    std::vector<std::int64_t> number(elements.size(), -1);
    for (ConstraintEquation& equation : out.equations) {
      if (equation.element < first) continue;
      const auto k = static_cast<std::size_t>(equation.element - first);
      if (number[k] < 0) {
        number[k] = first + static_cast<std::int64_t>(out.supports.size());
        out.supports.push_back(std::move(elements[k]));
      }
      equation.element = number[k];
    }
  }

  /// Null if there is no such node.
  const Node* node(std::int64_t id) const {
    const auto it = std::lower_bound(
        gathered_.nodes.begin(), gathered_.nodes.end(), id, [](const Node& n, std::int64_t wanted) {
          return n.id < wanted;
        });
    return it != gathered_.nodes.end() && it->id == id ? &*it : nullptr;
  }

  /// Names the first grid of `dofs` that does not exist; empty if all exist.
  std::string missing(const std::vector<Dof>& dofs) const {
    for (const Dof& dof : dofs)
      if (dof.component != 0 && node(dof.node) == nullptr)
        return fmt::format("there is no grid {}", dof.node);
    return "";
  }

  /// Adds the term factor * u_dof, where the DOF is along the CD axis of its node, as terms of
  /// basic DOFs.
  void add_term(std::vector<Term>& terms, const Dof& dof, double factor) const {
    if (factor == 0.0) return;
    const Eigen::Matrix3d axes =
        dof.component == 0 ? Eigen::Matrix3d::Identity() : displacement_axes(gathered_, dof.node);
    if (axes.isIdentity(0.0)) {
      terms.push_back({dof, factor});
      return;
    }
    const int first = dof.component <= 3 ? 1 : 4;
    for (int c = 0; c < 3; ++c)
      if (const double part = axes(c, (dof.component - 1) % 3); std::abs(part) > kMinComponent)
        terms.push_back({{dof.node, static_cast<std::int8_t>(first + c)}, factor * part});
  }

  /// Row whose product with a rigid motion (t, L theta) about `origin` is the displacement of
  /// `dof`; L is `length`.
  Row6 motion(const Dof& dof, const Eigen::Vector3d& origin, double length) const {
    const Eigen::Vector3d axis =
        displacement_axes(gathered_, dof.node).col((dof.component - 1) % 3);
    Row6 row = Row6::Zero();
    if (dof.component <= 3) {
      const Eigen::Vector3d arm = (node(dof.node)->position - origin) / length;
      row << axis.transpose(), arm.cross(axis).transpose();
    } else {
      row.tail<3>() = axis.transpose() / length;
    }
    return row;
  }

  /// Adds u_dependent = sum factors * u_independent, without terms that are round-off relative to
  /// the largest.
  void add_row(const Dof& dependent,
               const std::vector<Dof>& independent,
               const Eigen::Ref<const Eigen::RowVectorXd>& factors) {
    LocalEquation out{dependent, {}, element_index_};
    constexpr double kMinFactor = 1e-14;
    const double min_factor = kMinFactor * factors.cwiseAbs().maxCoeff();
    for (std::size_t j = 0; j < independent.size(); ++j)
      if (const double f = factors(static_cast<Eigen::Index>(j)); std::abs(f) > min_factor)
        add_term(out.terms, independent[j], f);
    local_.push_back(std::move(out));
  }

  /// Adds the equations of an element. Returns the reason if that is impossible, else an empty
  /// text.
  std::string add(const RawConstraint& element) {
    if (element.law != Law::rigid && element.law != Law::unknown)
      if (std::string reason = missing(dependent_dofs(element)); !reason.empty()) return reason;
    if (std::string reason = missing(element.independent_dofs); !reason.empty()) return reason;
    switch (element.law) {
      case Law::unknown:
        return element.type == "MPC" ? "no case control or option says whether its set applies"
                                     : "this element type is not supported";
      case Law::rigid:
        return rigid(element);
      case Law::weighted:
        return weighted(element);
      case Law::equation:
        return equation(element);
      case Law::rod:
        return rod(element);
    }
    return "";
  }

  /// True if the list is exactly the six DOFs of one node, in order.
  static bool has_all_six(const std::vector<Dof>& dofs) {
    if (dofs.size() != 6) return false;
    for (std::size_t c = 0; c < 6; ++c)
      if (dofs[c] != Dof{dofs[0].node, static_cast<std::int8_t>(c + 1)}) return false;
    return true;
  }

  std::string rigid(const RawConstraint& element) {
    std::vector<Dof> dependent = dependent_dofs(element);
    std::erase_if(dependent, [&](const Dof& dof) {  // a missing grid has been reported
      return dof.component == 0 || node(dof.node) == nullptr;
    });
    const std::vector<Dof>& lead = element.independent_dofs;
    for (const Dof& dof : dependent)
      if (element.type != "RIGID BODY" && std::find(lead.begin(), lead.end(), dof) != lead.end())
        return fmt::format("it names {} as independent and as dependent", to_string(dof));
    if (has_all_six(lead)) {
      follow_node(element, lead[0].node, dependent);
      return "";
    }
    if (lead.size() != 6)
      return fmt::format("it names {} independent DOFs, but a rigid body needs six", lead.size());
    const Eigen::Vector3d origin = node(lead[0].node)->position;
    double length = 0.0;
    for (const auto* dofs : {&lead, &std::as_const(dependent)})
      for (const Dof& dof : *dofs)
        length = std::max(length, (node(dof.node)->position - origin).norm());
    if (length == 0.0) length = 1.0;
    Six G;
    for (Eigen::Index i = 0; i < 6; ++i)
      G.row(i) = motion(lead[static_cast<std::size_t>(i)], origin, length);
    // rows of rotations are scaled by 1 / length
    Eigen::Matrix<double, 6, 1> row_norm = G.rowwise().norm();
    Eigen::FullPivLU<Six> lu(row_norm.cwiseInverse().asDiagonal() * G);
    constexpr double kMinMotionPivot = 1e-10;  // rows have unit length
    lu.setThreshold(kMinMotionPivot);
    if (!lu.isInvertible()) return "the rigid motion is not determined by its six independent DOFs";
    const Six inverse = lu.inverse() * row_norm.cwiseInverse().asDiagonal();
    for (const Dof& dof : dependent)
      add_row(dof, lead, motion(dof, origin, length) * inverse);
    return "";
  }

  /// Adds the equations u_P = u_I + theta_I x (P - I), in basic DOFs of the independent node I.
  /// Adds none for an element to which femflex/constraints.h applies this rule itself.
  void follow_node(const RawConstraint& element,
                   std::int64_t leader,
                   const std::vector<Dof>& dependent) {
    const bool has_rigid_rule = element.type == "RBE2" || element.type == "RIGID BODY";
    const bool has_full_triads = element.components.find("123") != std::string::npos &&
                                 (element.components.size() == 3 || element.components == "123456");
    const bool is_implied =
        has_rigid_rule && std::all_of(dependent.begin(), dependent.end(), [&](Dof dof) {
          return has_full_triads || displacement_axes(gathered_, dof.node).isIdentity(0.0);
        });
    if (is_implied) return;
    for (const Dof& dof : dependent) {
      const Eigen::Vector3d axis =
          displacement_axes(gathered_, dof.node).col((dof.component - 1) % 3);
      const Eigen::Vector3d arm = node(dof.node)->position - node(leader)->position;
      LocalEquation out{dof, {}, element_index_};
      const Eigen::Vector3d rotation = dof.component <= 3 ? arm.cross(axis) : axis;
      const double min_factor = kMinComponent * std::max(1.0, arm.norm());
      for (int c = 0; c < 3; ++c) {
        if (dof.component <= 3 && std::abs(axis(c)) > kMinComponent)
          out.terms.push_back({{leader, static_cast<std::int8_t>(1 + c)}, axis(c)});
        if (std::abs(rotation(c)) > min_factor)
          out.terms.push_back({{leader, static_cast<std::int8_t>(4 + c)}, rotation(c)});
      }
      local_.push_back(std::move(out));
    }
  }

  /// Adds the equations of an RBE3. The reference point moves as the rigid body that fits the
  /// weighted DOFs best: q = (S' W S)^-1 S' W u.
  std::string weighted(const RawConstraint& element) {
    const std::vector<Dof>& lead = element.independent_dofs;
    const std::vector<Dof>& reference = element.reference_dofs;
    if (std::string reason = missing(reference); !reason.empty()) return reason;
    if (lead.empty() || reference.empty()) return "it has no independent DOF or no reference DOF";
    for (const Dof& dof : reference)
      if (std::find(lead.begin(), lead.end(), dof) != lead.end())
        return fmt::format("it names {} as reference and as independent DOF", to_string(dof));
    const Eigen::Vector3d origin = node(reference[0].node)->position;
    std::set<std::int64_t> points;  // each point once, even if several of its DOFs are independent
    for (const Dof& dof : lead)
      points.insert(dof.node);
    double length = 0.0;
    for (const std::int64_t id : points)
      length += (node(id)->position - origin).norm() / static_cast<double>(points.size());
    if (length == 0.0) length = 1.0;
    const auto n = static_cast<Eigen::Index>(lead.size());
    Eigen::MatrixXd S(n, 6);
    Eigen::VectorXd w(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Dof& dof = lead[static_cast<std::size_t>(i)];
      S.row(i) = motion(dof, origin, length);
      // a rotation is weighted like a translation at the mean distance
      w(i) = element.factors[static_cast<std::size_t>(i)] *
             (dof.component > 3 ? length * length : 1.0);
    }
    if (!(w.minCoeff() >= 0.0) || w.maxCoeff() <= 0.0) return "its weights are not positive";
    const Eigen::SelfAdjointEigenSolver<Six> G(S.transpose() * w.asDiagonal() * S);
    // A motion is undetermined if its eigenvalue is below the first limit times the largest one. A
    // reference DOF is undetermined if such motions make more than the second limit of its row.
    constexpr double kMinEigenvalue = 1e-10;
    constexpr double kMaxUndetermined = 1e-6;
    const double min_eigenvalue = kMinEigenvalue * G.eigenvalues()(5);
    Six inverse = Six::Zero();     // inverse only on the motions that the DOFs determine
    Six determined = Six::Zero();  // projector on these motions
    for (Eigen::Index j = 0; j < 6; ++j) {
      if (!(G.eigenvalues()(j) > min_eigenvalue)) continue;
      const Six part = G.eigenvectors().col(j) * G.eigenvectors().col(j).transpose();
      inverse += part / G.eigenvalues()(j);
      determined += part;
    }
    // E u = 0 is solved for the dependent DOFs; each row is a reference DOF minus the motion of the
    // best-fitting rigid body there
    std::vector<Dof> all = reference;
    all.insert(all.end(), lead.begin(), lead.end());
    const auto m = static_cast<Eigen::Index>(reference.size());
    Eigen::MatrixXd E(m, m + n);
    E.leftCols(m).setIdentity();
    for (Eigen::Index i = 0; i < m; ++i) {
      const Dof& dof = reference[static_cast<std::size_t>(i)];
      const Row6 row = motion(dof, origin, length);
      if ((row * determined - row).norm() > kMaxUndetermined * row.norm())
        return fmt::format("its independent DOFs do not determine the motion of {}",
                           to_string(dof));
      E.row(i).tail(n) = -(row * inverse * S.transpose()).cwiseProduct(w.transpose());
    }
    return solve(element.dependent_dofs, all, E);
  }

  /// Solves E u = 0, where the columns of E belong to the DOFs `all`, for the dependent DOFs, and
  /// adds the equations. Returns the reason if that is impossible, else an empty text.
  std::string solve(const std::vector<Dof>& dependent,
                    const std::vector<Dof>& all,
                    const Eigen::MatrixXd& E) {
    if (static_cast<Eigen::Index>(dependent.size()) != E.rows())
      return fmt::format("{} dependent DOFs but {} equations", dependent.size(), E.rows());
    std::vector<Eigen::Index> dependent_cols;
    for (const Dof& dof : dependent) {
      const auto it = std::find(all.begin(), all.end(), dof);
      if (it == all.end()) return fmt::format("{} is not one of its DOFs", to_string(dof));
      dependent_cols.push_back(it - all.begin());
    }
    std::vector<Eigen::Index> independent_cols;
    std::vector<Dof> lead;
    for (std::size_t j = 0; j < all.size(); ++j) {
      const auto index = static_cast<Eigen::Index>(j);
      if (std::find(dependent_cols.begin(), dependent_cols.end(), index) != dependent_cols.end())
        continue;
      independent_cols.push_back(index);
      lead.push_back(all[j]);
    }
    const Eigen::MatrixXd E_m = E(Eigen::all, dependent_cols);
    Eigen::FullPivLU<Eigen::MatrixXd> lu(E_m);
    constexpr double kMinRelativePivot = 1e-12;
    lu.setThreshold(kMinRelativePivot);
    if (!lu.isInvertible()) return "its dependent DOFs are not determined by the independent ones";
    const Eigen::MatrixXd factors =
        E_m.isIdentity(0.0) ? Eigen::MatrixXd(-E(Eigen::all, independent_cols))
                            : Eigen::MatrixXd(-lu.solve(E(Eigen::all, independent_cols).eval()));
    for (std::size_t i = 0; i < dependent.size(); ++i)
      add_row(dependent[i], lead, factors.row(static_cast<Eigen::Index>(i)));
    return "";
  }

  std::string equation(const RawConstraint& element) {
    const Dof& dependent = element.dependent_dofs.front();
    double factor = element.factors[0];
    LocalEquation out{dependent, {}, element_index_};
    for (std::size_t j = 0; j < element.independent_dofs.size(); ++j)
      if (element.independent_dofs[j] == dependent) factor += element.factors[j + 1];
    if (factor == 0.0) return fmt::format("the factor of {} is zero", to_string(dependent));
    for (std::size_t j = 0; j < element.independent_dofs.size(); ++j)
      if (element.independent_dofs[j] != dependent)
        add_term(out.terms, element.independent_dofs[j], -element.factors[j + 1] / factor);
    local_.push_back(std::move(out));
    return "";
  }

  /// Adds e' (u_B - u_A) = 0, with the unit vector e along the rod from A to B.
  std::string rod(const RawConstraint& element) {
    // smaller cosines count as perpendicular: coordinates have seven digits
    constexpr double kPerpendicular = 1e-6;
    // smaller cosines are round-off of the axes and give no term
    constexpr double kMinCosine = 1e-15;
    const std::int64_t other = element.independent.front();
    const std::vector<Dof> dependent = dependent_dofs(element);
    if (dependent.size() != 1 || dependent[0].component > 3)
      return "it must name exactly one translation";
    if (node(other) == nullptr) return fmt::format("there is no grid {}", other);
    const Dof& dof = dependent.front();
    const Eigen::Vector3d along = node(dof.node)->position - node(other)->position;
    if (along.norm() == 0.0) return "its ends coincide";
    const Eigen::Vector3d e =
        displacement_axes(gathered_, dof.node).transpose() * along.normalized();
    const Eigen::Vector3d e_other =
        displacement_axes(gathered_, other).transpose() * along.normalized();
    const double factor = e(dof.component - 1);
    if (std::abs(factor) < kPerpendicular)
      return fmt::format("it is perpendicular to {}", to_string(dof));
    LocalEquation out{dof, {}, element_index_};
    for (std::int8_t c = 0; c < 3; ++c) {
      if (c + 1 != dof.component && std::abs(e(c)) > kMinCosine)
        add_term(out.terms, {dof.node, static_cast<std::int8_t>(c + 1)}, -e(c) / factor);
      if (std::abs(e_other(c)) > kMinCosine)
        add_term(out.terms, {other, static_cast<std::int8_t>(c + 1)}, e_other(c) / factor);
    }
    local_.push_back(std::move(out));
    return "";
  }

  const Gathered& gathered_;
  std::vector<LocalEquation> local_;
  std::int64_t element_index_ = 0;  // of the current element
};

}  // namespace

Constraints constraint_equations(const Gathered& gathered) {
  return EquationBuilder(gathered).build();
}

}  // namespace femflex::importer

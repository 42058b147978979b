// Converts between a body and the Taylor objects of SID, docs/theory/body_files.md eq. (3) to (13).
// Notation: c position, phi shape, m mass of a node; a~ b = a x b; invariants by number as in
// inertia_invariants.h; l and k modes, n their number, w angular velocity, G_c stiffening matrix of
// a cause.
#include "formats/sid_objects.h"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/frames.h"
#include "femflex/largest.h"

#include "derive.h"

namespace femflex::flexfile {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Cause = GeometricStiffness::Cause;

/// Positions of the six numbers of a symmetric tensor. J stores xz before yz, Oe stores yz before
/// xz.
using Order = std::array<std::pair<Index, Index>, 6>;
constexpr Order kJ{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};
constexpr Order kOe{{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}}};

VectorXd six_of_tensor(const Matrix3d& a) {
  VectorXd six(6);
  for (std::size_t k = 0; k < 6; ++k)
    six(static_cast<Index>(k)) = a(kJ[k].first, kJ[k].second);
  return six;
}

Matrix3d tensor_of_six(const VectorXd& six) {
  Matrix3d a;
  for (std::size_t k = 0; k < 6; ++k) {
    a(kJ[k].first, kJ[k].second) = six(static_cast<Index>(k));
    a(kJ[k].second, kJ[k].first) = six(static_cast<Index>(k));
  }
  return a;
}

/// w' A w as coefficients of (wx^2, wy^2, wz^2, wx wy, wy wz, wx wz).
Eigen::RowVectorXd quadratic(const Matrix3d& A) {
  Eigen::RowVectorXd six(6);
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [i, j] = kOe[k];
    six(static_cast<Index>(k)) = i == j ? A(i, i) : A(i, j) + A(j, i);
  }
  return six;
}

Taylor constant(MatrixXd m0) {
  return {std::move(m0), {}};
}

Taylor first_order(Index rows, Index cols, Index n) {
  return {MatrixXd::Zero(rows, cols),
          std::vector<MatrixXd>(static_cast<std::size_t>(n), MatrixXd::Zero(rows, cols))};
}

/// The stiffening matrices of `count` causes from `first` on: null if the body has none.
std::vector<const MatrixXd*> stiffening(const FlexBody& body, Cause first, std::size_t count) {
  std::vector<const MatrixXd*> found(count, nullptr);
  for (const GeometricStiffness& g : body.geometric) {
    const auto k = static_cast<std::ptrdiff_t>(g.cause) - static_cast<std::ptrdiff_t>(first);
    if (k >= 0 && k < static_cast<std::ptrdiff_t>(count))
      found[static_cast<std::size_t>(k)] = &g.stiffness;
  }
  return found;
}

/// True if the body has one of the causes.
bool has_any(const std::vector<const MatrixXd*>& terms) {
  for (const MatrixXd* term : terms)
    if (term != nullptr) return true;
  return false;
}

/// Adds the stiffening matrix G_c of each cause c: m1[l](i, c) += G_c(i, l).
void add_stiffening(Taylor& object, const std::vector<const MatrixXd*>& terms) {
  for (std::size_t c = 0; c < terms.size(); ++c) {
    if (terms[c] == nullptr) continue;
    for (std::size_t l = 0; l < object.m1.size(); ++l)
      object.m1[l].col(static_cast<Index>(c)) += terms[c]->col(static_cast<Index>(l));
  }
}

// largest relative difference of numbers that count as equal: files have 12 digits, of which
// differences of terms lose a few
constexpr double kMaxRelativeDifference = 1e-9;

/// Parts of a matrix with the columns n l + k (modes l and k) that change sign, or do not, if the
/// two modes are exchanged.
struct ModeParts {
  Eigen::Matrix3Xd antisymmetric, symmetric;
};
ModeParts split_modes(const Eigen::Matrix3Xd& a, Index n) {
  ModeParts out{a, a};
  for (Index l = 0; l < n; ++l)
    for (Index k = 0; k < n; ++k) {
      out.antisymmetric.col(n * l + k) = 0.5 * (a.col(n * l + k) - a.col(n * k + l));
      out.symmetric.col(n * l + k) = 0.5 * (a.col(n * l + k) + a.col(n * k + l));
    }
  return out;
}

/// Warns if a relation between objects is violated.
void check_relation(Diagnostics& diagnostics,
                    const char* relation,
                    const MatrixXd& difference,
                    double scale) {
  constexpr double kMaxViolation = 1e-8;  // relative to the largest entry; larger is not round-off
  const double size = largest(difference);
  if (size > kMaxViolation * scale && size > 0.0)
    diagnostics.warn("sid-identity",
                     fmt::format("{} is violated by {:.1e} of the largest entry",
                                 relation,
                                 scale > 0.0 ? size / scale : size));
}

/// Half of Ge as a matrix with the columns n l + k, like invariant 5. Files order the columns of Ge
/// mode by mode or (one generator) component by component. The order is taken that is closer to the
/// antisymmetric part of `rate` or, if `rate` is empty, closer to being antisymmetric.
Eigen::Matrix3Xd rate_from_ge(const MatrixXd& Ge, const Eigen::Matrix3Xd& rate) {
  const Index n = Ge.rows();
  Eigen::Matrix3Xd mode_major(3, n * n);
  Eigen::Matrix3Xd component_major(3, n * n);
  for (Index l = 0; l < n; ++l)
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < 3; ++c) {
        mode_major(c, n * l + i) = 0.5 * Ge(i, 3 * l + c);
        component_major(c, n * l + i) = 0.5 * Ge(i, n * c + l);
      }
  const auto distance = [&](const Eigen::Matrix3Xd& a) {
    return largest(rate.size() > 0 ? split_modes(Eigen::Matrix3Xd(a - rate), n).antisymmetric
                                   : split_modes(a, n).symmetric);
  };
  return distance(mode_major) <= distance(component_major) ? mode_major : component_major;
}

/// Splits Cr.m1 into invariant 5 (returned) and `stiffening` by angular acceleration. The part of
/// Cr.m1 that is antisymmetric in the modes always belongs to invariant 5. A symmetric part belongs
/// to invariant 5 if masses are not lumped; otherwise it is stiffening. The file tells which: the
/// antisymmetric parts of the blocks of Gr.m1 are invariant 5, and Ge = 2 Cr.m1 means no
/// stiffening. docs/theory/body_files.md eq. (13)
Eigen::Matrix3Xd rate_of_file(const SidObjects& s, Eigen::Matrix3Xd& stiffening) {
  const Index n = s.Me.m0.rows();
  stiffening = Eigen::Matrix3Xd::Zero(3, n * n);
  if (s.Cr.m1.empty()) return rate_from_ge(s.Ge.m0, {});
  Eigen::Matrix3Xd all(3, n * n);  // column n l + k
  for (Index l = 0; l < n; ++l)
    all.middleCols(n * l, n) = s.Cr.m1[static_cast<std::size_t>(l)].transpose();
  const double scale = largest(all);
  const ModeParts parts = split_modes(all, n);
  if (largest(parts.symmetric) <= kMaxRelativeDifference * scale) return all;
  if (!s.Gr.m1.empty()) {
    Eigen::Matrix3Xd rate(3, n * n);
    for (Index l = 0; l < n; ++l)
      for (Index k = 0; k < n; ++k) {
        const Matrix3d g = s.Gr.m1[static_cast<std::size_t>(l)].middleCols<3>(3 * k);
        rate.col(n * l + k) =
            -0.5 * Eigen::Vector3d(g(2, 1) - g(1, 2), g(0, 2) - g(2, 0), g(1, 0) - g(0, 1));
      }
    if (largest(split_modes(rate, n).antisymmetric - parts.antisymmetric) <=
        kMaxRelativeDifference * scale) {
      stiffening = all - rate;
      return rate;
    }
  }
  if (largest(rate_from_ge(s.Ge.m0, all) - all) <= kMaxRelativeDifference * scale) return all;
  stiffening = parts.symmetric;
  return parts.antisymmetric;
}

}  // namespace

SidObjects sid_objects(const FlexBody& body) {
  const InertiaInvariants& inv = body.invariants;
  const Index n = body.mode_count();
  SidObjects s;
  s.mass = inv.mass;
  s.mdCM = first_order(3, 1, n);
  s.mdCM.m0 = inv.first_moment;
  s.J = first_order(6, 1, n);
  s.J.m0 = six_of_tensor(0.5 * (inv.inertia + inv.inertia.transpose()));
  s.Ct = constant(inv.translation.transpose());
  s.Cr = first_order(n, 3, n);
  s.Cr.m0 = inv.rotation.transpose();
  s.Me = constant(0.5 * (body.mass + body.mass.transpose()));
  // With lumped masses Gr follows from invariants 8 and 9 alone; otherwise from the kinetic energy.
  const ModeParts rate = split_modes(inv.translation_rate, n);
  const bool is_lumped =
      largest(rate.symmetric) <= kMaxRelativeDifference * std::max(largest(rate.antisymmetric),
                                                                   largest(inv.inertia_curvature));
  s.Gr = constant(-2.0 * inv.inertia_rate);
  s.Ge = constant(MatrixXd::Zero(n, 3 * n));
  s.Oe = first_order(n, 6, n);
  s.ksigma = constant(MatrixXd::Zero(n, 1));
  s.Ke = constant(0.5 * (body.stiffness + body.stiffness.transpose()));
  const MatrixXd b = damping_matrix(body);
  s.De = constant(0.5 * (b + b.transpose()));
  for (Index l = 0; l < n; ++l) {
    const auto at = static_cast<std::size_t>(l);
    const Matrix3d B = inv.inertia_rate.middleCols<3>(3 * l);  // m c~ phi_l~
    s.mdCM.m1[at] = inv.translation.col(l);
    s.J.m1[at] = six_of_tensor(-(B + B.transpose()));
    s.Cr.m1[at] = inv.translation_rate.middleCols(n * l, n).transpose();
    s.Ge.m0.middleCols<3>(3 * l) = 2.0 * rate.antisymmetric.middleCols(n * l, n).transpose();
    if (!is_lumped)
      s.Gr.m0.middleCols<3>(3 * l) = -(B + B.transpose()) - cross_matrix(inv.rotation.col(l));
    s.Oe.m0.row(l) = quadratic(B.transpose());  // m phi_l~ c~
    for (Index k = 0; k < n; ++k)
      s.Oe.m1[at].row(k) = quadratic(inv.inertia_curvature.block<3, 3>(3 * k, 3 * l));
  }
  // stiffening acts on the equations of the modes: m1[l](i, cause) += G_cause(i, l)
  const auto linear = stiffening(body, Cause::acceleration_x, 3);
  if (has_any(linear)) {
    s.Ct.m1.assign(static_cast<std::size_t>(n), MatrixXd::Zero(n, 3));
    add_stiffening(s.Ct, linear);
  }
  const auto angular = stiffening(body, Cause::angular_acceleration_x, 3);
  add_stiffening(s.Cr, angular);
  const auto spin = stiffening(body, Cause::spin_xx, 6);
  add_stiffening(s.Oe, spin);
  // only in these cases a reader needs Gr.m1, to separate inertia and stiffening in Oe and Cr
  if (has_any(spin) || has_any(angular) || !is_lumped) {
    s.Gr.m1.assign(static_cast<std::size_t>(n), MatrixXd::Zero(3, 3 * n));
    for (Index k = 0; k < n; ++k)
      for (Index l = 0; l < n; ++l) {
        const Matrix3d H = inv.inertia_curvature.block<3, 3>(3 * k, 3 * l);
        s.Gr.m1[static_cast<std::size_t>(k)].middleCols<3>(3 * l) =
            -(H + H.transpose()) - cross_matrix(inv.translation_rate.col(n * k + l));
      }
  }
  return s;
}

namespace {

/// a(i, l) = m1[l](i, column)
MatrixXd gathered(const Taylor& object, Index column) {
  MatrixXd a(object.m0.rows(), static_cast<Index>(object.m1.size()));
  for (Index l = 0; l < a.cols(); ++l)
    a.col(l) = object.m1[static_cast<std::size_t>(l)].col(column);
  return a;
}

/// Adds the symmetric part of `stiffness` for cause number k from `first` on, unless it is
/// round-off relative to `scale`.
void add_if_relevant(std::vector<GeometricStiffness>& geometric,
                     Cause first,
                     Index k,
                     const MatrixXd& stiffness,
                     double scale) {
  MatrixXd half = 0.5 * (stiffness + stiffness.transpose());
  if (largest(half) > kMaxRelativeDifference * scale)
    geometric.push_back({static_cast<Cause>(static_cast<Index>(first) + k), 0, 0, std::move(half)});
}

/// Reads invariant 9 from Oe.m1 and, if Gr.m1 separates the two, stiffening by spin. eq. (10), (13)
void read_curvature(const SidObjects& s,
                    InertiaInvariants& inv,
                    std::vector<GeometricStiffness>& geometric) {
  if (s.Oe.m1.empty()) return;
  const Index n = s.Me.m0.rows();
  if (s.Gr.m1.empty()) {  // the antisymmetric part of a block is half of invariant 5
    for (Index l = 0; l < n; ++l)
      for (Index k = 0; k < n; ++k) {
        Matrix3d h = 0.5 * cross_matrix(inv.translation_rate.col(n * k + l));
        const auto six = s.Oe.m1[static_cast<std::size_t>(l)].row(k);
        for (std::size_t c = 0; c < 6; ++c) {
          const auto [p, q] = kOe[c];
          const double half = p == q ? 1.0 : 0.5;
          h(p, q) += half * six(static_cast<Index>(c));
          if (p != q) h(q, p) += half * six(static_cast<Index>(c));
        }
        inv.inertia_curvature.block<3, 3>(3 * k, 3 * l) = h;
      }
    return;
  }
  for (Index k = 0; k < n; ++k)
    inv.inertia_curvature.middleRows<3>(3 * k) = -0.5 * s.Gr.m1[static_cast<std::size_t>(k)];
  for (Index c = 0; c < 6; ++c) {
    MatrixXd a = gathered(s.Oe, c);
    const double scale = largest(a);
    for (Index l = 0; l < n; ++l)
      for (Index k = 0; k < n; ++k)
        a(k, l) -= quadratic(inv.inertia_curvature.block<3, 3>(3 * k, 3 * l))(c);
    add_if_relevant(geometric, Cause::spin_xx, c, a, scale);
  }
}

/// Checks the relations that must hold between the objects of a file.
void check_identities(const SidObjects& s, const InertiaInvariants& inv, Diagnostics& diagnostics) {
  if (!s.Cr.m1.empty()) {
    const Eigen::Matrix3Xd& rate = inv.translation_rate;
    const Eigen::Matrix3Xd from_Ge = rate_from_ge(s.Ge.m0, rate);
    const Eigen::Matrix3Xd full_error = from_Ge - rate;  // for files that store 2 Cr.m1
    const Eigen::Matrix3Xd half_error = from_Ge - split_modes(rate, s.Me.m0.rows()).antisymmetric;
    check_relation(diagnostics,
                   "Ge = Cr.m1 less its transpose",
                   largest(half_error) < largest(full_error) ? half_error : full_error,
                   std::max(largest(from_Ge), largest(rate)));
  }
  for (std::size_t l = 0; l < s.mdCM.m1.size(); ++l)
    check_relation(diagnostics,
                   "mdCM.m1 = Ct' (modal shift of the centre)",
                   s.mdCM.m1[l] - inv.translation.col(static_cast<Index>(l)),
                   largest(inv.translation));
  for (std::size_t l = 0; l < s.J.m1.size(); ++l) {
    const Matrix3d B = inv.inertia_rate.middleCols<3>(3 * static_cast<Index>(l));
    const Matrix3d J1 = tensor_of_six(s.J.m1[l]);
    check_relation(
        diagnostics, "sym Gr = J.m1", -(B + B.transpose()) - J1, largest(inv.inertia_rate));
    check_relation(diagnostics,
                   "Oe.m0 from J.m1",
                   quadratic(-0.5 * J1) - s.Oe.m0.row(static_cast<Index>(l)),
                   largest(inv.inertia_rate));
  }
}

}  // namespace

void body_from_sid(const SidObjects& s, FlexBody& body, Diagnostics& diagnostics) {
  const Index n = s.Me.m0.rows();
  body.mass = 0.5 * (s.Me.m0 + s.Me.m0.transpose());
  body.stiffness = 0.5 * (s.Ke.m0 + s.Ke.m0.transpose());
  if (largest(s.De.m0) > 0.0) body.damping = 0.5 * (s.De.m0 + s.De.m0.transpose());
  InertiaInvariants inv = zero_invariants(n);
  inv.mass = s.mass;
  inv.first_moment = s.mdCM.m0;
  inv.translation = s.Ct.m0.transpose();
  inv.rotation = s.Cr.m0.transpose();
  inv.modal = body.mass;
  inv.inertia = tensor_of_six(s.J.m0);
  if (largest(s.Gr.m0) > 0.0) {
    inv.inertia_rate = -0.5 * s.Gr.m0;
  } else {
    for (std::size_t l = 0; l < s.J.m1.size(); ++l)  // J gives only the symmetric part
      inv.inertia_rate.middleCols<3>(3 * static_cast<Index>(l)) = -0.5 * tensor_of_six(s.J.m1[l]);
  }

  std::vector<GeometricStiffness> geometric;
  for (Index c = 0; c < 3 && !s.Ct.m1.empty(); ++c)
    add_if_relevant(geometric, Cause::acceleration_x, c, gathered(s.Ct, c), 0.0);
  Eigen::Matrix3Xd angular;
  inv.translation_rate = rate_of_file(s, angular);
  const double scale = std::max(largest(inv.translation_rate), largest(angular));
  for (Index c = 0; c < 3; ++c) {
    const VectorXd row = angular.row(c).transpose();  // n l + k
    add_if_relevant(geometric,
                    Cause::angular_acceleration_x,
                    c,
                    Eigen::Map<const MatrixXd>(row.data(), n, n),
                    scale);
  }
  read_curvature(s, inv, geometric);
  check_identities(s, inv, diagnostics);
  if (largest(s.ksigma.m0) > 0.0)
    diagnostics.warn("sid-ksigma", "the modal force of an initial stress (ksigma) is not read");
  body.invariants = std::move(inv);
  body.geometric = std::move(geometric);
}

}  // namespace femflex::flexfile

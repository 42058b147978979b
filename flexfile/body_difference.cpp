// Compares two flexible bodies a and b, whose modes may be different bases of the same motions. A
// least-squares fit on the common nodes gives T with shapes_b T = shapes_a; b is transformed by T
// to the modal coordinates of a before the comparison.
#include "femflex/flexfile/body_difference.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "femflex/damping.h"
#include "femflex/dense.h"
#include "femflex/flexfile/flexfile.h"
#include "femflex/flexfile/invariant_errors.h"
#include "femflex/largest.h"

#include "derive.h"
#include "format_contents.h"
#include "format_table.h"
#include "formats/flex.h"

namespace femflex::flexfile {
namespace {

namespace fs = std::filesystem;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Largest difference of two entries, relative to the largest entry of both matrices.
double relative(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
  const double scale = std::max(largest(a), largest(b));
  return scale > 0.0 ? largest(a - b) / scale : 0.0;
}

/// Largest difference of two quadratic forms: entry (i, j) relative to s_i s_j, where s_i^2 is the
/// larger diagonal entry i of the two.
double relative_form(const MatrixXd& a, const MatrixXd& b) {
  if (a.rows() != b.rows()) return INFINITY;
  const VectorXd scale = a.diagonal().cwiseAbs().cwiseMax(b.diagonal().cwiseAbs()).cwiseSqrt();
  constexpr double kMinScale = 1e-12;  // s_i of a zero diagonal, relative to the largest s_i
  const double min_scale = kMinScale * largest(scale);
  double worst = 0.0;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      if (const double bound = std::max(scale(i), min_scale) * std::max(scale(j), min_scale);
          bound > 0.0)
        worst = std::max(worst, std::abs(a(i, j) - b(i, j)) / bound);
  return worst;
}

/// Diagonal of the box around the nodes [m].
double size_of(const FlexBody& body) {
  const Eigen::Matrix3Xd c = positions_of(body);
  if (c.cols() == 0) return 0.0;
  return (c.rowwise().maxCoeff() - c.rowwise().minCoeff()).norm();
}

/// Three of the six rows of each node in `nodes`: from 0 on translations, from 3 on rotations.
MatrixXd rows_of(const MatrixXd& shapes, const std::vector<Index>& nodes, Index first) {
  MatrixXd out(static_cast<Index>(nodes.size()) * 3, shapes.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    out.middleRows(static_cast<Index>(i) * 3, 3) = shapes.middleRows(6 * nodes[i] + first, 3);
  return out;
}

/// Translations of each node in `nodes`, below them its rotations times `length`.
MatrixXd all_rows(const MatrixXd& shapes, const std::vector<Index>& nodes, double length) {
  const Index half = static_cast<Index>(nodes.size()) * 3;
  MatrixXd out(2 * half, shapes.cols());
  out.topRows(half) = rows_of(shapes, nodes, 0);
  out.bottomRows(half) = length * rows_of(shapes, nodes, 3);
  return out;
}

/// Compares two bodies in the modal coordinates of `a`.
class Comparison {
 public:
  Comparison(const FlexBody& a,
             const FlexBody& b,
             const CommonNodes& nodes,
             const std::vector<std::string>& lacking,
             double tolerance)
      : a_(a), b_(b), nodes_(nodes), lacking_(lacking), tolerance_(tolerance) {
    find_coordinates();
  }

  std::vector<BodyAspect> compare() {
    compare_nodes();
    compare_interface();
    compare_masses();
    compare_shapes();
    compare_invariants();
    compare_damping();
    compare_stiffening();
    compare_initial_state();
    compare_acting_modes();
    compare_back_transformation();
    return std::move(aspects_);
  }

 private:
  /// True if the file of one body cannot store the aspect.
  bool lacks(std::string_view name) const {
    return std::find(lacking_.begin(), lacking_.end(), name) != lacking_.end();
  }
  /// Records an aspect that was compared, and whether it is the same.
  void judge(std::string name, double difference, std::string remark = {}) {
    const bool is_same = difference <= tolerance_;
    aspects_.push_back({std::move(name),
                        difference,
                        is_same ? BodyAspect::Verdict::same : BodyAspect::Verdict::differs,
                        std::move(remark)});
  }
  /// Records an aspect that was not compared, and why.
  void skip(std::string name, BodyAspect::Verdict verdict, std::string remark) {
    aspects_.push_back({std::move(name), std::nan(""), verdict, std::move(remark)});
  }
  /// Handles an aspect that one of the bodies may lack; true if both have it.
  bool is_in_both(const std::string& name, const std::string& in_format, bool in_a, bool in_b) {
    if (in_a && in_b) return true;
    if (!in_a && !in_b) return false;
    const std::string missing = in_a ? "the second" : "the first";
    if (lacks(in_format))
      skip(name, BodyAspect::Verdict::not_stored, "the format of " + missing + " cannot store it");
    else
      judge(name, INFINITY, missing + " body does not have it");
    return false;
  }

  /// Finds T with b.shapes T = a.shapes on the common nodes: in translations or, where these do not
  /// distinguish the modes of both bodies, as those of a few nodes of beams, in rotations as well.
  void find_coordinates() {
    MatrixXd A = rows_of(a_.shapes, nodes_.a, 0);
    MatrixXd B = rows_of(b_.shapes, nodes_.b, 0);
    if (A.cols() == B.cols() && relative(A, B) <= kMaxModeDifference) {
      T_ = MatrixXd::Identity(A.cols(), A.cols());
      is_identity_ = true;
      return;
    }
    Eigen::ColPivHouseholderQR<MatrixXd> qr(B);
    const double length = size_of(a_);
    if (qr.rank() < B.cols() && length > 0.0 && !rows_of(a_.shapes, nodes_.a, 3).isZero(0.0) &&
        !rows_of(b_.shapes, nodes_.b, 3).isZero(0.0)) {
      A = all_rows(a_.shapes, nodes_.a, length);
      B = all_rows(b_.shapes, nodes_.b, length);
      qr.compute(B);
    }
    has_enough_nodes_ = qr.rank() == B.cols();
    if (B.cols() == 0 || !has_enough_nodes_) return;
    const MatrixXd T = qr.solve(A);
    for (Index j = 0; j < A.cols(); ++j)
      if ((A.col(j) - B * T.col(j)).norm() > kMaxModeDifference * A.col(j).norm()) return;
    T_ = T;
  }

  void compare_nodes() {
    const bool has_all = nodes_.a.size() == a_.nodes.size() && nodes_.b.size() == b_.nodes.size();
    double worst = 0.0;
    for (std::size_t i = 0; i < nodes_.a.size(); ++i)
      worst = std::max(worst,
                       (a_.nodes[static_cast<std::size_t>(nodes_.a[i])].position -
                        b_.nodes[static_cast<std::size_t>(nodes_.b[i])].position)
                           .norm());
    const double size = size_of(a_);
    const std::string common = has_all ? std::string()
                                       : fmt::format("{} nodes in common of {} and {}",
                                                     nodes_.a.size(),
                                                     a_.nodes.size(),
                                                     b_.nodes.size());
    if (nodes_.by_position)
      skip("node ids", BodyAspect::Verdict::not_stored, "nodes are matched by their positions");
    judge("node positions", size > 0.0 ? worst / size : worst, common);
  }

  void compare_interface() {
    const char* name = "interface nodes";
    if (nodes_.by_position) return;  // their numbers are not those of nodes
    if (!is_in_both(name, name, !a_.interface_nodes.empty(), !b_.interface_nodes.empty())) return;
    const std::set<std::int64_t> a(a_.interface_nodes.begin(), a_.interface_nodes.end());
    const std::set<std::int64_t> b(b_.interface_nodes.begin(), b_.interface_nodes.end());
    if (a == b)
      return judge(
          name, 0.0, a_.interface_nodes == b_.interface_nodes ? "" : "the same in another order");
    std::vector<std::int64_t> other;  // in one of the bodies alone
    std::set_symmetric_difference(
        a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(other));
    judge(name,
          INFINITY,
          fmt::format("{} and {}; {} of them in one body alone, the first is {}",
                      a.size(),
                      b.size(),
                      other.size(),
                      other.front()));
  }

  /// Masses at the nodes. Files of other formats may hold fitted ones, which give the invariants.
  void compare_masses() {
    const char* name = "nodal masses";
    const auto masses = [](const FlexBody& body, const std::vector<Index>& nodes) -> MatrixXd {
      if (body.lumped_mass.rows() != body.node_count()) return MatrixXd::Zero(std::ssize(nodes), 6);
      return body.lumped_mass(nodes, Eigen::all);
    };
    const MatrixXd a = masses(a_, nodes_.a), b = masses(b_, nodes_.b);
    if (!is_in_both(name, name, !a.isZero(0.0), !b.isZero(0.0))) return;
    const double difference =
        std::max(relative(a.leftCols(3), b.leftCols(3)), relative(a.rightCols(3), b.rightCols(3)));
    if (difference > tolerance_ && lacks(name))
      skip(name, BodyAspect::Verdict::not_stored, "a file holds others, fitted to the invariants");
    else
      judge(name, difference);
  }

  void compare_shapes() {
    if (!T_) {
      skip("shapes",
           a_.mode_count() == b_.mode_count() ? BodyAspect::Verdict::differs
                                              : BodyAspect::Verdict::not_compared,
           fmt::format("{}: invariants 3 to 6, 8 and 9, damping and stiffening are not compared",
                       has_enough_nodes_
                           ? "the modes of the second body do not span those of the first"
                           : "the common nodes are too few to distinguish the modes"));
      return;
    }
    const std::string remark = is_identity_ ? "" : "in other coordinates";
    judge("shapes",
          relative(rows_of(a_.shapes, nodes_.a, 0), rows_of(b_.shapes, nodes_.b, 0) * *T_),
          remark);
    const MatrixXd rotations_a = rows_of(a_.shapes, nodes_.a, 3);
    const MatrixXd rotations_b = rows_of(b_.shapes, nodes_.b, 3);
    if (is_in_both(
            "rotation shapes", "rotations", !rotations_a.isZero(0.0), !rotations_b.isZero(0.0)))
      judge("rotation shapes", relative(rotations_a, rotations_b * *T_), remark);
  }

  void compare_invariants() {
    InertiaInvariants a = a_.invariants;
    InertiaInvariants b = b_.invariants;
    // bodies built by other programs may lack invariants of their modes
    const bool are_of_modes = T_ && a.modes() == a_.mode_count() && b.modes() == b_.mode_count();
    if (are_of_modes) {
      b = in_basis(b, *T_);
    } else {
      a = in_basis(a, MatrixXd::Zero(a.modes(), 0));
      b = in_basis(b, MatrixXd::Zero(b.modes(), 0));
    }
    const InvariantErrors errors = invariant_errors(b, a);
    for (std::size_t k = 0; k < errors.of.size(); ++k) {
      const bool is_rigid = k == 0 || k == 1 || k == 6;
      const bool is_coupling = k == 4 || k == 7 || k == 8;
      const std::string name = fmt::format("invariant {}", k + 1);
      if (is_coupling && are_of_modes && has_partial_coupling(a) != has_partial_coupling(b))
        skip(name,
             BodyAspect::Verdict::not_compared,
             fmt::format("the {} body has partial coupling: 5, 8 and 9 are zero",
                         has_partial_coupling(a) ? "first" : "second"));
      else if (is_rigid || are_of_modes)
        judge(name, errors.of[k]);
    }
  }

  void compare_damping() {
    const MatrixXd d_a = damping_matrix(a_);
    const MatrixXd d_b = damping_matrix(b_);
    if (T_ && is_in_both("damping", "damping", !d_a.isZero(0.0), !d_b.isZero(0.0)))
      judge("damping", relative_form(d_a, T_->transpose() * d_b * *T_));
  }

  void compare_stiffening() {
    if (!T_ ||
        !is_in_both("stiffening", "stiffening", !a_.geometric.empty(), !b_.geometric.empty()))
      return;
    using Key = std::tuple<GeometricStiffness::Cause, std::int64_t, std::int8_t>;
    std::map<Key, std::pair<MatrixXd, MatrixXd>> causes;
    const MatrixXd none = MatrixXd::Zero(a_.mode_count(), a_.mode_count());
    const auto entry = [&](const GeometricStiffness& g) -> std::pair<MatrixXd, MatrixXd>& {
      return causes.try_emplace(Key{g.cause, g.node, g.component}, none, none).first->second;
    };
    for (const GeometricStiffness& g : a_.geometric)
      entry(g).first += g.stiffness;
    for (const GeometricStiffness& g : b_.geometric)
      entry(g).second += T_->transpose() * g.stiffness * *T_;
    double worst = 0.0;
    for (const auto& [key, pair] : causes)
      worst = std::max(worst, relative(pair.first, pair.second));
    judge("stiffening", worst);
  }

  void compare_initial_state() {
    if (!T_) return;
    const auto has = [](const FlexBody& body) {
      return !body.initial_zeta.isZero(0.0) || !body.initial_zeta_dot.isZero(0.0);
    };
    if (!is_in_both("initial state", "initial state", has(a_), has(b_))) return;
    judge("initial state",
          std::max(relative(*T_ * a_.initial_zeta, b_.initial_zeta),
                   relative(*T_ * a_.initial_zeta_dot, b_.initial_zeta_dot)));
  }

  void compare_acting_modes() {
    const auto rest = [](const FlexBody& body) {
      return std::any_of(
          body.modes.begin(), body.modes.end(), [](const BodyMode& mode) { return !mode.enabled; });
    };
    if (!rest(a_) && !rest(b_)) return;
    const char* name = "acting modes";
    if (lacks(name)) {
      skip(name, BodyAspect::Verdict::not_stored, "the format of one body cannot store it");
      return;
    }
    if (!is_identity_) {
      skip(name, BodyAspect::Verdict::not_compared, "the modes are in other coordinates");
      return;
    }
    int count = 0;
    for (std::size_t k = 0; k < a_.modes.size(); ++k)
      count += a_.modes[k].enabled == b_.modes[k].enabled ? 0 : 1;
    judge(name,
          count > 0 ? INFINITY : 0.0,
          count > 0 ? fmt::format("modes that act in one of the bodies alone: {}", count) : "");
  }

  void compare_back_transformation() {
    const char* name = "back-transformation";
    if (!is_in_both(name, name, a_.back.has_value(), b_.back.has_value())) return;
    if (!is_identity_) {
      skip(name, BodyAspect::Verdict::not_compared, "the modes are in other coordinates");
      return;
    }
    judge("V", relative(a_.back->V, b_.back->V));
    judge("alpha", relative(a_.back->alpha, b_.back->alpha));
    const MatrixXd& U_a = a_.back->chosen_shapes;
    const MatrixXd& U_b = b_.back->chosen_shapes;
    judge("U",
          std::max(relative(rows_of(U_a, nodes_.a, 0), rows_of(U_b, nodes_.b, 0)),
                   relative(rows_of(U_a, nodes_.a, 3), rows_of(U_b, nodes_.b, 3))));
  }

  /// Largest relative difference of modes that are regarded as equal, and largest part of a mode
  /// that may lie outside the span of the other body's modes. Far above the rounding of FLEX to
  /// seven digits, far below a change of basis.
  static constexpr double kMaxModeDifference = 1e-4;

  const FlexBody& a_;
  const FlexBody& b_;
  const CommonNodes& nodes_;
  const std::vector<std::string>& lacking_;
  double tolerance_;
  std::optional<MatrixXd> T_;
  bool is_identity_ = false;
  bool has_enough_nodes_ = true;
  std::vector<BodyAspect> aspects_;
};

}  // namespace

std::string_view name_of(BodyAspect::Verdict verdict) {
  switch (verdict) {
    case BodyAspect::Verdict::same:
      return "same";
    case BodyAspect::Verdict::differs:
      return "differs";
    case BodyAspect::Verdict::not_stored:
      return "not held";
    case BodyAspect::Verdict::not_compared:
      return "not compared";
  }
  return "";
}

std::vector<std::string> aspects_lacking_in(const fs::path& path) {
  const Codec* codec = codec_named(detect_body_format(path));
  if (codec == nullptr) return {};
  if (codec->format.name == "flex" && fs::exists(sidecar_to_read(path))) return {"nodal masses"};
  std::vector<std::string> out = contents_lacking(codec->format.holds);
  if (codec->has_node_numbers != nullptr && !codec->has_node_numbers(path))
    out.emplace_back("node ids");
  return out;
}

CommonNodes common_nodes(const FlexBody& a, const FlexBody& b, bool has_ids) {
  CommonNodes out;
  out.by_position = !has_ids;
  if (has_ids) {
    for (std::size_t i = 0; i < a.nodes.size(); ++i) {
      const Index partner = find_node(b, a.nodes[i].id);
      if (partner < 0) continue;
      out.a.push_back(static_cast<Index>(i));
      out.b.push_back(partner);
    }
    return out;
  }
  // candidates by ascending x; of several nodes of b at one position the first unmatched is taken
  constexpr double kSamePosition =
      1e-6;  // relative to the size of the body: files have seven digits or more
  const double tolerance = kSamePosition * std::max(size_of(a), size_of(b));
  std::multimap<double, Index> by_x;
  for (Index k = 0; k < b.node_count(); ++k)
    by_x.emplace(b.nodes[static_cast<std::size_t>(k)].position.x(), k);
  for (Index i = 0; i < a.node_count(); ++i) {
    const Eigen::Vector3d& c = a.nodes[static_cast<std::size_t>(i)].position;
    auto found = by_x.end();
    for (auto it = by_x.lower_bound(c.x() - tolerance);
         it != by_x.end() && it->first <= c.x() + tolerance;
         ++it) {
      const Eigen::Vector3d& other = b.nodes[static_cast<std::size_t>(it->second)].position;
      if ((other - c).norm() <= tolerance && (found == by_x.end() || it->second < found->second))
        found = it;
    }
    if (found == by_x.end()) continue;
    out.a.push_back(i);
    out.b.push_back(found->second);
    by_x.erase(found);
  }
  return out;
}

std::vector<BodyAspect> body_aspects(const FlexBody& a,
                                     const FlexBody& b,
                                     const CommonNodes& nodes,
                                     const std::vector<std::string>& lacking,
                                     double tolerance) {
  return Comparison(a, b, nodes, lacking, tolerance).compare();
}

}  // namespace femflex::flexfile

// Checks whether the matrices, the row lists and the deck of an import belong to the same model.
// The checks of prove_fit() add Proofs; the rest warns of constraints that are not read and of
// indefinite matrices.
#include "model/fit_proofs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>

#include <fmt/format.h>

#include "femflex/mean_position.h"

#include "model/hourglass.h"

namespace femflex::importer {
namespace {

using Rigid = Eigen::Matrix<double, Eigen::Dynamic, 6>;

bool is_translation(const Dof& dof) {
  return dof.component >= 1 && dof.component <= 3;
}

bool is_identical(const SparseMatrix& a, const SparseMatrix& b) {
  if (a.rows() != b.rows()) return false;
  const SparseMatrix difference = a - b;
  return difference.nonZeros() == 0 || difference.coeffs().cwiseAbs().maxCoeff() == 0.0;
}

/// |sum t' A t| / sum t' |A| t over the three rigid translations t. The result is 1 for lumped
/// masses, about 0.3 for consistent masses of quadratic elements, and 0 for the stiffness of a part
/// without supports; -1 if A has no entries between translations.
double translation_ratio(const SparseMatrix& full, const DofMap& dofs) {
  double sum = 0.0;
  double size = 0.0;
  for (Eigen::Index col = 0; col < full.outerSize(); ++col) {
    const Dof& of_col = dofs[col];
    if (!is_translation(of_col)) continue;
    for (SparseMatrix::InnerIterator it(full, col); it; ++it) {
      if (dofs[it.row()].component != of_col.component) continue;
      sum += it.value();
      size += std::abs(it.value());
    }
  }
  return size > 0.0 ? std::abs(sum) / size : -1.0;
}

/// Detects K identical to M, and K and M swapped.
void prove_roles(const FeModel& model, const Matrices& matrices, std::vector<Proof>& out) {
  if (!matrices.stiffness || !matrices.mass || model.dofs.size() < 2) return;
  const SparseMatrix& k = matrices.stiffness->full;
  const SparseMatrix& m = matrices.mass->full;
  if (is_identical(k, m)) {
    out.push_back(
        {"K and M",
         1.0,
         0.0,
         false,
         fmt::format(
             "{} and {} are the same matrix", matrices.stiffness->name, matrices.mass->name)});
    return;
  }
  const double of_k = translation_ratio(k, model.dofs);
  const double of_m = translation_ratio(m, model.dofs);
  if (of_k < 0.0 || of_m < 0.0) return;
  // the ratio of a mass matrix is always far above the first limit; even for a component supported
  // at each of its nodes, of_k / of_m stays below the second
  constexpr double kMinMassRatio = 0.02;
  constexpr double kMaxStiffnessRatio = 5.0;
  constexpr double kMinDivisor = 1e-300;  // keeps the quotient finite
  const double value =
      of_m >= kMinMassRatio || of_k == 0.0 ? 0.0 : of_k / std::max(of_m, kMinDivisor);
  out.push_back(
      {"K and M",
       value,
       kMaxStiffnessRatio,
       value <= kMaxStiffnessRatio,
       value <= kMaxStiffnessRatio
           ? fmt::format(
                 "a translation gives t' M t = {:.2g} t' |M| t and t' K t = {:.2g} t' |K| t",
                 of_m,
                 of_k)
           : fmt::format(
                 "they are swapped: rigid translations t give t' A t = 0 for {}, but not for {}",
                 matrices.mass->name,
                 matrices.stiffness->name)});
}

/// True for elements whose stiffness couples their nodes.
bool couples_nodes(const ElementBlock& block) {
  // elements that only draw lines, and elements that may have no stiffness
  static const std::set<std::string> kWithoutStiffness{"PLOTEL",
                                                       "CDAMP1",
                                                       "CDAMP2",
                                                       "CVISC",
                                                       "CGAP",
                                                       "CBUSH",
                                                       "CBUSH1D",
                                                       "CELAS1",
                                                       "CELAS2",
                                                       "CFAST"};
  return block.nodes_per_element > 1 && !kWithoutStiffness.contains(block.type);
}

std::vector<Eigen::Index> rows_of(const FeModel& model, std::int64_t node) {
  std::vector<Eigen::Index> out;
  for (std::int8_t c = 1; c <= 6; ++c)
    if (const std::int64_t row = model.dofs.find({node, c}); row >= 0) out.push_back(row);
  return out;
}

/// True if K has an entry between nodes a and b.
bool has_coupling(const SparseMatrix& full, const FeModel& model, std::int64_t a, std::int64_t b) {
  const std::vector<Eigen::Index> rows = rows_of(model, a);
  for (const Eigen::Index col : rows_of(model, b))
    for (SparseMatrix::InnerIterator it(full, col); it; ++it)
      if (it.value() != 0.0 && std::find(rows.begin(), rows.end(), it.row()) != rows.end())
        return true;
  return false;
}

/// Checks that K has entries between nodes that an element of the deck connects: the deck of
/// another model connects other nodes.
void prove_couplings(const FeModel& model, const Matrices& matrices, std::vector<Proof>& out) {
  // number of elements checked, enough to tell whether half of them are missing
  constexpr std::size_t kMaxTested = 2000;
  std::size_t total = 0;
  for (const ElementBlock& block : model.elements)
    total += couples_nodes(block) ? block.ids.size() : 0;
  const std::size_t stride = std::max<std::size_t>(1, total / kMaxTested);
  std::int64_t pairs = 0;
  std::int64_t coupled = 0;
  std::string first;
  for (const ElementBlock& block : model.elements) {
    if (!couples_nodes(block)) continue;
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); e += stride) {
      const std::int64_t* nodes = block.connectivity.data() + e * width;
      const std::int64_t a = nodes[0];
      const std::int64_t b = nodes[1];
      if (a == b || rows_of(model, a).empty() || rows_of(model, b).empty()) continue;
      ++pairs;
      if (has_coupling(matrices.stiffness->full, model, a, b))
        ++coupled;
      else if (first.empty())
        first = fmt::format("{} {} connects nodes {} and {}", block.type, block.ids[e], a, b);
    }
  }
  if (pairs == 0) return;
  const double missing = 1.0 - static_cast<double>(coupled) / static_cast<double>(pairs);
  constexpr double kMaxMissing =
      0.5;  // some elements of the right deck may lack stiffness; nearly all of a wrong deck do
  out.push_back({"elements of K",
                 missing,
                 kMaxMissing,
                 missing <= kMaxMissing,
                 fmt::format("K couples {} of {} pairs of nodes that elements connect{}",
                             coupled,
                             pairs,
                             first.empty() ? "" : "; " + first + ", K does not")});
}

/// True for a keyword or card that ties DOFs to each other.
bool is_constraint(const std::string& what) {
  static const std::set<std::string> names{"*MPC",
                                           "*TIE",
                                           "*DISTRIBUTING",
                                           "*DISTRIBUTINGCOUPLING",
                                           "*KINEMATICCOUPLING",
                                           "*EMBEDDEDELEMENT",
                                           "*SHELLTOSOLIDCOUPLING",
                                           "*CYCLICSYMMETRYMODEL",
                                           "*PRE-TENSIONSECTION",
                                           "*CONTACTPAIR",
                                           "BCTADD",
                                           "BCTSET",
                                           "BGADD",
                                           "BGSET",
                                           "RBE2GS",
                                           "RSSCON",
                                           "TIE"};
  return names.contains(what);
}

/// True for BGADD and BCTADD, which join sets, if the warning of BGSET or BCTSET tells of them.
bool is_told_by_its_sets(const FileContents& file, const std::string& what) {
  if (what != "BGADD" && what != "BCTADD") return false;
  const std::string sets = what.substr(0, what.size() - 3) + "SET";
  return std::any_of(file.unread.begin(), file.unread.end(), [&](const Unread& unread) {
    return unread.what == sets;
  });
}

/// True if the deck has constraints or springs that are not read and may act anywhere.
bool has_unread_constraints(const Gathered& gathered) {
  for (const FileContents& file : gathered.files)
    for (const Unread& unread : file.unread)
      if (is_constraint(unread.what)) return true;
  return gathered.has_grounding_elements;
}

bool lists_rows_of_nodes(const Gathered& gathered) {
  return std::any_of(gathered.files.begin(), gathered.files.end(), [](const FileContents& file) {
    const bool calculix = file.format == "calculix-dof" || file.format == "coordinate-matrix";
    return calculix && !file.row_map.empty();
  });
}

/// Checks that the row list belongs to the deck: CalculiX lists every element node that is neither
/// fixed nor tied, whereas the list of another model names few nodes of the deck (the other rows
/// would be mistaken for internal DOFs).
void prove_rows(const FeModel& model, const Gathered& gathered, std::vector<Proof>& out) {
  if (!lists_rows_of_nodes(gathered)) return;
  std::unordered_set<std::int64_t> accounted;
  for (const Dof& dof : model.dofs.rows())
    if (dof.component > 0) accounted.insert(dof.node);
  for (const Dof& dof : model.fixed)
    accounted.insert(dof.node);
  for (const RigidElement& element : model.rigid_elements)
    accounted.insert(element.dependent.begin(), element.dependent.end());
  for (const auto& [node, expanded] : gathered.expanded)
    accounted.insert(node);
  std::unordered_set<std::int64_t> of_elements;
  for (const ElementBlock& block : model.elements)
    of_elements.insert(block.connectivity.begin(), block.connectivity.end());
  if (of_elements.empty()) return;
  std::int64_t missing = 0;
  for (const std::int64_t node : of_elements)
    missing += accounted.contains(node) ? 0 : 1;
  const double fraction = static_cast<double>(missing) / static_cast<double>(of_elements.size());
  // a few nodes may lack rows; ties and equations that are not read remove the rows of many nodes
  constexpr double kMaxMissingRows = 0.1;
  constexpr double kMaxMissingWithUnread = 0.5;
  const double limit = has_unread_constraints(gathered) ? kMaxMissingWithUnread : kMaxMissingRows;
  out.push_back(
      {"rows of the nodes",
       fraction,
       limit,
       fraction <= limit,
       fmt::format("{} of {} nodes of the elements have no row, no support and no constraint",
                   missing,
                   of_elements.size())});
}

/// Nodes whose DOFs all have rows and that only elements connect to other nodes.
class InnerNodes {
 public:
  InnerNodes(const FeModel& model, const Gathered& gathered) {
    for (const Node& node : model.nodes) {
      // the list of expanded nodes is empty if the node is partly fixed
      const auto expanded = gathered.expanded.find(node.id);
      if (expanded == gathered.expanded.end() ? !is_complete(model, node.id)
                                              : expanded->second.empty())
        excluded_.insert(node.id);
    }
    std::unordered_set<std::int64_t> extended = excluded_;
    for (const ElementBlock& block : model.elements) {
      if (block.type == "PLOTEL") continue;
      const auto width = static_cast<std::size_t>(block.nodes_per_element);
      for (std::size_t e = 0; e < block.ids.size(); ++e) {
        const std::int64_t* nodes = block.connectivity.data() + e * width;
        const bool is_near_excluded = std::any_of(
            nodes, nodes + width, [&](std::int64_t node) { return excluded_.contains(node); });
        for (std::size_t k = 0; k < width; ++k) {
          in_elements_.insert(nodes[k]);
          if (is_near_excluded) extended.insert(nodes[k]);
        }
      }
    }
    excluded_ = std::move(extended);
    for (const auto& [node, expanded] : gathered.expanded)
      for (const std::int64_t id : expanded)
        (contains(node) ? in_elements_ : excluded_).insert(id);
    for (const RigidElement& element : model.rigid_elements) {
      excluded_.insert(element.independent.begin(), element.independent.end());
      excluded_.insert(element.dependent.begin(), element.dependent.end());
    }
  }
  bool contains(std::int64_t node) const {
    return in_elements_.contains(node) && !excluded_.contains(node);
  }

 private:
  static bool is_complete(const FeModel& model, std::int64_t node) {
    int rotations = 0;
    for (std::int8_t c = 1; c <= 6; ++c) {
      const bool has_row = model.dofs.find({node, c}) >= 0;
      if (!has_row && c <= 3) return false;
      rotations += c > 3 && has_row ? 1 : 0;
    }
    return rotations == 0 || rotations == 3;
  }

  std::unordered_set<std::int64_t> in_elements_;
  /// nodes that lack rows, are next to such a node, or are constrained
  std::unordered_set<std::int64_t> excluded_;
};

/// True if a rigid body ties nodes of shells or beams whose sections have an offset.
bool ties_offset_sections(const Gathered& gathered) {
  std::unordered_set<std::int64_t> elements;
  for (const FileContents& file : gathered.files)
    for (const RawSection& section : file.sections)
      if (section.offset[0] != 0.0 || section.offset[1] != 0.0)
        elements.insert(section.elements.begin(), section.elements.end());
  std::unordered_set<std::int64_t> nodes;
  for (const ElementBlock& block : gathered.geometry.elements) {
    const auto width = static_cast<std::size_t>(block.nodes_per_element);
    for (std::size_t e = 0; e < block.ids.size(); ++e)
      if (elements.contains(block.ids[e]))
        nodes.insert(block.connectivity.begin() + static_cast<std::ptrdiff_t>(e * width),
                     block.connectivity.begin() + static_cast<std::ptrdiff_t>((e + 1) * width));
  }
  const std::vector<RawConstraint>& ties = gathered.geometry.rigid_elements;
  return std::any_of(ties.begin(), ties.end(), [&](const RawConstraint& tie) {
    return is_rigid_body(tie.type) &&
           std::any_of(tie.dependent.begin(), tie.dependent.end(), [&](std::int64_t node) {
             return nodes.contains(node);
           });
  });
}

/// Checks K R = 0 on the rows of inner nodes, which holds however the other nodes are supported.
void prove_inner_rows(const FeModel& model,
                      const Matrices& matrices,
                      const Gathered& gathered,
                      std::vector<Proof>& out) {
  if (model.elements.empty()) return;
  const InnerNodes inner(model, gathered);
  const SparseMatrix& k = matrices.stiffness->full;
  const Rigid r = rigid_body_shapes(model, model.dofs, mean_position(model.nodes));
  const Rigid force = k * r;
  SparseMatrix magnitude = k;
  magnitude.coeffs() = magnitude.coeffs().cwiseAbs().eval();
  const Rigid scale = magnitude * Rigid(r.cwiseAbs());
  // relative force on a row due to the limited digits of positions and of K
  constexpr double kRoundOffSingle = 1e-3;
  constexpr double kRoundOffDouble = 1e-4;
  const double round_off = matrices.stiffness->single_precision ? kRoundOffSingle : kRoundOffDouble;
  std::int64_t rows = 0;
  std::int64_t forced = 0;
  double largest = 0.0;
  double by_translation = 0.0;  // the largest
  for (Eigen::Index row = 0; row < force.rows(); ++row) {
    if (model.dofs[row].component == 0 || !inner.contains(model.dofs[row].node)) continue;
    double value = 0.0;
    for (int j = 0; j < 6; ++j) {
      if (scale(row, j) > 0.0) value = std::max(value, std::abs(force(row, j)) / scale(row, j));
      if (j == 2) by_translation = std::max(by_translation, value);
    }
    ++rows;
    largest = std::max(largest, value);
    forced += value > round_off ? 1 : 0;
  }
  if (rows == 0) return;
  const double fraction = static_cast<double>(forced) / static_cast<double>(rows);
  // something other than an element may act on some rows; a wrong model has forces on nearly all
  constexpr double kMaxForced = 0.2;
  constexpr double kMaxForcedWithUnread = 0.5;
  const double limit = has_unread_constraints(gathered) ? kMaxForcedWithUnread : kMaxForced;
  std::string text = fmt::format(
      "a rigid motion causes forces on {} of {} rows whose neighbours all have rows, the largest "
      "{:.2g} of |K| |R|",
      forced,
      rows,
      largest);
  if (fraction > limit && ties_offset_sections(gathered))
    text +=
        "; a rigid body acts on shells or beams with an offset: CalculiX ties their mid-surface or "
        "axis as if it lay at the node: leave the offset out and move the nodes";
  Proof proof{"rigid motion of inner nodes", fraction, limit, fraction <= limit, std::move(text)};
  if (!proof.passed && by_translation <= round_off)
    if (const std::optional<HourglassReason> reason = hourglass_reason(model, gathered, largest)) {
      proof.text += "; " + reason->text;
      proof.remedy = reason->remedy;
    }
  out.push_back(std::move(proof));
}

}  // namespace

std::vector<Proof> prove_fit(const FeModel& model,
                             const Matrices& matrices,
                             const Gathered& gathered) {
  std::vector<Proof> out;
  prove_roles(model, matrices, out);
  if (!matrices.stiffness || model.nodes.empty()) return out;
  prove_rows(model, gathered, out);
  prove_couplings(model, matrices, out);
  prove_inner_rows(model, matrices, gathered, out);
  return out;
}

namespace {

/// Counts of element nodes: all, with rows, and `still` (no row, no support, not fully
/// constrained).
struct StillNodes {
  std::size_t still = 0, with_rows = 0, all = 0;
  std::int64_t first = 0;
};

StillNodes still_nodes(const FeModel& model,
                       const Dependence& dependence,
                       const Gathered& gathered) {
  std::unordered_set<std::int64_t> with_rows;
  for (const Dof& dof : model.dofs.rows())
    if (dof.component > 0) with_rows.insert(dof.node);
  std::unordered_set<std::int64_t> known;
  for (const Dof& dof : model.fixed)
    known.insert(dof.node);
  for (const auto& [dof, follower] : dependence.followers())
    if (follower.complete) known.insert(dof.node);
  for (const auto& [node, expanded] : gathered.expanded)
    known.insert(node);
  std::set<std::int64_t> of_elements;
  for (const ElementBlock& block : model.elements)
    if (couples_nodes(block))
      of_elements.insert(block.connectivity.begin(), block.connectivity.end());
  StillNodes out;
  for (const std::int64_t node : of_elements) {
    ++out.all;
    out.with_rows += with_rows.contains(node) ? 1 : 0;
    const bool is_still = !with_rows.contains(node) && !known.contains(node);
    if (is_still && out.still++ == 0) out.first = node;
  }
  return out;
}

}  // namespace

void warn_unread_constraints(const FeModel& model,
                             const Dependence& dependence,
                             const Gathered& gathered,
                             Diagnostics& diagnostics) {
  bool has_deck = false;
  for (const FileContents& file : gathered.files) {
    has_deck = has_deck || file.format == "inp";
    for (const Unread& unread : file.unread)
      if (is_constraint(unread.what) && !is_told_by_its_sets(file, unread.what))
        diagnostics.warn(
            "unread-constraint",
            fmt::format(
                "{} is not read ({} times): nodes that it alone holds to others do not "
                "move with them; use {}, or tie a node by --spider",
                unread.what,
                unread.count,
                unread.what.starts_with('*') ? "*RIGID BODY or *EQUATION" : "RBE2, RBE3 or MPC"),
            {file.path});
  }
  if (!has_deck || !model.stiffness) return;
  const StillNodes nodes = still_nodes(model, dependence, gathered);
  if (nodes.still == 0 || 2 * nodes.with_rows < nodes.all) return;
  diagnostics.warn("still-nodes",
                   fmt::format("{} of {} nodes of elements have no row in K, no support and no "
                               "constraint that is read; the first is node {}: nodes tied by "
                               "constraints that are not read stay at rest in the shapes",
                               nodes.still,
                               nodes.all,
                               nodes.first));
}

namespace {

void warn_indefinite(const SparseMatrix& lower,
                     const char* name,
                     const FeModel& model,
                     Diagnostics& diagnostics) {
  const Eigen::VectorXd diagonal = lower.diagonal();
  const auto warn = [&](const std::string& where) {
    diagnostics.warn(
        "indefinite",
        fmt::format(
            "the {} matrix is indefinite at {}: expect negative eigenvalues{}; check the "
            "matrix and the order of its rows",
            name,
            where,
            std::string_view(name) == "stiffness"
                ? " (right only for a preload beyond buckling, or with a centrifugal load in K)"
                : ""));
  };
  constexpr double kRoundOff = 1e-6;  // for matrices written with seven digits
  const double threshold = diagonal.size() > 0 ? kRoundOff * diagonal.maxCoeff() : 0.0;
  for (Eigen::Index row = 0; row < diagonal.size(); ++row)
    if (diagonal(row) < -threshold)
      return warn(fmt::format("{}, {:.3g}", to_string(model.dofs[row]), diagonal(row)));
  for (Eigen::Index col = 0; col < lower.outerSize(); ++col)
    for (SparseMatrix::InnerIterator it(lower, col); it; ++it) {
      const double product = diagonal(it.row()) * diagonal(col);
      if (it.row() != col && std::abs(it.value()) > threshold &&
          it.value() * it.value() > (1.0 + kRoundOff) * product)
        return warn(
            fmt::format("{} and {}", to_string(model.dofs[it.row()]), to_string(model.dofs[col])));
    }
}

}  // namespace

void warn_indefinite(const FeModel& model, Diagnostics& diagnostics) {
  if (model.stiffness) warn_indefinite(*model.stiffness, "stiffness", model, diagnostics);
  if (model.mass) warn_indefinite(*model.mass, "mass", model, diagnostics);
}

}  // namespace femflex::importer

// Computes the nine inertia invariants of a body from the mass matrix of its FE model, or from
// lumped nodal masses where rows are missing. Numbers 1 to 9 count the invariants in the order of
// InertiaInvariants (mass, first_moment, translation, rotation, translation_rate, modal, inertia,
// inertia_rate, inertia_curvature). Notation: phi~ is the cross-product matrix of phi, T_t and T_r
// the translations and rotations of the six rigid-body columns T.
#include "femflex/modal/build_invariants.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/model_units.h"

#include "dense/symmetric_eigen.h"
#include "invariants_of_shapes.h"
#include "mass_limits.h"
#include "solve/projection.h"

namespace femflex::modal {
namespace {

using Columns6 = Eigen::Matrix<double, Eigen::Dynamic, 6>;

/// One of the two non-zero components of e_axis x phi; for example e_x x phi = (0, -phi_z, phi_y).
struct CrossPart {
  int from;     // component of phi
  int to;       // component of e_axis x phi
  double sign;  // sign of that component
};
constexpr CrossPart kCross[3][2] = {
    {{2, 1, -1.0}, {1, 2, 1.0}}, {{2, 0, 1.0}, {0, 2, -1.0}}, {{1, 0, -1.0}, {0, 1, 1.0}}};

/// Rows of the three translations of each node that has translations, as x1 y1 z1 x2 ...; absent if
/// a node has only one or two of them.
std::optional<std::vector<std::int64_t>> triplets(const DofMap& dofs) {
  std::vector<std::int64_t> rows;
  std::int64_t translations = 0;
  for (std::int64_t row = 0; row < dofs.size(); ++row) {
    const Dof& dof = dofs[row];
    if (dof.component < 1 || dof.component > 3) continue;
    ++translations;
    if (dof.component != 1) continue;
    const std::int64_t y = row + 1 < dofs.size() && dofs[row + 1] == Dof{dof.node, 2}
                               ? row + 1
                               : dofs.find({dof.node, 2});
    const std::int64_t z = row + 2 < dofs.size() && dofs[row + 2] == Dof{dof.node, 3}
                               ? row + 2
                               : dofs.find({dof.node, 3});
    if (y < 0 || z < 0) return std::nullopt;
    rows.insert(rows.end(), {row, y, z});
  }
  if (static_cast<std::int64_t>(rows.size()) != translations) return std::nullopt;
  return rows;
}

/// The scalar matrix M_s if M = M_s (x) 1_3 on the translations without coupling to rotations
/// (products with M_s take one third of the work); else a matrix without rows.
SparseMatrix scalar_mass(const SparseMatrix& mass,
                         const DofMap& dofs,
                         const std::vector<std::int64_t>& rows) {
  std::vector<std::int32_t> node_of(static_cast<std::size_t>(dofs.size()), -1);
  for (std::size_t k = 0; k < rows.size(); ++k)
    node_of[static_cast<std::size_t>(rows[k])] = static_cast<std::int32_t>(k / 3);
  std::vector<Entry> entries[3];
  double largest = 0.0;
  for (std::int32_t col = 0; col < mass.cols(); ++col) {
    const std::int32_t p = node_of[static_cast<std::size_t>(col)];
    for (SparseMatrix::InnerIterator it(mass, col); it; ++it) {
      if (it.value() == 0.0) continue;
      const std::int32_t q = node_of[static_cast<std::size_t>(it.row())];
      if (p < 0 && q < 0) continue;
      const int a = dofs[col].component;
      if (p < 0 || q < 0 || a != dofs[it.row()].component) return {};
      largest = std::max(largest, std::abs(it.value()));
      entries[a - 1].push_back({std::max(p, q), std::min(p, q), it.value()});
    }
  }
  // entries that differ by less than this share of the largest entry are equal: the order of
  // assembly causes such differences
  constexpr double kSameEntry = 1e-13;
  const auto nodes = static_cast<std::int64_t>(rows.size() / 3);
  if (entries[0].size() != entries[1].size() || entries[0].size() != entries[2].size()) return {};
  SparseMatrix x = assemble(nodes, nodes, entries[0]);
  for (int a = 1; a < 3; ++a) {
    const SparseMatrix other = assemble(nodes, nodes, entries[a]);
    if (other.nonZeros() != x.nonZeros()) return {};
    for (Eigen::Index k = 0; k < x.nonZeros(); ++k)
      if (x.innerIndexPtr()[k] != other.innerIndexPtr()[k] ||
          std::abs(x.valuePtr()[k] - other.valuePtr()[k]) > kSameEntry * largest)
        return {};
  }
  return x;
}

/// Invariants 5 and 9 from S(a n + j, b n + k) = phi_{j,a}' M_s phi_{k,b}.
void rates_from_gram(const Eigen::MatrixXd& S, Eigen::Index n, InertiaInvariants& out) {
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::Matrix3d s;  // s(a, b) = phi_{j,a}' M phi_{k,b}
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          s(a, b) = S(a * n + j, b * n + k);
      // sum m phi_j x phi_k, and sum m phi_j~ phi_k~ = sum m (phi_k phi_j' - (phi_j.phi_k) 1)
      out.translation_rate.col(n * j + k) =
          Eigen::Vector3d(s(1, 2) - s(2, 1), s(2, 0) - s(0, 2), s(0, 1) - s(1, 0));
      out.inertia_curvature.block<3, 3>(3 * j, 3 * k) =
          s.transpose() - s.trace() * Eigen::Matrix3d::Identity();
    }
}

/// The columns G: column 3 j + axis is e_axis x (translations of Phi_j), on the rows of `Phi`.
Eigen::MatrixXd cross_columns(const Eigen::MatrixXd& Phi,
                              const DofMap& dofs,
                              Eigen::Index first,
                              Eigen::Index count) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(Phi.rows(), 3 * count);
  for (std::int64_t row = 0; row < dofs.size(); ++row) {
    const Dof& dof = dofs[row];
    if (dof.component < 1 || dof.component > 3) continue;
    std::int64_t rows_of_node[3];
    for (std::int8_t a = 0; a < 3; ++a) {
      const std::int64_t guess = row + a - (dof.component - 1);
      const Dof wanted{dof.node, static_cast<std::int8_t>(a + 1)};
      rows_of_node[a] =
          guess >= 0 && guess < dofs.size() && dofs[guess] == wanted ? guess : dofs.find(wanted);
    }
    for (int axis = 0; axis < 3; ++axis)
      for (const CrossPart& part : kCross[axis])
        if (part.to == dof.component - 1 && rows_of_node[part.from] >= 0)
          for (Eigen::Index j = 0; j < count; ++j)
            G(row, 3 * j + axis) = part.sign * Phi(rows_of_node[part.from], first + j);
  }
  return G;
}

/// Invariants 5, 8 and 9 for any M, from the other invariants in `out`.
/// @param P   shapes with rotation rows scaled to SI
/// @param MT  mass_unit M T [SI]
void add_general_rates(const FeModel& model,
                       const Eigen::MatrixXd& P,
                       const Eigen::MatrixXd& MT,
                       InertiaInvariants& out) {
  const SparseMatrix& M = *model.mass;
  const double mass_unit = model.units->mass;
  const Eigen::Index n = P.cols();
  const Eigen::MatrixXd Mr = MT.rightCols<3>();
  const Eigen::MatrixXd Mt = MT.leftCols<3>();
  const Eigen::Matrix3d centre =
      cross_matrix(out.mass != 0.0 ? Eigen::Vector3d(out.first_moment / out.mass)
                                   : Eigen::Vector3d(Eigen::Vector3d::Zero()));
  const Eigen::MatrixXd MP = mass_unit * symmetric_product(M, P);
  // number of modes per pass; limited because G is three times as wide as Phi
  constexpr Eigen::Index block = 32;
  for (Eigen::Index first = 0; first < n; first += block) {
    const Eigen::Index count = std::min(block, n - first);
    const Eigen::MatrixXd G = cross_columns(P, model.dofs, first, count);
    const Eigen::MatrixXd GMP = transposed_product(G, MP);  // invariant 5, row 3 j + axis
    for (Eigen::Index j = 0; j < count; ++j)
      out.translation_rate.middleCols(n * (first + j), n) = GMP.middleRows(3 * j, 3);
    const Eigen::MatrixXd TMG = transposed_product(Mt, G);
    out.inertia_rate.middleCols(3 * first, 3 * count) = -transposed_product(Mr, G);
    for (Eigen::Index j = 0; j < count; ++j)  // eq. (14b): about the mass centre, then shifted back
      out.inertia_rate.middleCols<3>(3 * (first + j)) +=
          centre * (TMG.middleCols<3>(3 * j) + cross_matrix(out.translation.col(first + j)));
    const Eigen::MatrixXd MG = mass_unit * symmetric_product(M, G);
    for (Eigen::Index other = 0; other < n; other += block) {
      const Eigen::Index width = std::min(block, n - other);
      out.inertia_curvature.block(3 * other, 3 * first, 3 * width, 3 * count) =
          -transposed_product(cross_columns(P, model.dofs, other, width), MG);
    }
  }
}

/// Gives the invariants that depend on the modes their size for n modes.
void resize(InertiaInvariants& out, Eigen::Index n) {
  out.translation.resize(3, n);
  out.rotation.resize(3, n);
  out.translation_rate.resize(3, n * n);
  out.modal.resize(n, n);
  out.inertia_rate.resize(3, 3 * n);
  out.inertia_curvature.resize(3 * n, 3 * n);
}

/// consistent_invariants(), which uses up the shapes.
InertiaInvariants invariants_by_mass(const FeModel& model, Eigen::MatrixXd Phi) {
  const Units units = units_of(model);
  if (!model.mass) throw ModelError("no-mass", "the model holds no mass matrix");
  if (Phi.rows() != model.dofs.size())
    throw ModelError(
        "size",
        fmt::format("the shapes have {} rows, the mass matrix {}", Phi.rows(), model.dofs.size()));
  const SparseMatrix& M = *model.mass;
  const Eigen::Index n = Phi.cols();
  InertiaInvariants out;
  resize(out, n);
  // M_SI = mass * S M S with S = length on rotation rows: shapes keep their translations and are
  // multiplied by `length` on rotations.
  Columns6 T_model = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  // positions in metres: translations caused by a unit rotation grow with the length unit, and so
  // do rotation rows under S
  T_model.rightCols<3>() *= units.length;
  const Eigen::MatrixXd T = T_model;
  const Eigen::MatrixXd MT = units.mass * symmetric_product(M, T);
  Eigen::MatrixXd P = std::move(Phi);
  if (units.length != 1.0)
    for (std::int64_t row = 0; row < model.dofs.size(); ++row)
      if (model.dofs[row].component > 3) P.row(row) *= units.length;

  const Eigen::MatrixXd TMT = transposed_product(T, MT);
  const Eigen::MatrixXd TMP = transposed_product(MT, P);
  out.mass = TMT.topLeftCorner<3, 3>().trace() / 3.0;
  // T_t' M T_r = sum -m c~
  const Eigen::Matrix3d coupling = TMT.block<3, 3>(0, 3);
  out.first_moment = 0.5 * Eigen::Vector3d(coupling(1, 2) - coupling(2, 1),
                                           coupling(2, 0) - coupling(0, 2),
                                           coupling(0, 1) - coupling(1, 0));
  out.inertia = 0.5 * (TMT.block<3, 3>(3, 3) + TMT.block<3, 3>(3, 3).transpose());
  out.translation = TMP.topRows<3>();
  out.rotation = TMP.bottomRows<3>();
  out.modal = units.mass * project(M, P);

  // invariant 8: sum m c~ phi_j~ = -(M T_r)' G_j
  const Eigen::MatrixXd Mr = MT.rightCols<3>();
  const std::optional<std::vector<std::int64_t>> rows = triplets(model.dofs);
  const SparseMatrix scalar = rows ? scalar_mass(M, model.dofs, *rows) : SparseMatrix();
  if (scalar.rows() > 0) {
    const auto nodes = static_cast<Eigen::Index>(rows->size() / 3);
    Eigen::MatrixXd X(nodes, 3 * n);
    Eigen::MatrixXd R(nodes, 9);  // (M T_r) by component: column 3 a + axis
    for (Eigen::Index p = 0; p < nodes; ++p)
      for (int a = 0; a < 3; ++a) {
        const std::int64_t row = (*rows)[static_cast<std::size_t>(3 * p + a)];
        for (int axis = 0; axis < 3; ++axis)
          R(p, 3 * a + axis) = Mr(row, axis);
      }
    for (int a = 0; a < 3; ++a)
      for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index p = 0; p < nodes; ++p)
          X(p, a * n + j) = P((*rows)[static_cast<std::size_t>(3 * p + a)], j);
    P.resize(0, 0);  // X has it all, and the Gram matrix needs memory
    rates_from_gram(units.mass * project(scalar, X), n, out);
    const Eigen::MatrixXd RX = transposed_product(R, X);  // (3 a + axis, b n + j)
    for (Eigen::Index j = 0; j < n; ++j)
      for (int axis = 0; axis < 3; ++axis)
        for (int other = 0; other < 3; ++other) {
          double sum = 0.0;
          for (const CrossPart& part : kCross[other])
            sum += part.sign * RX(3 * part.to + axis, part.from * n + j);
          out.inertia_rate(axis, 3 * j + other) = -sum;
        }
    return out;
  }
  add_general_rates(model, P, MT, out);
  return out;
}

}  // namespace

InertiaInvariants consistent_invariants(const FeModel& model, const Eigen::MatrixXd& Phi) {
  return invariants_by_mass(model, Phi);
}

InertiaInvariants lumped_invariants(const std::vector<BodyNode>& nodes,
                                    const Columns6& lumped_mass,
                                    const Eigen::MatrixXd& shapes) {
  Eigen::Matrix3Xd positions(3, static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t k = 0; k < nodes.size(); ++k)
    positions.col(static_cast<Eigen::Index>(k)) = nodes[k].position;
  return invariants_from_lumped(positions, shapes, lumped_mass);
}

Columns6 lumped_masses(const FeModel& model) {
  const Units units = units_of(model);
  Columns6 lumped = Columns6::Zero(static_cast<Eigen::Index>(model.nodes.size()), 6);
  const auto index_of = [&](std::int64_t id) {
    const Node* node = find_node(model, id);
    return node == nullptr ? Eigen::Index{-1}
                           : static_cast<Eigen::Index>(node - model.nodes.data());
  };
  Eigen::Matrix<bool, Eigen::Dynamic, 6> is_absent(lumped.rows(), 6);
  is_absent.setConstant(true);
  if (model.mass) {
    Eigen::MatrixXd ones = Eigen::MatrixXd::Zero(model.dofs.size(), 3);
    for (std::int64_t row = 0; row < model.dofs.size(); ++row)
      if (const int c = model.dofs[row].component; c >= 1 && c <= 3) ones(row, c - 1) = 1.0;
    const Eigen::MatrixXd sums = symmetric_product(*model.mass, ones);
    for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
      const Dof& dof = model.dofs[row];
      const Eigen::Index node = dof.component == 0 ? -1 : index_of(dof.node);
      if (node < 0) continue;
      is_absent(node, dof.component - 1) = false;
      lumped(node, dof.component - 1) = dof.component <= 3
                                            ? units.mass * sums(row, dof.component - 1)
                                            : units.inertia() * model.mass->coeff(row, row);
    }
  }
  // A node that M does not contain at all may have been condensed into other nodes, so its mass
  // counts only if a constraint fixes the node. DOFs that rigid elements removed from M have
  // certainly been condensed.
  const Dependence dependence(model);
  std::vector<Dof> fixed = model.fixed;
  std::sort(fixed.begin(), fixed.end());
  for (const ConcentratedMass& mass : model.concentrated_masses) {
    const Eigen::Index node = index_of(mass.node);
    if (node < 0) continue;
    const bool is_in_mass = !is_absent.row(node).all();
    const Eigen::Matrix3d r = cross_matrix(mass.offset);
    const Eigen::Matrix3d inertia = mass.inertia + mass.mass * r.transpose() * r;
    for (int c = 0; c < 6; ++c) {
      const Dof dof{mass.node, static_cast<std::int8_t>(c + 1)};
      if (!is_absent(node, c) || dependence.find(dof) != nullptr ||
          !(is_in_mass || std::binary_search(fixed.begin(), fixed.end(), dof)))
        continue;
      lumped(node, c) += c < 3 ? units.mass * mass.mass : units.inertia() * inertia(c - 3, c - 3);
    }
  }
  // Along the other axes nodes lack rows, or the model does not move at all; its masses are point
  // masses, which have the same mass along each axis.
  const Eigen::Vector3d total = lumped.leftCols<3>().colwise().sum();
  if (!(total.maxCoeff() > 0.0)) return lumped;
  if (has_every_row(model) && total.minCoeff() > kZeroMassShare * total.maxCoeff()) return lumped;
  const Eigen::Array3d is_full = full_directions(total);
  const Eigen::VectorXd mean = lumped.leftCols<3>() * is_full.matrix() / is_full.sum();
  for (int c = 0; c < 3; ++c)
    if (is_full(c) == 0.0) lumped.col(c) = mean;
  return lumped;
}

Eigen::Vector3d directional_mass(const FeModel& model) {
  const Units units = units_of(model);
  if (!model.mass) return Eigen::Vector3d::Zero();
  Eigen::MatrixXd ones = Eigen::MatrixXd::Zero(model.dofs.size(), 3);
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (const int c = model.dofs[row].component; c >= 1 && c <= 3) ones(row, c - 1) = 1.0;
  return units.mass * project(*model.mass, ones).diagonal();
}

bool is_whole(const Eigen::Vector3d& directional_mass) {
  const double largest = directional_mass.maxCoeff();
  const double smallest = directional_mass.minCoeff();
  return smallest > 0.0 && largest - smallest <= kEqualMass * largest;
}

bool has_every_row(const FeModel& model) {
  const std::optional<std::vector<std::int64_t>> rows = triplets(model.dofs);
  return rows && !model.nodes.empty() && rows->size() == 3 * model.nodes.size();
}

std::optional<InertiaInvariants> invariants_of_shapes(const FeModel& model, Eigen::MatrixXd Phi) {
  if (!model.mass || model.dofs.size() == 0) return std::nullopt;
  return invariants_by_mass(model, std::move(Phi));
}

InertiaInvariants body_invariants(const FeModel& model,
                                  const Eigen::MatrixXd& Phi,
                                  InertiaInvariants lumped) {
  return chosen_invariants(model, invariants_of_shapes(model, Phi), std::move(lumped));
}

InertiaInvariants chosen_invariants(const FeModel& model,
                                    std::optional<InertiaInvariants> consistent,
                                    InertiaInvariants lumped) {
  if (!consistent) return lumped;
  InertiaInvariants out = *std::move(consistent);
  const Eigen::Vector3d by_direction = directional_mass(model);
  if (is_whole(by_direction) || (has_every_row(model) && by_direction.minCoeff() > 0.0)) return out;
  out.mass = lumped.mass;
  out.first_moment = lumped.first_moment;
  out.inertia = lumped.inertia;
  return out;
}

InertiaDifference difference(const InertiaInvariants& a, const InertiaInvariants& b) {
  const auto relative = [](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
    if (x.rows() != y.rows() || x.cols() != y.cols() || y.size() == 0) return 0.0;
    const double largest = y.cwiseAbs().maxCoeff();
    return largest > 0.0 ? (x - y).cwiseAbs().maxCoeff() / largest : (x - y).cwiseAbs().maxCoeff();
  };
  InertiaDifference d;
  d.mass = b.mass != 0.0 ? std::abs(a.mass - b.mass) / b.mass : 0.0;
  if (a.mass > 0.0 && b.mass > 0.0)
    d.centre = (a.first_moment / a.mass - b.first_moment / b.mass).norm();
  d.inertia = relative(a.inertia, b.inertia);
  // |T' M phi| is at most sqrt(T' M T  phi' M phi); for the modes of a free component it is zero
  const auto relative_to_bound = [&](const Eigen::Matrix3Xd& x,
                                     const Eigen::Matrix3Xd& y,
                                     const Eigen::Vector3d& rigid) {
    double largest_error = 0.0;
    if (x.cols() != y.cols() || b.modal.rows() != y.cols()) return largest_error;
    for (Eigen::Index j = 0; j < y.cols(); ++j)
      for (Eigen::Index i = 0; i < 3; ++i)
        if (const double bound = std::sqrt(std::max(0.0, rigid(i) * b.modal(j, j))); bound > 0.0)
          largest_error = std::max(largest_error, std::abs(x(i, j) - y(i, j)) / bound);
    return largest_error;
  };
  d.translation =
      relative_to_bound(a.translation, b.translation, Eigen::Vector3d::Constant(b.mass));
  d.rotation = relative_to_bound(a.rotation, b.rotation, b.inertia.diagonal());
  d.modal = relative(a.modal, b.modal);
  return d;
}

}  // namespace femflex::modal

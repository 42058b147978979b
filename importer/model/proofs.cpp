// Checks that the matrices and modes of an imported model fit each other: symmetry, rigid-body
// motion, mass, eigenvalues. Notation: R rigid-body motions, phi a mode, lambda its eigenvalue.
#include "model/proofs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "femflex/mean_position.h"
#include "femflex/rigid_residual.h"

#include "model/fit_proofs.h"
#include "model/hourglass.h"
#include "model/missing_rotations.h"

namespace femflex::importer {
namespace {

using Rigid = Eigen::Matrix<double, Eigen::Dynamic, 6>;

/// Limits of a proof for data in single and in double precision. Errors of the last digit, summed
/// over the terms of a row, stay well below; a wrong row, axis or unit gives far more.
struct Limit {
  double single;
  double full;
  double of(bool is_single) const { return is_single ? single : full; }
};
constexpr Limit kSymmetryLimit{1e-4, 1e-6};
constexpr Limit kRigidMotionLimit{1e-4, 1e-6};
constexpr Limit kMassLimit{1e-5, 1e-6};
constexpr Limit kEigenvalueLimit{1e-3, 1e-5};

/// A proof that passes if value <= limit.
Proof make_proof(std::string name, double value, double limit, const std::string& text) {
  // a NaN fails, because the comparison is false
  return {std::move(name), value, limit, value <= limit, text};
}

void prove_symmetry(const std::optional<ModelMatrix>& matrix,
                    const char* letter,
                    std::vector<Proof>& out) {
  if (!matrix) return;
  const Asymmetry found = asymmetry(matrix->full);
  out.push_back(make_proof(
      fmt::format("symmetry of {}", letter),
      found.relative,
      kSymmetryLimit.of(matrix->single_precision),
      fmt::format(
          "{}: |{} - {}'| = {:.2g} |{}|", matrix->name, letter, letter, found.relative, letter)));
}

/// True if every node has its three translations, and all three rotations or (as in solids) none.
/// Then constraints have not eliminated any DOF.
bool has_every_dof(const FeModel& model) {
  for (const Node& node : model.nodes) {
    int rotations = 0;
    for (std::int8_t c = 1; c <= 6; ++c) {
      const bool has_row = model.dofs.find({node.id, c}) >= 0;
      if (!has_row && c <= 3) return false;
      if (c > 3) rotations += has_row ? 1 : 0;
    }
    if (rotations != 0 && rotations != 3) return false;
  }
  return !model.nodes.empty();
}

/// True if translations leave no force on any row.
bool costs_no_translation(const FeModel& model) {
  constexpr double kRoundOff = 1e-9;
  const Rigid r = rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::MatrixXd forces = model.stiffness->selfadjointView<Eigen::Lower>() * r.leftCols<3>();
  return forces.cwiseAbs().maxCoeff() <=
         kRoundOff * model.stiffness->coeffs().cwiseAbs().maxCoeff();
}

/// Checks K R = 0, which fails if the row order, the axes or the units of K are wrong.
void prove_rigid(const FeModel& model,
                 const Matrices& matrices,
                 const Gathered& gathered,
                 std::vector<Proof>& out) {
  if (!model.stiffness || !has_every_dof(model)) return;
  const RigidResidual found = rigid_residual(model);
  Proof proof = make_proof("rigid-body motion",
                           found.value,
                           kRigidMotionLimit.of(matrices.stiffness->single_precision),
                           fmt::format("|K R| = {:.2g} |K| |R|, largest at {}, rows as {}",
                                       found.value,
                                       to_string(model.dofs[found.row]),
                                       matrices.rows_name));
  if (!proof.passed && costs_no_translation(model))
    if (const std::optional<HourglassReason> reason =
            hourglass_reason(model, gathered, found.value)) {
      proof.text += "; " + reason->text;
      proof.remedy = reason->remedy;
    }
  if (!proof.passed && gathered.has_grounding_elements) {
    proof.passed = true;
    proof.text += "; accepted, because scalar springs may connect the structure to ground";
  }
  out.push_back(std::move(proof));
}

/// Checks that R' M R gives the same mass along x, y and z and, if all mass is declared on cards,
/// the declared mass.
void prove_mass(const FeModel& model,
                const Matrices& matrices,
                const Gathered& gathered,
                std::vector<Proof>& out) {
  if (!matrices.mass || model.nodes.empty()) return;
  const Rigid r = rigid_body_shapes(model, model.dofs, mean_position(model.nodes));
  const Eigen::Matrix<double, 6, 6> rigid = r.transpose() * (matrices.mass->full * r);
  const double limit = kMassLimit.of(matrices.mass->single_precision);
  if (has_every_dof(model)) {
    const double largest = rigid.diagonal().head<3>().maxCoeff();
    const double smallest = rigid.diagonal().head<3>().minCoeff();
    const double value = largest > 0.0 ? (largest - smallest) / largest : 0.0;
    out.push_back(make_proof("mass in all directions",
                             value,
                             limit,
                             fmt::format("R' M R gives {:.9g}, {:.9g} and {:.9g} along x, y and z",
                                         rigid(0, 0),
                                         rigid(1, 1),
                                         rigid(2, 2))));
  }
  if (!gathered.massless_elements_only || gathered.geometry.masses.empty()) return;
  double declared = 0.0;
  std::set<std::int64_t> nodes_with_mass;
  for (const RawMass& mass : gathered.geometry.masses) {
    declared += mass.mass;
    nodes_with_mass.insert(mass.node);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto component = static_cast<std::int8_t>(axis + 1);
    const bool complete =
        std::all_of(nodes_with_mass.begin(), nodes_with_mass.end(), [&](std::int64_t id) {
          return model.dofs.find({id, component}) >= 0;
        });
    if (!complete || declared <= 0.0) continue;
    const double value = std::abs(rigid(axis, axis) - declared) / declared;
    std::string text =
        fmt::format("R' M R gives {:.9g}, the deck declares {:.9g}", rigid(axis, axis), declared);
    // a model held by springs to ground can be swapped without a zero on the other side
    if (value > limit && matrices.stiffness) {
      const double of_k = r.col(axis).dot(matrices.stiffness->full * r.col(axis));
      if (std::abs(of_k - declared) <= limit * declared)
        text += fmt::format("; {} gives it, so K and M are swapped", matrices.stiffness->name);
    }
    out.push_back(make_proof(fmt::format("mass along {}", "xyz"[axis]), value, limit, text));
  }
}

/// Checks phi' K phi = lambda phi' M phi. The equation's error is of second order in the error of
/// phi, so that single-precision shapes can be checked; constraint forces do no work and drop out.
void prove_modes(const FeModel& model,
                 const Matrices& matrices,
                 const Shapes& shapes,
                 std::vector<Proof>& out) {
  if (!matrices.stiffness || !matrices.mass) return;
  // a rigid-body eigenvalue is only round-off, at most this fraction of the largest eigenvalue
  constexpr double kMaxRigidEigenvalue = 1e-4;
  // largest deviations from 1, due to rounding, of a unit modal mass and a unit largest component
  constexpr double kUnitMass = 1e-4;
  constexpr double kUnitComponent = 1e-5;
  constexpr double kMaxShownResidual = 0.1;
  const ModeSet& set = model.modes;
  // K phi is not known if the shapes cover only part of the model
  const auto is_missing = [&](const Dof& dof) {
    return set.rows.find(dof) < 0 && (dof.component < 4 || set.rows.find({dof.node, 1}) < 0);
  };
  if (std::any_of(model.dofs.rows().begin(), model.dofs.rows().end(), is_missing) ||
      !missing_rotations(model).empty())
    return;
  const Eigen::MatrixXd phi = shapes_on(set, model.dofs);
  double largest = 0.0;
  for (const ModeInfo& mode : set.modes)
    if (std::isfinite(mode.eigenvalue)) largest = std::max(largest, std::abs(mode.eigenvalue));
  for (std::int64_t k = 0; k < set.count(); ++k) {
    const ModeInfo& mode = set.modes[static_cast<std::size_t>(k)];
    if (mode.kind != ModeKind::dynamic || !std::isfinite(mode.eigenvalue)) continue;
    const Eigen::VectorXd K_phi = matrices.stiffness->full * phi.col(k);
    const Eigen::VectorXd M_phi = matrices.mass->full * phi.col(k);
    const double mass = phi.col(k).dot(M_phi);
    const double lambda = phi.col(k).dot(K_phi) / mass;
    const double scale = std::max(std::abs(mode.eigenvalue), kMaxRigidEigenvalue * largest);
    const double value = std::abs(lambda - mode.eigenvalue) / scale;
    const double residual =
        (K_phi - mode.eigenvalue * M_phi).norm() / std::max(K_phi.norm(), scale * M_phi.norm());
    const bool single = shapes.single_precision[static_cast<std::size_t>(k)];
    std::string text =
        fmt::format("phi' K phi / phi' M phi = {:.9g}, given {:.9g}; phi' M phi = {:.6g}",
                    lambda,
                    mode.eigenvalue,
                    mass);
    if (std::abs(mass - 1.0) < kUnitMass)
      text += " (scaled to unit modal mass)";
    else if (std::abs(phi.col(k).cwiseAbs().maxCoeff() - 1.0) < kUnitComponent)
      text += " (scaled to largest component 1)";
    // shown only if small: the residual includes constraint forces if K lacks rigid elements or
    // supports
    if (residual < kMaxShownResidual)
      text += fmt::format("; |K phi - lambda M phi| = {:.2g} |K phi|", residual);
    out.push_back(make_proof(
        fmt::format("mode {}", label_of(mode)), value, kEigenvalueLimit.of(single), text));
  }
}

}  // namespace

std::vector<Proof> prove(const FeModel& model,
                         const Matrices& matrices,
                         const Shapes& shapes,
                         const Gathered& gathered) {
  std::vector<Proof> out;
  prove_symmetry(matrices.stiffness, "K", out);
  prove_symmetry(matrices.mass, "M", out);
  prove_symmetry(matrices.damping, "D", out);
  prove_rigid(model, matrices, gathered, out);
  const std::vector<Proof> fit = prove_fit(model, matrices, gathered);
  out.insert(out.end(), fit.begin(), fit.end());
  prove_mass(model, matrices, gathered, out);
  prove_modes(model, matrices, shapes, out);
  return out;
}

}  // namespace femflex::importer

// Shapes that a reduction leaves out: requests free normal modes and residual attachment modes,
// takes away what the shapes of the body hold, and makes the rest orthogonal.
#include "methods/left_out.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/constraints.h"
#include "femflex/errors.h"
#include "femflex/modal/orthogonalise.h"

#include "dense/symmetric_eigen.h"
#include "dense/tall_products.h"
#include "solve/projection.h"
#include "solve/system.h"

namespace femflex::modal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Part of a candidate, by mass, that the body must leave over: below it is round-off of the shapes.
constexpr double kLeastRest = 1e-8;
// least stiffness of a combination of the body's shapes, of unit diagonal, that is not rigid motion
constexpr double kLeastStiffness = 1e-12;

/// Translations of the nodes at which displacements shall be complete, without those that are fixed
/// or empty. Dependent ones stay, to be refused with the name of their leader.
std::vector<Dof> wanted_dofs(const FeModel& model, const ReduceOptions& options) {
  const std::vector<std::int64_t>& nodes =
      options.left_out_at.empty() ? model.interface_nodes : options.left_out_at;
  Diagnostics told_by_modes;
  const System system = build_system(model, told_by_modes);
  const Dependence dependence(model);
  const auto can_load = [&](const Dof& dof) {
    const std::int64_t row = model.dofs.find(dof);
    return row >= 0 && (system.unknown_of[static_cast<std::size_t>(row)] >= 0 ||
                        dependence.find(dof) != nullptr);
  };
  std::vector<Dof> out;
  for (const std::int64_t id : nodes) {
    if (femflex::find_node(model, id) == nullptr)
      throw ModelError("unknown-node", fmt::format("--left-out-at: the model has no node {}", id));
    for (std::int8_t c = 1; c <= 3; ++c)
      if (can_load({id, c})) out.push_back({id, c});
  }
  return out;
}

/// Free normal modes beyond those that the body can hold, and residual attachment modes.
MatrixXd candidates(const FeModel& model,
                    Eigen::Index shapes,
                    const ReduceOptions& options,
                    Diagnostics& diagnostics,
                    Progress& progress) {
  constexpr std::int64_t kRigidModes = 6;
  ModeRequest request;
  request.solve = options.solve;
  request.normal = kRigidModes + shapes + *options.left_out;
  request.at_most = true;
  request.rigid = true;
  request.dofs = wanted_dofs(model, options);
  request.residual_attachment = !request.dofs.empty();
  FeModel without_loads = model;
  if (request.residual_attachment && !options.left_out_at.empty())
    without_loads.interface_nodes = options.left_out_at;
  const ComputedModes computed = compute_modes(without_loads, request, diagnostics, progress);
  const MatrixXd all = shapes_on(computed.modes, model.dofs);
  return all.rightCols(all.cols() - computed.report.rigid_modes);
}

/// Takes from Z its K-orthogonal projection on X.
void remove_held(const FeModel& model, const MatrixXd& X, MatrixXd& Z) {
  const MatrixXd k = project(*model.stiffness, X);
  const VectorXd scale = k.diagonal().cwiseMax(0.0).cwiseSqrt().cwiseInverse();
  if (!scale.allFinite() ||
      symmetric_eigen(scale.asDiagonal() * k * scale.asDiagonal()).values(0) < kLeastStiffness)
    throw ModelError("rigid-shapes",
                     "the shapes of the body contain rigid motion: what they leave out is not "
                     "defined",
                     {},
                     "add --orthogonalise --drop-rigid, or leave out --left-out");
  const Eigen::LLT<MatrixXd> factor(k);
  // a second pass removes the round-off of the first
  for (int pass = 0; pass < 2; ++pass)
    add_product(
        Z, X, factor.solve(transposed_product(X, symmetric_product(*model.stiffness, Z))), -1.0);
}

/// Combinations of Z that have a mass of their own, each of unit mass.
MatrixXd independent(const FeModel& model, const VectorXd& mass_before, const MatrixXd& Z) {
  const VectorXd scale = mass_before.cwiseSqrt().cwiseInverse();
  const MatrixXd m = scale.asDiagonal() * project(*model.mass, Z) * scale.asDiagonal();
  const DenseEigen pairs = symmetric_eigen(m);
  Eigen::Index first = 0;
  while (first < pairs.values.size() && pairs.values(first) < kLeastRest)
    ++first;
  const Eigen::Index count = pairs.values.size() - first;
  MatrixXd out = MatrixXd::Zero(Z.rows(), count);
  add_product(out,
              Z,
              scale.asDiagonal() * pairs.vectors.rightCols(count) *
                  pairs.values.tail(count).cwiseSqrt().cwiseInverse().asDiagonal());
  return out;
}

}  // namespace

ModeSet left_out_shapes(const FeModel& model,
                        const MatrixXd& X,
                        const ReduceOptions& options,
                        Diagnostics& diagnostics,
                        Progress& progress) {
  if (!model.stiffness || !model.mass)
    throw ModelError("no-matrices", "--left-out: the model holds no stiffness and mass matrix");
  MatrixXd Z = candidates(model, X.cols(), options, diagnostics, progress);
  const VectorXd before = project(*model.mass, Z).diagonal();
  std::vector<Eigen::Index> heavy;
  for (Eigen::Index j = 0; j < Z.cols(); ++j)
    if (before(j) > 0.0) heavy.push_back(j);
  Z = Z(Eigen::all, heavy).eval();
  remove_held(model, X, Z);
  Z = independent(model, before(heavy), Z);
  ModeSet out;
  out.rows = model.dofs;
  if (Z.cols() == 0) {
    out.shapes = std::move(Z);
    return out;
  }
  const OrthogonalBasis basis =
      orthogonalise(project(*model.mass, Z), project(*model.stiffness, Z));
  out.shapes = MatrixXd::Zero(Z.rows(), Z.cols());
  add_product(out.shapes, Z, basis.V);
  const VectorXd mass = project(*model.mass, out.shapes).diagonal();
  out.shapes = out.shapes * mass.cwiseSqrt().cwiseInverse().asDiagonal();
  for (Eigen::Index j = 0; j < Z.cols(); ++j) {
    ModeInfo info;
    info.kind = ModeKind::modal_truncation;
    info.number = j + 1;
    info.eigenvalue = basis.lambda(j);
    info.generalised_mass = 1.0;
    info.source = "left out of the body";
    out.modes.push_back(std::move(info));
  }
  return out;
}

}  // namespace femflex::modal

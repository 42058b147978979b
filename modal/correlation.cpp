// Measures modes: modal assurance criterion of two sets of shapes, effective mass and
// participation of a body's modes, and the share of each node in the kinetic energy of a mode.
#include "femflex/modal/correlation.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/frames.h"
#include "femflex/modal/orthogonalise.h"

#include "dense/symmetric_eigen.h"
#include "solve/projection.h"
#include "solve/scalar_rows.h"

namespace femflex::modal {
namespace {

void check_rows(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (a.rows() != b.rows())
    throw ModelError(
        "size", fmt::format("shapes of {} and {} rows cannot be compared", a.rows(), b.rows()));
}

/// (a_i' W b_j)^2 / (a_i' W a_i  b_j' W b_j); 0 where a shape has no length.
/// @param ab  A' W B;  @param aa, bb  squared lengths of the columns of A and B
Eigen::MatrixXd criterion(const Eigen::MatrixXd& ab,
                          const Eigen::VectorXd& aa,
                          const Eigen::VectorXd& bb) {
  Eigen::MatrixXd out = ab.cwiseAbs2();
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      const double size = aa(i) * bb(j);
      out(i, j) = size > 0.0 ? out(i, j) / size : 0.0;
    }
  return out;
}

}  // namespace

Eigen::MatrixXd mac(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  check_rows(a, b);
  return criterion(transposed_product(a, b),
                   a.colwise().squaredNorm().transpose(),
                   b.colwise().squaredNorm().transpose());
}

Eigen::MatrixXd mass_weighted_mac(const Eigen::MatrixXd& a,
                                  const Eigen::MatrixXd& b,
                                  const SparseMatrix& mass) {
  check_rows(a, b);
  if (mass.rows() != a.rows())
    throw ModelError("size",
                     fmt::format("shapes have {} rows, the mass matrix {}", a.rows(), mass.rows()));
  const Eigen::MatrixXd Ma = symmetric_product(mass, a);
  const Eigen::MatrixXd Mb = symmetric_product(mass, b);
  return criterion(transposed_product(Ma, b),
                   a.cwiseProduct(Ma).colwise().sum().transpose(),
                   b.cwiseProduct(Mb).colwise().sum().transpose());
}

EffectiveMass effective_mass(const FlexBody& body) {
  const InertiaInvariants& i = body.invariants;
  EffectiveMass out;
  out.participation.resize(body.mode_count(), 6);
  out.participation.leftCols<3>() = i.translation.transpose();
  out.participation.rightCols<3>() = i.rotation.transpose();
  out.effective_mass.resize(body.mode_count(), 6);
  for (Eigen::Index j = 0; j < body.mode_count(); ++j) {
    const double m = body.mass(j, j);
    out.effective_mass.row(j) = out.participation.row(j).cwiseAbs2() / (m > 0.0 ? m : 1.0);
  }
  constexpr double kNotZero = 1e-300;  // keeps the division by a zero mass finite
  // largest entry of the scaled modal mass off the diagonal at which modes count as orthogonal;
  // body files hold seven digits or more
  constexpr double kOrthogonal = 1e-6;
  const Eigen::VectorXd root = body.mass.diagonal().cwiseMax(kNotZero).cwiseSqrt();
  const Eigen::MatrixXd unit =
      root.cwiseInverse().asDiagonal() * body.mass * root.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd share = root.cwiseInverse().asDiagonal() * out.participation;
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(unit.rows(), unit.cols());
  out.is_orthogonal = unit.size() == 0 || (unit - identity).cwiseAbs().maxCoeff() < kOrthogonal;
  out.set_sum = out.effective_mass.colwise().sum().transpose();
  if (!out.is_orthogonal)
    out.set_sum = share.cwiseProduct(unit.ldlt().solve(share)).colwise().sum().transpose();
  out.total << Eigen::Vector3d::Constant(i.mass), i.inertia.diagonal();
  return out;
}

namespace {

/// The modes [first, first + count) of a body on the DOFs of a model; rows of scalar points are
/// zero.
Eigen::MatrixXd nodes_on_model(const FlexBody& body,
                               const FeModel& model,
                               double length,
                               Eigen::Index first,
                               Eigen::Index count) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(model.dofs.size(), count);
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    const Dof& dof = model.dofs[row];
    if (dof.component == 0) continue;
    const Eigen::Index node = find_node(body, dof.node);
    if (node < 0)
      throw ModelError("unknown-node",
                       fmt::format("the body has no node {}, which the model has", dof.node),
                       {},
                       "validate against the model that the body was made from");
    out.row(row) = body.shapes.row(6 * node + dof.component - 1).segment(first, count) /
                   (dof.component <= 3 ? length : 1.0);
  }
  return out;
}

/// Columns that lack more of their mass than this are not told by the motion of the nodes.
constexpr double kLacksMass = 1e-3;

/// Fills anew the columns of `out`, all modes of a body in the units of the model, that lack mass:
/// as combinations of the body's eigenvectors. Fixed-interface modes, in which all nodes of the
/// model may rest, are those of modes in which they move.
void fill_by_eigenvectors(const FlexBody& body,
                          const Units& units,
                          const Eigen::VectorXd& error,
                          ScalarRows& scalar_rows,
                          Eigen::MatrixXd& out) {
  OrthogonalBasis basis = orthogonalise(body.mass, body.stiffness);
  const Eigen::VectorXd length = (basis.V.transpose() * body.mass * basis.V).diagonal().cwiseSqrt();
  basis.V = basis.V * length.cwiseInverse().asDiagonal();
  Eigen::MatrixXd Phi = out * basis.V;
  scalar_rows.fill(Phi,
                   basis.lambda / units.eigenvalue(),
                   Eigen::VectorXd::Constant(Phi.cols(), 1.0 / units.inertia()));
  const Eigen::MatrixXd inverse = basis.V.transpose() * body.mass;
  for (Eigen::Index j = 0; j < out.cols(); ++j)
    if (error(j) > kLacksMass) out.col(j) = Phi * inverse.col(j);
}

/// The modes [first, first + count) of a body on the DOFs of a model, in its units.
/// @param error  receives what each lacks of its mass
Eigen::MatrixXd modes_on_model(const FlexBody& body,
                               const FeModel& model,
                               ScalarRows& scalar_rows,
                               Eigen::Index first,
                               Eigen::Index count,
                               Eigen::VectorXd& error) {
  const Units units = model.units.value_or(Units{});
  Eigen::MatrixXd out = nodes_on_model(body, model, units.length, first, count);
  if (scalar_rows.empty()) return out;
  const Eigen::VectorXd mass = body.mass.diagonal().segment(first, count);
  const Eigen::VectorXd lambda =
      body.stiffness.diagonal().segment(first, count).cwiseQuotient(mass) / units.eigenvalue();
  error = scalar_rows.fill(out, lambda, mass / units.inertia());
  return out;
}

}  // namespace

Eigen::MatrixXd shapes_on_model(const FlexBody& body, const FeModel& model, double length) {
  ScalarRows scalar_rows(model);
  if (scalar_rows.empty()) return nodes_on_model(body, model, length, 0, body.mode_count());
  const Units units = model.units.value_or(Units{});
  Eigen::VectorXd error;
  Eigen::MatrixXd out = modes_on_model(body, model, scalar_rows, 0, body.mode_count(), error);
  if (error.size() > 0 && error.maxCoeff() > kLacksMass)
    fill_by_eigenvectors(body, units, error, scalar_rows, out);
  const double in_length = units.length / length;
  for (std::int64_t row = 0; row < model.dofs.size(); ++row)
    if (model.dofs[row].component <= 3) out.row(row) *= in_length;
  return out;
}

Eigen::MatrixXd kinetic_energy_fractions(const FlexBody& body, const FeModel* model) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(body.node_count(), body.mode_count());
  if (model != nullptr && model->mass) {
    constexpr Eigen::Index kBlock = 16;  // modes at once, so that large bodies need no second copy
    ScalarRows scalar_rows(*model);
    for (Eigen::Index first = 0; first < out.cols(); first += kBlock) {
      const Eigen::Index count = std::min(kBlock, out.cols() - first);
      Eigen::VectorXd error;
      const Eigen::MatrixXd Phi = modes_on_model(body, *model, scalar_rows, first, count, error);
      const Eigen::MatrixXd energy = Phi.cwiseProduct(symmetric_product(*model->mass, Phi));
      for (std::int64_t row = 0; row < model->dofs.size(); ++row) {
        const Dof& dof = model->dofs[row];
        if (dof.component != 0)
          out.row(find_node(body, dof.node)).segment(first, count) += energy.row(row);
      }
      const Eigen::RowVectorXd sum = energy.colwise().sum();
      for (Eigen::Index j = 0; j < count; ++j)
        if (sum(j) > 0.0) out.col(first + j) /= sum(j);
    }
    return out;
  }
  for (Eigen::Index j = 0; j < body.mode_count(); ++j) {
    for (Eigen::Index p = 0; p < body.node_count(); ++p)
      out(p, j) =
          body.shapes.col(j).segment<6>(6 * p).cwiseAbs2().dot(body.lumped_mass.row(p).transpose());
    const double m = body.mass(j, j);
    if (m > 0.0) out.col(j) /= m;
  }
  return out;
}

}  // namespace femflex::modal

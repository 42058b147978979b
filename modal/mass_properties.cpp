// Computes mass, centre of mass and inertia of an FE model from T' M T, where T are the six
// rigid-body shapes. For models whose masses along x, y and z differ it uses nodal masses.
#include "femflex/modal/mass_properties.h"

#include <cstdint>

#include "femflex/frames.h"

#include "mass_limits.h"

namespace femflex::modal {
namespace {

/// Computes centre and inertia from nodal masses: the row sums of M, as the mean of the directions
/// that have the full mass. In other directions nodes lack rows.
/// @param MT  M times the rigid-body shapes about the origin
void lumped_properties(const FeModel& model,
                       const Eigen::Matrix<double, Eigen::Dynamic, 6>& MT,
                       MassProperties& out) {
  const Eigen::Array3d is_full = full_directions(out.directional);
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Matrix3d about_origin = Eigen::Matrix3d::Zero();
  for (std::int64_t row = 0; row < model.dofs.size(); ++row) {
    const Dof& dof = model.dofs[row];
    const Node* node = dof.component == 0 ? nullptr : find_node(model, dof.node);
    if (node == nullptr) continue;
    if (dof.component > 3) {
      about_origin(dof.component - 4, dof.component - 4) += model.mass->coeff(row, row);
      continue;
    }
    const double m = MT(row, dof.component - 1) * is_full(dof.component - 1) / is_full.sum();
    const Eigen::Matrix3d tilde = cross_matrix(node->position);
    moment += m * node->position;
    about_origin += m * tilde.transpose() * tilde;
  }
  out.centre = moment / out.mass;
  const Eigen::Matrix3d tilde = cross_matrix(out.centre);
  out.inertia = about_origin - out.mass * tilde.transpose() * tilde;
}

}  // namespace

MassProperties mass_properties(const FeModel& model) {
  MassProperties out;
  const Eigen::Matrix<double, Eigen::Dynamic, 6> T =
      rigid_body_shapes(model, model.dofs, Eigen::Vector3d::Zero());
  const Eigen::Matrix<double, Eigen::Dynamic, 6> MT =
      model.mass->selfadjointView<Eigen::Lower>() * T;
  const Eigen::Matrix<double, 6, 6> R = T.transpose() * MT;
  out.directional = R.diagonal().head<3>();
  // a model may have mass in some directions only; the direction with the largest mass counts
  out.mass = out.directional.maxCoeff();
  if (!(out.mass > 0.0)) return out;
  const Eigen::Matrix3d S = R.block<3, 3>(0, 3);  // sum m c~' for equal masses in all directions
  out.is_isotropic = (out.directional.array() - out.mass).abs().maxCoeff() <= kEqualMass * out.mass;
  if (!out.is_isotropic) {
    lumped_properties(model, MT, out);
    return out;
  }
  out.centre =
      Eigen::Vector3d(S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0)) / (2.0 * out.mass);
  const Eigen::Matrix3d tilde = cross_matrix(out.centre);
  out.inertia = R.block<3, 3>(3, 3) - out.mass * tilde.transpose() * tilde;
  return out;
}

}  // namespace femflex::modal

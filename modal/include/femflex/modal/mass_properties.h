// Computes mass, centre of mass and inertia from the mass matrix of an FE model.
#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::modal {

/// Mass properties from the mass matrix of a model, in the units of the model.
struct MassProperties {
  Eigen::Vector3d directional = Eigen::Vector3d::Zero();  ///< T' M T of translation x, y, z
  double mass = 0.0;                                      ///< the largest of them
  bool is_isotropic = true;                               ///< true if all three equal `mass`
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();       ///< in basic; zero if there is no mass
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();      ///< about `centre`
};

/// Mass, centre and inertia from R = T' M T, where T are the rigid-body shapes about the origin.
/// Models whose masses along x, y and z differ, such as those in a plane, are treated as lumped,
/// with the row sums of M in the directions of the largest mass.
/// @param model  holds a mass matrix
MassProperties mass_properties(const FeModel& model);

}  // namespace femflex::modal

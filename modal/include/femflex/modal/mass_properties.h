#pragma once

#include <Eigen/Core>

#include "femflex/fe_model.h"

namespace femflex::modal {

/// Mass properties from the mass matrix of a model, in the units of the model.
struct MassProperties {
  Eigen::Vector3d directional = Eigen::Vector3d::Zero();  ///< T' M T of translation x, y, z
  double mass = 0.0;                                      ///< the largest of them
  bool is_even = true;                                    ///< all three equal the mass
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();       ///< basic; zero without mass
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();      ///< about `centre`
};

/// Mass, centre and inertia from R = T' M T, T the rigid-body shapes about the origin. Models in a
/// line or a plane, where some directions carry no mass, are treated as lumped: row sums of M over
/// each direction that carries mass.
/// @param model  holds a mass matrix
MassProperties mass_properties(const FeModel& model);

}  // namespace femflex::modal

// BodyModes: the modes of a reduced body on the DOFs of its FE model, for their comparison.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/mode_set.h"

namespace femflex::modal {

/// Elastic vibration of the body: shapes on the DOFs of the model, with unit mass in model units.
struct BodyModes {
  Eigen::VectorXd lambda;  // SI
  Eigen::MatrixXd shapes;
  double floor = 0.0;  // eigenvalues below this are zero [rad^2/s^2]
  /// T' M shapes by the invariants of the body, T the rigid motions about the origin; empty if the
  /// model has no scalar points, whose rows in the shapes are not exact
  Eigen::MatrixXd participation;
};

/// The eigenmodes of the body alone on the DOFs of the model.
/// @param normal  normal modes of the model, `rigid` rigid ones first
/// @param R       rigid modes of the model
BodyModes own_modes(const FlexBody& body,
                    const FeModel& model,
                    const ModeSet& normal,
                    std::int64_t rigid,
                    const Eigen::MatrixXd& R);

/// The part of the rigid modes R in which the whole model moves as one body, M-orthonormal, without
/// motions of parts against each other.
Eigen::MatrixXd whole_rigid_modes(const FeModel& model, const Eigen::MatrixXd& R);

/// The elastic modes of a body. Its frame carries the rigid motions, whether its modes contain them
/// or not, so that the body moves in the span of the rigid modes R and its own shapes. The elastic
/// modes are those orthogonal to R in the mass norm.
/// @param zero_modes  receives the number of zero modes of the body and of the rigid motions that
///                    only its frame gives
BodyModes elastic_body_modes(const BodyModes& own,
                             const Eigen::MatrixXd& R,
                             const FeModel& model,
                             std::int64_t& zero_modes);

}  // namespace femflex::modal

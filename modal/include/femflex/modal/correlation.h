// Measures modes: modal assurance criterion, effective mass, and kinetic energy by node.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/compute_modes.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// Modal assurance criterion |a_i' W b_j|^2 / (a_i' W a_i  b_j' W b_j), with W = 1 or a mass matrix
/// (lower triangle).
Eigen::MatrixXd mac(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
Eigen::MatrixXd mass_weighted_mac(const Eigen::MatrixXd& a,
                                  const Eigen::MatrixXd& b,
                                  const SparseMatrix& mass);

/// Participation gamma = Phi' M T in the six rigid motions about the origin and effective mass
/// gamma^2 / m_ii of each mode of a body.  docs/theory/modal.md eq. (18).
struct EffectiveMass {
  Eigen::Matrix<double, Eigen::Dynamic, 6> participation;   ///< gamma
  Eigen::Matrix<double, Eigen::Dynamic, 6> effective_mass;  ///< [kg], [kg m^2]
  /// effective mass of the whole set, gamma' m^-1 gamma; for an orthogonal set the sum over modes
  Eigen::Matrix<double, 6, 1> set_sum;
  bool is_orthogonal = true;          ///< true if the modes add up to `set_sum`
  Eigen::Matrix<double, 6, 1> total;  ///< mass and inertia of the body
};
EffectiveMass effective_mass(const FlexBody& body);

/// Shapes of a body on the DOFs of the model that it was made from. Rows of scalar points (internal
/// DOFs, modal coordinates), which a body does not hold, follow from those of the nodes by K and M.
/// docs/theory/modal.md section "Rows that a body does not hold".
/// @param length  [m] unit of the translations and scalar points
Eigen::MatrixXd shapes_on_model(const FlexBody& body, const FeModel& model, double length);

/// Share of each node in the kinetic energy of each mode (nodes x modes). With a model: phi_n' (M
/// phi)_n; columns sum to one, less what scalar points have. Without a model the lumped masses are
/// used, and columns sum to one if these reproduce m_ii.
Eigen::MatrixXd kinetic_energy_fractions(const FlexBody& body, const FeModel* model = nullptr);

}  // namespace femflex::modal

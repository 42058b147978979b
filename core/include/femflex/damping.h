// Converts between damping and damping ratio of a mode; gives the damping matrix of a body, of true
// modes, and the ratios that Adams assumes.
#pragma once

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex {

/// Viscous damping of one mode from its ratio:  d = 2 damping_ratio sqrt(k m), in [kg/s] if m is a
/// mass in kg.
///
/// Zero if the ratio is not finite (unknown: files write NaN), or if k m is not positive: a rigid
/// mode has no critical damping, and its k is round-off of either sign.
double damping_from_ratio(double ratio, double stiffness, double mass);

/// The inverse, damping_ratio = d / (2 sqrt(k m)); NaN if k m is not positive.
double ratio_from_damping(double damping, double stiffness, double mass);

/// The ratio that Adams gives a mode of a flexible body by default: 1 % below 100 Hz, 10 % below
/// 1 kHz, critical above; 1 % for an unknown frequency (NaN).
double adams_damping_ratio(double frequency_hz);

/// d of a body (n x n): its damping matrix if it has one, else a diagonal matrix from the ratios of
/// its modes, d_ii = 2 damping_ratio_i sqrt(k_ii m_ii).
Eigen::MatrixXd damping_matrix(const FlexBody& body);

/// d with one damping ratio for each true mode of a body: m V diag(2 damping_ratio sqrt(lambda)) V'
/// m.
/// @param V       true modes (columns), V' m V = 1
/// @param lambda  their eigenvalues [rad^2/s^2]
Eigen::MatrixXd true_mode_damping(const Eigen::MatrixXd& mass,
                                  const Eigen::MatrixXd& V,
                                  const Eigen::VectorXd& lambda,
                                  const Eigen::VectorXd& damping_ratios);

}  // namespace femflex

// Converts between damping and damping ratio of a mode; gives the damping matrix of a body.
#pragma once

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex {

/// Viscous damping of one mode from its ratio:  b = 2 beta sqrt(k m)  [N s/m].
///
/// The damping is zero if the ratio is not finite (unknown: files write NaN) or if k m is not
/// positive: a rigid mode has no critical damping, and its k
/// is round-off of either sign.
double damping_from_ratio(double ratio, double stiffness, double mass);

/// The inverse, beta = b / (2 sqrt(k m)); NaN if k m is not positive.
double ratio_from_damping(double damping, double stiffness, double mass);

/// The ratio that Adams gives a mode of a flexible body by default: 1 % below 100 Hz, 10 % below
/// 1 kHz, critical above. An unknown frequency (NaN) counts as low.
double adams_damping_ratio(double frequency_hz);

/// b of a body (n x n): its damping matrix if it has one, else a diagonal matrix from the ratios of
/// its modes, b_ii = 2 beta_i sqrt(k_ii m_ii).
Eigen::MatrixXd damping_matrix(const FlexBody& body);

}  // namespace femflex

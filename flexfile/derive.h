// Quantities derived from a body, for formats that do not contain them.
#pragma once

#include <string>

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Positions (3 x nodes) in the form that invariants_from_lumped() expects.
Eigen::Matrix3Xd positions_of(const FlexBody& body);

/// Invariants from nodes, shapes and lumped masses; invariant 6 is the given modal mass, which may
/// come from a consistent mass matrix.
InertiaInvariants derived_invariants(const FlexBody& body);

/// Fills unknown eigenvalues of the mode table with k_ii / m_ii.
void derive_eigenvalues(FlexBody& body);

/// Fills damping ratios missing in the mode table from the diagonal of the damping matrix.
void derive_damping_ratios(FlexBody& body);

/// True if any node has rotary inertia.
bool has_rotary_inertia(const FlexBody& body);

/// Number of independent zero-energy motions of the modes: zero eigenvalues of k (up to round-off)
/// after scaling to a unit diagonal of m. 0 also if a mode has no mass.
Eigen::Index zero_energy_mode_count(const FlexBody& body);

/// Name of a mode such as "dynamic 1 (12.34 Hz)": kind, number in the body, frequency if known.
std::string mode_name(const FlexBody& body, Eigen::Index mode);
/// Frequency [Hz]; NaN if the eigenvalue is unknown or negative.
double frequency_of(const BodyMode& mode);

}  // namespace femflex::flexfile

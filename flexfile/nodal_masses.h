// Finds nodal masses for body files that contain no other inertia (FLEX, DADS, MBDyn).
#pragma once

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/invariant_errors.h"

namespace femflex::flexfile {

/// Masses for files that contain no other inertia: a reader computes invariants_from_lumped() from
/// them.
struct NodalMasses {
  Eigen::Matrix<double, Eigen::Dynamic, 6> values;  ///< as FlexBody::lumped_mass
  /// Errors of the invariants that such a reader computes. Invariant 6 is regarded as exact,
  /// because every format stores the modal mass itself.
  InvariantErrors errors;
  bool is_fitted = false;     ///< false: the lumped masses of the body, unchanged
  bool has_negative = false;  ///< true if only masses of both signs keep mass, centre and inertia
};

/// Returns the lumped masses of the body, unchanged, if its invariants follow from them. Otherwise
/// (row sums of a consistent mass matrix, which are negative at corners of quadratic solids;
/// condensed bodies; formats without nodal masses) returns nonnegative masses, equal in x, y and z,
/// that give the body's mass, centre and inertia exactly and the other invariants as well as
/// possible. If no nonnegative masses give these three (one quadratic brick across a square bar:
/// all nodes on the skin), rotary inertias are added; if that does not help, masses may be
/// negative. docs/theory/body_files.md (20).
///
/// @param uses_x_for_all  true if the reader uses only the x mass of each node, for all directions
NodalMasses nodal_masses(const FlexBody& body, bool uses_x_for_all = false);

/// Warns if a reader that uses only the nodal masses is off by more than 1 %.
/// @param reader  "DADS", "MBDyn"
/// @param remedy  how all invariants can be passed on
void warn_of_nodal_masses(const NodalMasses& masses,
                          const char* reader,
                          const char* remedy,
                          const std::string& file,
                          Diagnostics& diagnostics);

}  // namespace femflex::flexfile

#pragma once

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/flexfile/invariant_errors.h"

namespace femflex::flexfile {

/// Masses for files that hold nothing else of the inertia: a reader makes invariants_from_lumped()
/// of them.
struct NodalMasses {
  Eigen::Matrix<double, Eigen::Dynamic, 6> values;  ///< as FlexBody::lumped_mass
  /// Of the invariants that such a reader makes, against those of the body. 6 counts as met: every
  /// format stores the modal mass itself.
  InvariantErrors left;
  bool is_fitted = false;     ///< false: the lumped masses of the body, unchanged
  bool has_negative = false;  ///< none but masses of either sign keep mass, centre and inertia
};

/// The lumped masses of the body, bit by bit, where its invariants are those of them. Else (sums of
/// rows of a consistent mass matrix, which are negative at corners of quadratic solids; condensed
/// bodies; formats without nodal masses) the nonnegative masses, equal in x, y and z, that keep
/// mass, centre and inertia exactly and the other invariants as well as can be. Where no
/// nonnegative masses keep the three (one quadratic brick across a square bar: all nodes on the
/// skin), rotary inertias are added, or else masses may be negative. docs/theory/body_files.md
/// (20).
///
/// @param takes_x_for_all  the reader knows one mass per node, that of x
NodalMasses nodal_masses(const FlexBody& body, bool takes_x_for_all = false);

/// Warns where a reader of the nodal masses alone is off by more than 1 %.
/// @param reader  "DADS", "MBDyn"
/// @param remedy  how the whole of the invariants can be had
void warn_of_nodal_masses(const NodalMasses& masses,
                          const char* reader,
                          const char* remedy,
                          const std::string& file,
                          Diagnostics& diagnostics);

}  // namespace femflex::flexfile

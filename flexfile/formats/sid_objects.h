// Converts the objects of a SID file that describe the whole body (mass, inertia, stiffness, ...)
// to a FlexBody and back.
#pragma once

#include <array>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// M(q) = m0 + sum_l m1[l] q_l. `m1` is empty for order 0.
struct Taylor {
  Eigen::MatrixXd m0;
  std::vector<Eigen::MatrixXd> m1;
};

/// The objects of a SID file that describe the whole body, as matrices. The six independent entries
/// of the symmetric J are stored in the order xx yy zz xy xz yz, those of Oe in xx yy zz xy yz xz.
struct SidObjects {
  double mass = 0.0;
  Taylor mdCM, J, Ct, Cr, Me, Gr, Ge, Oe, ksigma, Ke, De;
};

/// The objects of a body, docs/theory/body_files.md eq. (3) to (13).
SidObjects sid_objects(const FlexBody& body);

/// The inverse: m, k, b, invariants and geometric stiffness from the objects of a file. Relations
/// that the objects violate are reported in `diagnostics`.
void body_from_sid(const SidObjects& objects, FlexBody& body, Diagnostics& diagnostics);

}  // namespace femflex::flexfile

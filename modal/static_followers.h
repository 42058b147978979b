// Finds combinations of shapes that move massless DOFs only. They cannot vibrate, so they are
// condensed statically onto the other shapes. Used by independent_set().
#pragma once

#include <vector>

#include <Eigen/Core>

#include "femflex/modal/orthogonalise.h"

namespace femflex::modal {

/// Massless motions N among the columns of a pencil (k, m), and what the other columns become when
/// N follows them statically, without forces on N. docs/theory/modal.md eq. (46).
struct StaticFollowers {
  std::vector<Eigen::Index> columns;  ///< dependent columns that N is made of, rising; empty: no N
  Eigen::MatrixXd shapes;             ///< (n x kept) R - N (N' k N)^-1 N' k R, R the kept columns
};

/// @param split  the columns that are independent in the mass norm. Dependent ones are no followers
///               if their motion has no more stiffness than round-off: they repeat others.
StaticFollowers static_followers(const Eigen::MatrixXd& m,
                                 const Eigen::MatrixXd& k,
                                 const IndependentColumns& split);

}  // namespace femflex::modal

// Transforms symmetric tensors, written as six numbers (xx, yy, zz, xy, yz, zx), to rotated axes.
// Columns of R are the new axes in the old ones; strain has the shear gamma = 2 epsilon.
#pragma once

#include "femflex/elements/material.h"

namespace femflex::elements {

/// The matrix T in stress_new = T stress_old.
Matrix6d turned_stress(const Eigen::Matrix3d& R);

/// The matrix T in strain_new = T strain_old.
Matrix6d turned_strain(const Eigen::Matrix3d& R);

}  // namespace femflex::elements

// Symmetric tensors as six numbers (xx, yy, zz, xy, yz, zx) in turned axes.
// Columns of R are the new axes in old ones; strain has gamma = 2 epsilon as shear.
#pragma once

#include "femflex/elements/material.h"

namespace femflex::elements {

/// T with stress_new = T stress_old.
Matrix6d turned_stress(const Eigen::Matrix3d& R);

/// T with strain_new = T strain_old.
Matrix6d turned_strain(const Eigen::Matrix3d& R);

}  // namespace femflex::elements

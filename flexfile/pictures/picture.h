// Computes the factor by which a mode shape is drawn in pictures.
#pragma once

#include "femflex/flex_body.h"

namespace femflex::flexfile {

/// Factor by which a mode must be multiplied so that its largest translation is `amplitude` times
/// the diagonal of the box around the body; 1 for a shape of zeros.
double picture_scale(const FlexBody& body, Eigen::Index mode, double amplitude);

}  // namespace femflex::flexfile

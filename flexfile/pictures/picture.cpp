// Computes the factor by which a mode shape is drawn, from the bounding box of the body.
#include "pictures/picture.h"

#include <algorithm>

#include "derive.h"

namespace femflex::flexfile {

double picture_scale(const FlexBody& body, Eigen::Index mode, double amplitude) {
  if (body.nodes.empty()) return 1.0;
  const Eigen::Matrix3Xd c = positions_of(body);
  const double size = (c.rowwise().maxCoeff() - c.rowwise().minCoeff()).norm();
  double largest = 0.0;
  for (Eigen::Index k = 0; k < body.node_count(); ++k)
    largest = std::max(largest, body.shapes.col(mode).segment<3>(6 * k).norm());
  return largest > 0.0 && size > 0.0 ? amplitude * size / largest : 1.0;
}

}  // namespace femflex::flexfile

// Summary of a set of points (count, bounding box, sum) for the documents of `info`.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::tools {

/// { "count", "bounding_box", "sum_basic" }: the number of points, their lowest and highest
/// coordinates (empty without points), and the sum of their positions in the basic frame.
Json points_json(const std::vector<Eigen::Vector3d>& positions);

}  // namespace femflex::tools

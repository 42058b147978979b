// Summary of a set of points (count, bounding box, sum) for the documents of `info`.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::tools {

/// { "count", "bounding_box", "sum_basic" } of points, as info prints nodes.
Json points_json(const std::vector<Eigen::Vector3d>& positions);

}  // namespace femflex::tools

// Describes a set of points as JSON: number, bounding box and sum of the positions.
#include "document/points_json.h"

#include <limits>
#include <utility>

namespace femflex::tools {

Json points_json(const std::vector<Eigen::Vector3d>& positions) {
  Json out = Json::object();
  out["count"] = positions.size();
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& p : positions) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
    sum += p;
  }
  Json box = Json::list();
  if (!positions.empty()) {
    box.push_back(Json::list_of(low));
    box.push_back(Json::list_of(high));
  }
  out["bounding_box"] = std::move(box);
  out["sum_basic"] = Json::list_of(sum);
  return out;
}

}  // namespace femflex::tools

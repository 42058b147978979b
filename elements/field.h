// Field: stress or strain inside a solid or shell. map_of_field() makes the recovery matrix from
// it. solid.cpp and shell.cpp implement the field; map_of_field() chooses points, fits corners and
// rotates axes for both.
#pragma once

#include <vector>

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

using SixRows = Eigen::Matrix<double, 6, Eigen::Dynamic>;

class Field {
 public:
  Field() = default;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;
  Field(Field&&) = delete;
  Field& operator=(Field&&) = delete;
  virtual ~Field() = default;

  /// Position and axes at parametric coordinates: element or material axes, as requested. The
  /// caller handles basic axes.
  virtual StressPoint point(const Eigen::Vector3d& rst, Layer layer) const = 0;
  /// Stress or strain in basic axes from the displacements of the nodes.
  virtual SixRows values(const Eigen::Vector3d& rst, Layer layer) const = 0;
  virtual std::vector<Layer> layers() const = 0;
  /// Whether the values are strains, with gamma = 2 epsilon.
  virtual bool is_strain() const = 0;
};

/// The recovery matrix of a solid or shell at the points of the request.
/// @param components  the components that get a row at each point
StressMap map_of_field(const Field& field,
                       const Element& element,
                       const StressRequest& request,
                       const std::vector<Component>& components);

}  // namespace femflex::elements

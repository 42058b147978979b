// Points on the surface of an element: the nearest one on a face, curved faces included, and the
// strain there. The room durability places strain gauges with them.
#pragma once

#include <Eigen/Core>

#include "femflex/elements/stress_map.h"

namespace femflex::elements {

/// A point on a face of a solid, or on the surface through the nodes of a shell.
struct FacePoint {
  int face = 0;                                        ///< index in ElementTopology::faces
  Eigen::Vector3d rst = Eigen::Vector3d::Zero();       ///< parametric coordinates in the element
  Eigen::Vector3d on_face = Eigen::Vector3d::Zero();   ///< parametric coordinates of the face
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();    ///< unit normal of the curved face there; it
                                                       ///< points out of solids
};

/// The point of a face that is nearest to a given point.
/// @param positions  of all nodes of the element
/// @pre has_area(shape, positions, face)
FacePoint nearest_on_face(ElementShape shape,
                          const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions,
                          int face,
                          const Eigen::Vector3d& point);

/// Whether the corners of a face span an area. Faces of collapsed elements do not.
bool has_area(ElementShape shape,
              const Eigen::Matrix<double, Eigen::Dynamic, 3>& positions,
              int face);

/// Strain at a point of the surface: rows xx, yy, zz, xy, yz, zx in basic axes (shear as gamma)
/// from the displacements of the nodes. On shells and on faces with mid nodes it is that in the
/// tangent plane alone, which on such a face follows from the nodes of the face, whatever the
/// strain across the wall. It is the fit of StressRequest::corners at this point, for which the
/// strain of the integration points turns with the face: that of a curved face varies in basic axes
/// even where it does not vary along the face.
/// @param layer        face of a shell; none for solids
/// @param centre_only  the strain of the centre instead of the fit
/// @throws ModelError  as stress_map()
Eigen::Matrix<double, 6, Eigen::Dynamic> surface_strain(const Element& element,
                                                        const FacePoint& at,
                                                        Layer layer,
                                                        bool centre_only);

}  // namespace femflex::elements

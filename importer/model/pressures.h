// Forces at nodes that a pressure on a face of an element makes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Force at a node, in basic directions [file force].
struct NodeForce {
  std::int64_t node = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();
};

/// Unit vector, in basic, along which a pressure acts at a position instead of along the normal.
using PressureDirection = std::function<Eigen::Vector3d(const Eigen::Vector3d&)>;

/// Forces of the shape functions N over a face:  f_k = ∫ N_k p n dA, where n dA is the cross
/// product of the tangents of the isoparametric face.  docs/theory/import.md eq. (10).
///
/// @param positions  of 3, 4, 6 or 8 nodes, corners first, basic [file length]
/// @param pressure   at the corners, linear between them; positive along the normal about which the
///                   corners turn [file pressure]
/// @param direction  empty: along the normal
std::vector<Eigen::Vector3d> face_forces(const std::vector<Eigen::Vector3d>& positions,
                                         const std::vector<double>& pressure,
                                         const PressureDirection& direction);

/// Finds the faces of elements on which pressures act.
class PressureFaces {
 public:
  /// Both must outlive this object; the nodes are in ascending order of id.
  PressureFaces(const std::vector<ElementBlock>& elements, const std::vector<Node>& nodes);

  /// Forces of one card on all its elements. Positive pressure acts along the normal of a surface
  /// element, and into a solid. Nothing, with the reason, if the face or a node is not found.
  std::optional<std::vector<NodeForce>> forces(const RawPressure& pressure,
                                               const PressureDirection& direction,
                                               std::string& reason) const;

 private:
  struct Place {
    std::int64_t id = 0;
    std::size_t block = 0, index = 0;
  };
  struct LoadedFace {
    std::vector<std::int64_t> nodes;  ///< corners, then mid nodes, turning about positive pressure
    std::vector<double> pressure;     ///< at the corners
  };
  bool add_element(const Place& place,
                   const RawPressure& pressure,
                   const PressureDirection& direction,
                   std::vector<NodeForce>& out,
                   std::string& reason) const;
  bool add_triangles(const RawPressure& pressure,
                     std::vector<NodeForce>& out,
                     std::string& reason) const;
  std::optional<LoadedFace> face_of(const Place& place,
                                    const RawPressure& pressure,
                                    std::string& reason) const;
  bool find_positions(const std::vector<std::int64_t>& ids,
                      std::vector<Eigen::Vector3d>& out,
                      std::string& reason) const;

  const std::vector<ElementBlock>& elements_;
  const std::vector<Node>& nodes_;
  std::vector<Place> places_;  // in ascending order of id
};

}  // namespace femflex::importer

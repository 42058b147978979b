// Elements of an FE model in the form that stress recovery needs, in SI units. Elements are made
// one at a time, on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <Eigen/Core>

#include "femflex/elements/stress_map.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"

namespace femflex::durability {

/// Shapes at the nodes of a model or of a body, in SI units.
struct ShapeSet {
  std::vector<BodyNode> nodes;  ///< in ascending order of id; positions [m]
  Eigen::MatrixXd shapes;       ///< (6 rows per node x n shapes), in the order of FlexBody::shapes
                                ///< [m, rad]
  bool are_modes = false;       ///< of the model, which may lack rows that the matrices have
};

/// The modes of a model as shapes.
/// @throws ModelError  the model has no units or no modes
ShapeSet shapes_of(const FeModel& model);
ShapeSet shapes_of(const FlexBody& body);

/// Elements of one type whose stresses cannot be computed, and the reason.
struct LeftOut {
  std::string type;
  std::string reason;
  std::int64_t count = 0;
  std::int64_t first = 0;  ///< id of the first such element
};

/// The elements of a model whose stresses follow from their materials and sections.
class StressMesh {
 public:
  /// @param model   with materials and sections; must outlive the mesh
  /// @param shapes  positions and shapes of the nodes; must outlive the mesh
  /// @param wanted  ids of elements; empty: all elements
  /// @throws ModelError  the model has no units, or no materials and sections
  /// @throws UsageError  a wanted id is not an element of the model
  StressMesh(const FeModel& model, const ShapeSet& shapes, std::span<const std::int64_t> wanted);

  std::size_t size() const { return entries_.size(); }
  std::int64_t id(std::size_t k) const;
  const std::string& type(std::size_t k) const;
  elements::Element element(std::size_t k) const;
  /// Whether the element is a solid with incompatible modes, whose stresses are known only at the
  /// centre.
  bool is_centre_only(std::size_t k) const;
  /// Displacements of the nodes of an element in each shape, (DOFs of the element x shapes).
  Eigen::MatrixXd displacements(std::size_t k, const elements::Element& element) const;
  const std::vector<LeftOut>& left_out() const { return left_out_; }
  /// Number of bars and beams whose recovery points all lie on the axis: their stresses leave out
  /// bending.
  std::int64_t bars_without_bending() const;
  const ShapeSet& shapes() const { return shapes_; }
  const FeModel& model() const { return model_; }
  /// Ids of the element's nodes.
  std::span<const std::int64_t> nodes(std::size_t k) const { return nodes_of(entries_[k]); }

 private:
  struct Entry {
    std::uint32_t block = 0;
    std::uint32_t index = 0;
    std::uint32_t section = 0;
  };
  /// The reason why stresses of the element cannot be computed; empty if they can.
  std::string refusal(const ElementBlock& block, std::size_t index, const ElementSection* section);
  std::string refusal_of_section(const ElementSection& section, int dimension) const;
  std::string refusal_of_nodes(std::span<const std::int64_t> nodes, bool with_rotations);
  void leave_out(const std::string& type, const std::string& reason, std::int64_t id);
  const FeMaterial* material_of(const FeProperty& property) const;
  std::span<const std::int64_t> nodes_of(const Entry& entry) const;

  const FeModel& model_;
  const ShapeSet& shapes_;
  std::unordered_map<std::int64_t, Eigen::Index> node_index_;
  std::unordered_map<std::string, const FeMaterial*> materials_;
  /// Mean normals at the nodes of shells of CalculiX and Abaqus, by node.
  std::unordered_map<std::int64_t, Eigen::Vector3d> normals_;
  std::vector<std::uint8_t> known_;  ///< per node: bit c is set if component c + 1 is known
  std::vector<Entry> entries_;
  std::vector<LeftOut> left_out_;
};

}  // namespace femflex::durability

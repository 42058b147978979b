// PictureOfPlaces: converts stresses at places of elements to fields at the nodes and elements of a
// picture. stress_pictures.cpp uses it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "femflex/durability/stress_source.h"
#include "femflex/flex_body.h"

namespace femflex::tools {

/// A field of a picture. Values are not negative; NaN where there is no value.
struct StressField {
  std::string name;
  std::string unit;
  std::vector<double> at_nodes;     ///< in the order of FlexBody::nodes
  std::vector<double> at_elements;  ///< in the order of FlexBody::elements, block after block
};

/// Assigns places of stresses to the nodes and elements of a picture.
class PictureOfPlaces {
 public:
  /// @param picture  nodes and elements to draw; must outlive this object
  /// @param source   must outlive this object
  PictureOfPlaces(const FlexBody& picture, const durability::StressSource& source);

  /// A field with all values NaN.
  StressField make(std::string name, std::string unit) const;
  /// Gives the value to the element and to the node at the place, or to all nodes of the element if
  /// the place is not at one. Of several values the largest remains.
  void put(const durability::StressLocation& at, double value, StressField& field) const;
  /// Gives each node without a value the largest value of the elements that it belongs to.
  void complete(StressField& field) const;
  /// Id of the node at the place, or of the first node of the element if the place is not at one; 0
  /// if the element is not drawn.
  std::int64_t node_at(const durability::StressLocation& at) const;

 private:
  struct Drawn {
    const ElementBlock* block = nullptr;
    std::size_t index = 0;   ///< position in the block
    std::size_t number = 0;  ///< position among all blocks
  };
  const Drawn* find(const durability::StressLocation& at) const;
  std::vector<std::int64_t> nodes_at(const durability::StressLocation& at, const Drawn& in) const;
  void raise(std::int64_t node, double value, StressField& field) const;

  const FlexBody& picture_;
  const durability::StressSource& source_;
  std::unordered_map<std::int64_t, Drawn> elements_;
  std::unordered_map<std::int64_t, std::size_t> nodes_;
  std::size_t element_count_ = 0;
};

}  // namespace femflex::tools

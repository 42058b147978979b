// Tells which words of an entry of an OUTPUT2 file hold the element's (real) stresses or strains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "femflex/fe_stress.h"

namespace femflex::importer {

/// A stress is the number in word `first`, plus that in word `second` if there is one (CBAR gives
/// bending stress and axial stress separately).
struct Op2ValueWords {
  std::size_t first = 0;
  std::size_t second = 0;  ///< 0: none
};

/// A place of an element and the words of its stress components, in the order xx yy zz xy yz zx.
struct Op2StressPlace {
  FeStressPlace place;   ///< without element and node
  std::size_t node = 0;  ///< word with the node; 0: none
  std::vector<Op2ValueWords> values;
};

/// Layout of the entries of one element type. Words are counted from 0; word 0 is 10 * id + device
/// (SORT2: the mode, time or load set).
struct Op2StressLayout {
  const char* type = "";   ///< NASTRAN's name of the elements
  std::size_t width = 0;   ///< words of an entry
  std::size_t system = 0;  ///< word with the system of the components (solids); 0: none
  std::size_t ply = 0;     ///< word with the ply; 0: none
  bool is_shell = false;   ///< axes of the components follow from the stress code of the ident
  std::vector<Op2StressPlace> places;
};

/// The layout of an element type of NASTRAN for entries of `width` words; null if it is not read.
const Op2StressLayout* op2_stress_layout(std::int64_t element_type, std::size_t width);

/// Appends the places of an entry of `layout` that belongs to `element`. `integer_at(k)` is word k;
/// `in_material_axes` is true if the components of shells are in the axes of the material.
void append_stress_places(const Op2StressLayout& layout,
                          std::int64_t element,
                          const std::function<std::int64_t(std::size_t)>& integer_at,
                          bool in_material_axes,
                          std::vector<FeStressPlace>& places);

/// The words that make each stress of an entry, in the order of the rows of RawStress::values.
std::vector<Op2ValueWords> value_words(const Op2StressLayout& layout);

/// Name of an element type: "CSHEAR", or "element type 300".
std::string op2_element_name(std::int64_t element_type);

}  // namespace femflex::importer

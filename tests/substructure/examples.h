// The bars and the truss of the thesis on dynamic-stiffness substructures, as parts for tests.
#pragma once

#include <vector>

#include "femflex/substructure/bars.h"
#include "femflex/substructure/connectivity.h"
#include "femflex/substructure/dynamic_stiffness.h"

namespace femflex::substructure {

/// The bar BA1x2 of the thesis.
inline DynamicStiffness thesis_bar() {
  return bar_part({166.77, 1.47e8, 22143.0});
}

inline DynamicStiffness thesis_bar_at(double angle_degrees) {
  return rotated(with_dimension(thesis_bar(), 2, 166.77 / 2.0), plane_rotation(angle_degrees));
}

inline DynamicStiffness joined(const std::vector<DynamicStiffness>& parts,
                               const ObjectTable& objects) {
  std::vector<const DynamicStiffness*> pointers;
  for (const DynamicStiffness& part : parts)
    pointers.push_back(&part);
  return assembled(pointers, objects, "assembly");
}

inline DynamicStiffness compound_bar() {
  return joined({thesis_bar(), thesis_bar()}, {{1, 2}, {2, 3}});
}

inline DynamicStiffness thesis_truss() {
  return joined({thesis_bar_at(0.0), thesis_bar_at(120.0), thesis_bar_at(240.0)},
                {{1, 2, 3, 4}, {3, 4, 5, 6}, {5, 6, 1, 2}});
}

}  // namespace femflex::substructure

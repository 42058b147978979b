// Bodies that the tests of file formats write and read: the double mass-spring in closed form, and
// random bodies.
#pragma once

#include <string>
#include <vector>

#include "femflex/flex_body.h"

namespace femflex::testing {

/// The double mass-spring (m = 5, 5 kg; k = 20, 10 N/m; node 1 held, z only) along one of the five
/// published paths: "dynamic", "dynamic_scaled", "static", "static_ortho", "static_ortho_scaled".
/// Shapes, V and alpha in closed form.
FlexBody double_mass_spring(const std::string& path);
std::vector<std::string> double_mass_spring_paths();

struct RandomBodyOptions {
  Eigen::Index nodes = 7;
  Eigen::Index modes = 4;
  bool rotary_inertia = true;
  bool damping_matrix = true;
  bool with_everything = true;  ///< back-transformation, rejected modes, elements, geometric, ...
};

/// Lumped masses at random places with random shapes; m, k and all invariants belong together.
FlexBody random_body(unsigned seed, const RandomBodyOptions& options = {});

/// Every field equal to the last bit (NaN equals NaN); the first difference as text, "" if none.
std::string difference(const FlexBody& a, const FlexBody& b);

}  // namespace femflex::testing

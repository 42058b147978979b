// Random structures with a known number of zero-energy motions, for tests of the modal stage.
#pragma once

#include <cstdint>
#include <string>

#include "femflex/fe_model.h"

namespace femflex::testing {

/// A structure made at random from `seed`, and its zero-energy motions, counted by hand.
struct GeneratedStructure {
  FeModel model;
  std::int64_t zero_modes = 0;
  std::string what;
};

/// Strips and ladder frames of Euler-Bernoulli beams, strips and plates of eight-node bricks; one
/// to three loose parts, each turned at random, slenderness 10 to 2000, three systems of units;
/// each part free, clamped, held at one point (three rotations left), or on soft springs of 1e-9 to
/// 1e-3 of its stiffest entry. At most some 200 unknowns.
GeneratedStructure generated_structure(std::uint32_t seed);

}  // namespace femflex::testing

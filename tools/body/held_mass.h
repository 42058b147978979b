// Finds the mass of nodes whose rows a mass matrix lacks since the deck holds them. Import and
// reduce warn of it, `femflex check` lists it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

namespace femflex::tools {

/// The mass of a part by its elements and by its mass matrix.
struct HeldMass {
  double lost = 0.0;       ///< of the elements, less that of the matrix [kg]
  double total = 0.0;      ///< of the elements and concentrated masses [kg]
  std::int64_t nodes = 0;  ///< held nodes without rows
  std::int64_t first = 0;  ///< the first of them

  /// What is lost and what lacks it, as a sentence.
  std::string text() const;
};

/// What to do about it.
inline constexpr const char* kHeldMassRemedy =
    "make the matrices without the supports, and hold the body by a joint";

/// The mass that left the matrix with the rows of held nodes (supports of the deck). Under gravity
/// and base motion the forces of a body lack it, since they are products of the mass matrix with
/// rigid motions.
/// @return  nothing if it is below kHeldShare of the mass, or not known: without units, mass
/// matrix, densities and sections
std::optional<HeldMass> held_mass(const FeModel& model);

/// Warns of held_mass().
void warn_of_held_mass(const FeModel& model, Diagnostics& diagnostics);

}  // namespace femflex::tools

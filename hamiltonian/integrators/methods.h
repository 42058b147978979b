// What an integration method is: one row each of the table in names.cpp, which every check and
// choice by method reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "femflex/hamiltonian/integrate.h"

namespace femflex::hamiltonian {

/// How a method treats damping, which decides how far its steps may go.
enum class Treatment : std::uint8_t {
  together,   ///< positions and momenta alike, with one growth factor per eigenvalue
  in_turn,    ///< the momenta with the damping, then the positions
  splitting,  ///< positions, momenta and the decay of momenta in turn
};

/// The properties of a method.
struct Method {
  Integrator integrator;
  std::string_view name;
  double order;
  Treatment treatment;
  bool is_stable_at_any_step;  ///< of a linear system; an adaptive method finds its own
  bool is_adaptive;            ///< chooses its steps by an error estimate

  /// Whether it needs H = T(p) + V(q): it updates positions and momenta in turn.
  constexpr bool needs_separable() const { return treatment != Treatment::together; }
};

const Method& method_of(Integrator integrator);

}  // namespace femflex::hamiltonian

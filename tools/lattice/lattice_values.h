// Reads numbers, vectors, axes, functions and damping of a lattice in JSON; errors contain the
// place in the file. The readers of lattices and polynomials use it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "femflex/hamiltonian/lattice.h"
#include "femflex/hamiltonian/ports.h"
#include "femflex/name_table.h"

#include "document/json.h"
#include "document/json_text.h"

namespace femflex::tools::lattice_values {

/// Laws of springs that need a stiffness and no function.
inline constexpr auto kStiffnessLaws = name_table<hamiltonian::SpringLaw>(
    {{hamiltonian::SpringLaw::quartic, "quartic"}, {hamiltonian::SpringLaw::linear, "linear"}});
/// All laws of springs.
inline constexpr auto kSpringLaws =
    name_table<hamiltonian::SpringLaw>({kStiffnessLaws.rows[0],
                                        kStiffnessLaws.rows[1],
                                        {hamiltonian::SpringLaw::table, "table"},
                                        {hamiltonian::SpringLaw::expression, "expression"}});
/// Positions whose distance is the rest length of a spring.
inline constexpr auto kReferences = name_table<hamiltonian::Reference>(
    {{hamiltonian::Reference::initial, "initial"}, {hamiltonian::Reference::current, "current"}});
/// What comes in through a port.
inline constexpr auto kCausalities =
    name_table<hamiltonian::Causality>({{hamiltonian::Causality::force_in, "force"},
                                        {hamiltonian::Causality::velocity_in, "velocity"}});

double finite(const Json& value);
double number_or(ObjectReader& in, std::string_view key, double fallback);
std::int64_t whole(const Json& value);
/// A number > 0.
/// @param what  name of the number for messages, such as "break_force"
double positive(const Json& value, std::string_view what);
/// A number >= 0, or the fallback.
double not_negative_or(ObjectReader& in, std::string_view key, double fallback);
/// A vector with one number per dimension of the lattice; in one dimension, a plain number is
/// accepted.
Eigen::Vector3d vector(const Json& value, int dimension);
/// Reads an axis: 0 .. dimension - 1, or a letter of "xyz".
int axis_of(const Json& value, int dimension);
/// Sets the entries of `fixed` for letters of "xyz", as in "fixed": "xy".
void hold_axes(const Json& letters, int dimension, std::array<bool, 3>& fixed);
/// A number, an expression, {"table": [[x, y], ...]} or {"expression": "..."}.
hamiltonian::Function function(const Json& value, hamiltonian::FunctionPlace place);
/// The reason why a damping is invalid (it would accelerate the motion); empty if it is valid.
std::string damping_fault(const hamiltonian::Damping& damping);
/// A number or {"c", "c2", "c3", "per_mass"}.
hamiltonian::Damping damping(const Json& value);

}  // namespace femflex::tools::lattice_values

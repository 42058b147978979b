// Reads numbers, vectors, axes, functions and damping of a lattice in JSON; errors contain the
// place in the file. The readers of lattices and polynomials use it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "femflex/hamiltonian/lattice.h"

#include "document/json.h"
#include "document/json_text.h"

namespace femflex::tools::lattice_values {

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
/// "initial" or "current".
hamiltonian::Reference reference(const Json& value);

}  // namespace femflex::tools::lattice_values

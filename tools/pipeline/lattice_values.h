#pragma once

// The values of a lattice in JSON; each says in its error where it stands in the file.

#include <cstdint>
#include <string_view>

#include "femflex/hamiltonian/lattice.h"

#include "json.h"
#include "json_text.h"

namespace femflex::pipeline::lattice_values {

double finite(const Json& value);
double number_or(ObjectReader& in, std::string_view key, double fallback);
std::int64_t whole(const Json& value);
/// As many numbers as the lattice has dimensions, or one number in one.
Eigen::Vector3d vector(const Json& value, int dimension);
/// 0 .. dimension - 1, or a letter of "xyz".
int axis_of(const Json& value, int dimension);
/// A number, an expression, {"table": [[x, y], ...]} or {"expression": "..."}.
hamiltonian::Function function(const Json& value);
/// A number or {"c", "c2", "c3", "per_mass"}.
hamiltonian::Damping damping(const Json& value);
/// "initial" or "current".
hamiltonian::Reference reference(const Json& value);

}  // namespace femflex::pipeline::lattice_values

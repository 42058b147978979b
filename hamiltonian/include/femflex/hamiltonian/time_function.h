// Function: a number that depends on one argument, given as a constant, a table or an expression.
// Used for load histories, prescribed motions, spring forces and hinge moments.
#pragma once

#include <string>
#include <vector>

namespace femflex::hamiltonian {

/// A number that may depend on an argument: a constant, a table (linear between its points,
/// beyond them constant for histories, with the end slopes for springs and hinges) or an
/// expression.
struct Function {
  double constant = 1.0;
  std::vector<double> arguments;  ///< arguments of the table, strictly ascending; empty: no table
  std::vector<double> values;     ///< values of the table
  std::string expression;         ///< formula; empty: none

  bool is_constant() const { return arguments.empty() && expression.empty(); }
  friend bool operator==(const Function&, const Function&) = default;
};

/// The use of a Function, which determines the names that its expression may contain.
enum class FunctionPlace : unsigned char {
  spring_force,  ///< e = L - d, L, d
  hinge_moment,  ///< e
  history,       ///< t
};

/// Checks that a function can be evaluated.
/// @throws ModelError  an expression that cannot be parsed, or a table that is not finite, not as
/// long in both columns, or whose arguments are not strictly ascending
void check_function(const Function& function, FunctionPlace place);

}  // namespace femflex::hamiltonian

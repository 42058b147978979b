// Numbers, lists of numbers and matrices from JSON values, with checks.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::tools {

/// A whole number from `least` to `most`.
/// @throws ParseError  (all functions here) the value is of another kind; the message gives its
/// place
int whole(const Json& value, int least, int most);
double positive(const Json& value);
std::vector<double> numbers(const Json& value);
/// A matrix from a list of rows of equal length.
Eigen::MatrixXd matrix(const Json& value);

}  // namespace femflex::tools

// Reads numbers, lists of numbers and matrices from JSON values, with checks.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::tools {

/// An integer from `min` to `max`.
/// @throws ParseError  (all functions here) the value is invalid; the message contains its line
int whole(const Json& value, int min, int max);
/// A number above 0.
double positive(const Json& value);
/// A list of numbers.
std::vector<double> numbers(const Json& value);
/// A matrix from a list of rows of equal length.
Eigen::MatrixXd matrix(const Json& value);

}  // namespace femflex::tools

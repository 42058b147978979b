// Reads numbers, lists of numbers and matrices from JSON values, with checks.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "document/json.h"
#include "document/whole_number.h"

namespace femflex::tools {

/// `number`, which `value` gives, as an integer from `least` to `most`.
/// @throws ParseError  (all functions here) the value is invalid; the message contains its line
std::int64_t whole_at(const Json& value,
                      double number,
                      std::int64_t least = -kMostWhole,
                      std::int64_t most = kMostWhole);
/// An integer from `least` to `most`.
template <std::integral Integer>
Integer whole(const Json& value, Integer least, Integer most) {
  return static_cast<Integer>(whole_at(value, value.number(), least, most));
}
/// A number above 0.
double positive(const Json& value);
/// A list of numbers.
std::vector<double> numbers(const Json& value);
/// A matrix from a list of rows of equal length.
Eigen::MatrixXd matrix(const Json& value);

}  // namespace femflex::tools

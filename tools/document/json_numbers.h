#pragma once

#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::tools {

/// A whole number from `least` to `most`.
/// @throws ParseError  as all functions here: the value is something else; the message says where
int whole(const Json& value, int least, int most);
double positive(const Json& value);
std::vector<double> numbers(const Json& value);
/// Rows of one length.
Eigen::MatrixXd matrix(const Json& value);

}  // namespace femflex::tools

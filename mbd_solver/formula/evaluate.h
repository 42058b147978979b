#pragma once

#include <array>
#include <span>
#include <vector>

#include "formula/terms.h"

namespace femflex::mbd_solver::formula {

/// f and its first two derivatives over time, the first variable.
using Jet = std::array<double, 3>;

double evaluate(const std::vector<Term>& terms, int k, std::span<const double> values);
Jet evaluate_jet(const std::vector<Term>& terms, int k, std::span<const double> values);

}  // namespace femflex::mbd_solver::formula

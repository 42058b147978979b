// Result type of functions that return a value and its derivative.
#pragma once

namespace femflex::laws {

/// Value f and derivative df/dx at one x.
struct ValueAndDerivative {
  double value = 0.0;
  double derivative = 0.0;
};

}  // namespace femflex::laws

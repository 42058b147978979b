// Runs:  07_evaluate_a_formula
//
// A load typed by a user: a ramp up to a constant, times a sine. The formula is compiled once;
// values and derivatives are computed without allocation, and the times at which it switches are
// known beforehand.
#include <array>
#include <cstdio>

#include "femflex/laws/formula.h"

int main() {
  const femflex::laws::Formula load("min(t, 0.5) * 40 * sin(4*pi*t) + 2*x", {"t", "x"});
  std::printf("   t [s]   load [N]    d/dt\n");
  for (const double t : {0.0, 0.125, 0.375, 0.625}) {
    const std::array<double, 2> values = {t, 1.5};
    std::printf("%8.3f   %8.3f  %8.2f\n", t, load(values), load.derivative(values, 0).derivative);
  }
  for (const double t : load.switch_times(0.0, 1.0))
    std::printf("switches at %.3f s\n", t);
}

// Measures the time of one evaluation of a formula with and without its derivative, for twelve
// formulas typical of systems and lattices. Prints the best of three runs of a million evaluations
// each. Not measured: reading the channels in a formula, which takes longer.
#include <algorithm>
#include <ctime>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "femflex/laws/formula.h"

namespace {

using femflex::laws::Formula;

constexpr int kTimes = 1000000;

double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <typename Evaluate>
double nanoseconds(const Evaluate& evaluate) {
  double best = std::numeric_limits<double>::infinity();
  volatile double kept = 0.0;
  for (int run = 0; run < 3; ++run) {
    const double start = now();
    double sum = 0.0;
    for (int k = 0; k < kTimes; ++k)
      sum += evaluate(0.3 + 1e-7 * k);
    kept = sum;
    best = std::min(best, now() - start);
  }
  static_cast<void>(kept);
  return best / kTimes * 1e9;
}

}  // namespace

int main() {
  for (const std::string text : {
           "3*t",
           "200*e + 5*e^3",
           "1e4*sin(2*pi*3*t)*step(t, 0.1)",
           "exp(-t)*cos(5*t)",
           "30*e + 4*sin(e*L) + e^3/2",
           "if(t < 0.5, t, 1 - t)",
           "-[v]*(0.5*sqrt([v]^2 + [w]^2) + 0.1*([v]^2 + [w]^2))",
           "(t + 1)*(t + 2)*(t + 3)*(t + 4)/(t + 5)",
           "log(1 + e^2) + 2000*(1 + 0.5*sin(t))",
           "if(t < 1, 0.1 + 2*t, if(t < 2, 0.2 - 3*t, if(t < 3, 1*t, 4)))",
           "tanh([v]/0.01)*(3 + 2*[v] - 0.5*[v]*[v])",
           "max(0, e)*200 - min(L, 2)*1.2 + e*e*e*0.2",
       }) {
    const Formula formula(text, Formula::names_in(text));
    std::vector<double> at(formula.variables().size(), 0.7);
    const double value = nanoseconds([&](double x) {
      at[0] = x;
      return formula(at);
    });
    const double derivative = nanoseconds([&](double x) {
      at[0] = x;
      return formula.derivative(at, 0).derivative;
    });
    fmt::print("{:<60} {:6.1f} ns, with derivative {:6.1f} ns\n", text, value, derivative);
  }
}

// Measures the time of one evaluation of each tyre law with all its coefficients, at combined slip
// with camber. The argument is the folder of sample files (data/tyres/valid). Prints the best of
// five runs of 200 000 evaluations. Not measured: finding the contact point, and integrating the
// relaxation.
#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "femflex/diagnostics.h"
#include "femflex/tyres/read_tyre.h"
#include "femflex/tyres/tyre.h"

namespace {

constexpr int kRuns = 5;
constexpr int kTimes = 200000;

double seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "data/tyres/valid";
  for (const std::string name : {"trailer_linear.tir",
                                 "truck_fiala.tir",
                                 "truck_tmeasy.tir",
                                 "truck_pac2002.tir",
                                 "car_mf61.tir"}) {
    femflex::Diagnostics notes;
    const auto tyre = femflex::tyres::read_tyre(text_of(folder + "/" + name), name, notes).tyre;
    double best = std::numeric_limits<double>::infinity();
    volatile double kept = 0.0;
    for (int run = 0; run < kRuns; ++run) {
      const double start = seconds();
      double sum = 0.0;
      for (int i = 0; i < kTimes; ++i) {
        const double s = 1e-6 * (i % 100000);
        const auto f = femflex::tyres::forces(tyre, {s, 0.1 - s, 0.03, 5000.0, 20.0});
        sum += f.fx + f.fy + f.mz;
      }
      kept = sum;
      best = std::min(best, seconds() - start);
    }
    static_cast<void>(kept);
    fmt::print("{:<20} {:6.0f} ns\n", name, best / kTimes * 1e9);
  }
}

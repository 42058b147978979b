// Measures the time to join parts of 100 ports with full M, C and K. Each part shares half its
// ports with the next one. Not measured: solving the assembly.
#include <chrono>
#include <numeric>

#include <fmt/format.h>

#include "femflex/substructure/connectivity.h"

int main() {
  using namespace femflex;
  using namespace femflex::substructure;
  const Eigen::MatrixXd A = Eigen::MatrixXd::Random(100, 100);
  const Eigen::MatrixXd S = A + A.transpose();
  const DynamicStiffness part = from_matrices(S, 1e-3 * S, 1e-4 * S);
  for (const int count : {10, 100, 1000}) {
    const std::vector<const DynamicStiffness*> parts(static_cast<std::size_t>(count), &part);
    ObjectTable objects(parts.size(), std::vector<int>(100));
    for (int e = 0; e < count; ++e) {
      auto& row = objects[static_cast<std::size_t>(e)];
      std::iota(row.begin(), row.end(), 50 * e + 1);
    }
    const auto start = std::chrono::steady_clock::now();
    const DynamicStiffness joined = assembled(parts, objects);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print("assembly: {:5} parts of 100 ports, {:7} entries a coefficient: {:.3f} s\n",
               count,
               joined.coefficients[0].nonZeros(),
               took.count());
  }
}

// Runs:  02_modes_of_a_membrane
//
// Transverse modes of a square membrane: a grid of n x n lumped masses under tension with a fixed
// rim. The model is given as a caller with its own element code would give it: nodes, rows, K and
// M. Five-point differences give
//   omega^2 = (4 T / m) (sin^2(i pi / (2 (n + 1))) + sin^2(j pi / (2 (n + 1)))).
// K and M are symmetric; of K only the lower triangle is given.
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "femflex/modal/compute_modes.h"

int main() {
  using namespace femflex;
  constexpr int kSide = 20;           // inner nodes along a side
  constexpr double kMass = 2e-3;      // of a node [kg]
  constexpr double kTension = 500.0;  // of a link between neighbours, force over length [N/m]

  // 1. The model: node 1 + i + n j, one DOF per node, along z.
  FeModel model;
  model.name = "membrane";
  model.units = parse_units("m-kg-s");
  std::vector<Dof> rows;
  std::vector<Eigen::Triplet<double>> stiffness;
  std::vector<Eigen::Triplet<double>> mass;
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const int row = i + kSide * j;
      Node node;
      node.id = row + 1;
      node.position = {0.05 * i, 0.05 * j, 0.0};
      model.nodes.push_back(node);
      rows.push_back({node.id, 3});
      stiffness.emplace_back(row, row, 4.0 * kTension);
      if (i > 0) stiffness.emplace_back(row, row - 1, -kTension);
      if (j > 0) stiffness.emplace_back(row, row - kSide, -kTension);
      mass.emplace_back(row, row, kMass);
    }
  model.dofs = DofMap(rows);
  constexpr int kRows = kSide * kSide;
  model.stiffness.emplace(kRows, kRows).setFromTriplets(stiffness.begin(), stiffness.end());
  model.mass.emplace(kRows, kRows).setFromTriplets(mass.begin(), mass.end());

  // 2. Six modes.
  Diagnostics notes;
  const modal::ComputedModes computed =
      modal::compute_modes(make_fe_model(model), {.normal = 6}, notes);

  // 3. Comparison with the closed form.
  const auto share = [](int half_waves) {
    const double s = std::sin(half_waves * std::numbers::pi / (2.0 * (kSide + 1)));
    return s * s;
  };
  constexpr int kHalfWaves[6][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {1, 3}, {3, 1}};
  std::printf("mode   waves   computed [Hz]   closed form [Hz]\n");
  for (int k = 0; k < 6; ++k) {
    const double eigenvalue = computed.modes.modes[static_cast<std::size_t>(k)].eigenvalue;
    const double exact =
        std::sqrt(4.0 * kTension / kMass * (share(kHalfWaves[k][0]) + share(kHalfWaves[k][1]))) /
        (2.0 * std::numbers::pi);
    std::printf("%4d   %d x %d   %13.6f   %16.6f\n",
                k + 1,
                kHalfWaves[k][0],
                kHalfWaves[k][1],
                std::sqrt(eigenvalue) / (2.0 * std::numbers::pi),
                exact);
  }
}

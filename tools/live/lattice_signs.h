// LatticeSigns: brackets for the hinges and arrows for the loads of a lattice in each picture of a
// live page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/lattice_system.h"

#include "live/live_model.h"

namespace femflex::live {

/// A node with several loads has one arrow per load, all in the direction of their sum.
class LatticeSigns {
 public:
  /// Adds the signs to the end of a drawing whose first vertices are the nodes.
  LatticeSigns(const hamiltonian::Lattice& lattice, Drawing& drawing);

  /// Adds the positions of the signs to `out`, which already contains those of the nodes.
  void places(const hamiltonian::LatticeSystem& system,
              const hamiltonian::State& state,
              std::vector<float>& out);

 private:
  struct Corner {  // nodes of a hinge
    std::uint32_t vertex = 0;
    std::size_t middle = 0, end_a = 0, end_b = 0;
  };
  struct Pull {
    std::uint32_t vertex = 0;
    std::size_t node = 0;
  };
  std::vector<Corner> corners_;
  std::vector<Pull> pulls_;
  std::vector<double> loads_;  // loads on all DOFs [N]
  double largest_ = 0.0;       // largest load so far [N]
  double size_ = 1.0;          // size of the drawing [m]
};

}  // namespace femflex::live

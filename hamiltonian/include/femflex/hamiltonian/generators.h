#pragma once

#include <array>
#include <optional>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::hamiltonian {

/// A grid of cells with both diagonals in every quadrilateral and, in 3D, the four space diagonals
/// in every cell. Nodes are numbered x fastest, then y, then z, from 1; cells that touch share
/// their nodes and springs.
struct BlockOptions {
  int dimension = 3;
  std::array<int, 3> nodes = {2, 2, 2};          ///< along x, y, z; 1: flat in that direction
  std::array<double, 3> size = {1.0, 1.0, 1.0};  ///< of the whole [m]
  double node_mass = 1.0;                        ///< of every node [kg]
  /// replaces node_mass [kg]: an equal share per cell, lumped at its corners
  std::optional<double> total_mass;
  double stiffness = 1.0;           ///< of edges
  double diagonal_stiffness = 1.0;  ///< of both kinds of diagonal
  SpringLaw law = SpringLaw::quartic;
  bool face_diagonals = true;
  bool space_diagonals = true;
};

/// Beams and plates are blocks with few cells in one direction.
/// @throws ModelError  fewer than one node in a direction, sizes that are not positive
Lattice make_block(const BlockOptions& options);

/// In the plane a portal: two columns and a girder at the top (largest y). In 3D the twelve bars
/// along the edges of a box or, without the four on the ground, a table with four legs.
struct FrameOptions {
  BlockOptions outline;    ///< the block that the frame is cut from
  int thickness = 1;       ///< of every bar, in cells
  bool is_closed = false;  ///< with bars on the ground (smallest y) too
};

/// @throws ModelError  as make_block(); or the bars are so thick that no opening is left
Lattice make_frame(const FrameOptions& options);

/// The two-row ladder of the 2007 experiments: bottom 1..n left to right, top n+1..2n right to
/// left.
struct LadderOptions {
  int columns = 9;
  double cell = 2.0;  ///< [m]
  double node_mass = 0.2;
  double chord = 200.0, vertical = 200.0, diagonal = 200.0;  ///< k
};
Lattice make_ladder(const LadderOptions& options);

/// A chain of `links` springs hanging down -y (2D) or along x (1D) from node 1.
struct ChainOptions {
  int dimension = 2;
  int links = 10;
  double length = 2.0;  ///< of one link [m]
  double mass = 0.2, end_mass = 0.2;
  double stiffness = 200.0;
};
Lattice make_chain(const ChainOptions& options);

}  // namespace femflex::hamiltonian

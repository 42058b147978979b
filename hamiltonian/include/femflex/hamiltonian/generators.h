// Generates lattices of regular shape: blocks, frames, ladders and chains.
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
  /// number along x, y, z; 1: the block is flat in that direction
  std::array<int, 3> nodes = {2, 2, 2};
  std::array<double, 3> size = {1.0, 1.0, 1.0};  ///< size of the whole block [m]
  double node_mass = 1.0;                        ///< mass of every node [kg]
  /// mass of the whole block [kg], used instead of node_mass; every cell gets an equal share,
  /// lumped at its corners
  std::optional<double> total_mass;
  double stiffness = 1.0;           ///< k of the springs along cell edges
  double diagonal_stiffness = 1.0;  ///< k of all diagonal springs
  SpringLaw law = SpringLaw::quartic;
  bool face_diagonals = true;
  bool space_diagonals = true;
};

/// Beams and plates are blocks with few cells in one direction.
/// @throws ModelError  fewer than one node in a direction, sizes that are not positive
Lattice make_block(const BlockOptions& options);

/// In 2D a frame is a portal: two columns and a girder at the top (largest y). In 3D it is a table:
/// four legs, and four bars that join their tops. A closed frame also has bars on the ground: one
/// in 2D, four in 3D.
struct FrameOptions {
  BlockOptions outline;    ///< the block that the frame is cut from
  int thickness = 1;       ///< thickness of every bar, in cells
  bool is_closed = false;  ///< true: with bars on the ground (smallest y) too
};

/// @throws ModelError  as make_block(); or the bars are so thick that no opening is left
Lattice make_frame(const FrameOptions& options);

/// The two-row ladder of the 2007 experiments. Its bottom nodes are 1..n from left to right, its
/// top nodes n+1..2n from right to left.
struct LadderOptions {
  int columns = 9;
  double cell = 2.0;  ///< size of a cell [m]
  double node_mass = 0.2;
  /// k of the springs along the rows, across them and diagonally
  double chord = 200.0, vertical = 200.0, diagonal = 200.0;
};
Lattice make_ladder(const LadderOptions& options);

/// A chain of `links` springs hanging down -y (2D) or along x (1D) from node 1.
struct ChainOptions {
  int dimension = 2;
  int links = 10;
  double length = 2.0;  ///< length of one link [m]
  double mass = 0.2, end_mass = 0.2;
  double stiffness = 200.0;
};
Lattice make_chain(const ChainOptions& options);

}  // namespace femflex::hamiltonian

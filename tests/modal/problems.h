// FE models with known frequencies (beams, plates, blocks of bricks, networks of springs), for many
// tests.
#pragma once

#include "femflex/fe_model.h"

namespace femflex::testing {

/// Loss factor of the responses in these tests.
inline constexpr double kLossFactor = 0.02;

/// (2 pi f)^2 [rad^2/s^2] of a frequency in Hz.
double square_of_hz(double hz);

/// Euler-Bernoulli beam along x, bending in y (DOFs T2, R6), `elements` cubic elements, consistent
/// mass; EI = rho A = 1, length 1, so that omega = (beta L)^2. Nodes 1 .. elements + 1. `ends`: 'c'
/// clamped, 'p' pinned, 'f' free, one per end: "cf".
FeModel beam(int elements, const char* ends);

/// Thin square plate, side 1, D = rho h = 1, so that omega = lambda of the tables; conforming cubic
/// elements of 16 DOFs (Bogner-Fox-Schmit): w, w_x, w_y, w_xy at a node as T3, R1, R2, R3.
/// `edge`: 's' simply supported or 'c' clamped all round, 'f' free.
FeModel plate(int elements, char edge, double nu = 0.3);

/// Steel box beam of eight-node bricks (2 x 2 x 2 points of integration, consistent mass), nx x ny
/// x nz elements of a lx x ly x lz block with its corner at the origin; free. Nodes 1 ...
FeModel brick_block(int nx, int ny, int nz, double lx, double ly, double lz);

/// The block of 8 x 2 x 2 bricks, 1 x 0.2 x 0.15, with two interface nodes on each end face.
FeModel joined_block();

/// Point masses of 0.5 to 1.5 in nx columns and ny rows, neighbours joined by springs of 0.7e5 to
/// 1.3e5 that resist motion out of the plane (T3), free: many modes within the width of one
/// resonance. Node 1 + i + j nx.
FeModel spring_net(int nx, int ny);

/// `count` equal models side by side, not coupled: every eigenvalue is `count`-fold.
FeModel copies(const FeModel& one, int count);

}  // namespace femflex::testing

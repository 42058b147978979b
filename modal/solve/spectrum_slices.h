// Finds many eigenpairs of K x = lambda M x in slices of the spectrum, each from a shift of its
// own.
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "femflex/progress.h"

#include "solve/block_lanczos.h"
#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Number of slices in which `count` pairs take the least time: 1 if that is a search from one
/// shift. The cost of orthogonalisation grows with the square of the number of pairs of a slice; a
/// slice costs a factor. docs/theory/modal.md eq. (50).
std::int64_t slice_count(const ShiftedFactor& factor, std::int64_t count);

/// Finds the lowest `count` pairs above the shift of `factor`, as block_lanczos() does, in
/// `slices` slices. Each slice after the first has a shift among its pairs; the number of
/// negative pivots there tells how many of them lie below it. The factor then held is that of
/// another shift. Pairs are not converged if no shift with a sound factor was found.
/// docs/theory/modal.md, "Many modes".
/// @param rigid  M-orthonormal rigid modes; they lie below all pairs wanted
RitzPairs spectrum_slices(ShiftedFactor& factor,
                          std::int64_t count,
                          std::int64_t slices,
                          const Eigen::MatrixXd& rigid,
                          const LanczosOptions& options,
                          Progress& progress);

}  // namespace femflex::modal

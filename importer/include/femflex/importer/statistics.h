// Computes statistics of matrices and shapes as read, and resolves coordinate systems, for `info`
// and checks.
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Statistics of a matrix as `info` prints them. They refer to the full matrix; a symmetric one
/// stored as one triangle is mirrored first. Exact zeros do not count as non-zeros.
struct MatrixStatistics {
  std::int64_t nonzeros = 0;
  double frobenius = 0.0;
  std::complex<double> sum;
};
MatrixStatistics statistics_of(const RawMatrix& matrix);

/// Entry (row, col), 0-based, of the full matrix; 0 outside the matrix and where nothing is stored.
std::complex<double> entry_of(const RawMatrix& matrix, std::int64_t row, std::int64_t col);

/// Frobenius norm of each shape as read.
std::vector<double> shape_norms(const RawModes& modes);

/// The coordinate systems of a file, expressed in basic, in ascending order of id. Those that
/// cannot be resolved (a cycle, points on one line, a missing reference) are left out with a
/// warning.
std::vector<CoordinateSystem> resolve_systems(const FileContents& contents,
                                              Diagnostics& diagnostics);

/// Positions of contents.grids in basic, in file order. A grid whose system is missing keeps its
/// numbers, with one warning for all such grids.
std::vector<Eigen::Vector3d> basic_positions(const FileContents& contents,
                                             const std::vector<CoordinateSystem>& systems,
                                             Diagnostics& diagnostics);

}  // namespace femflex::importer

// find_mode(): joins shapes of NASTRAN to the lines of its tables of eigenvalues.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// The line of a mode in a table of eigenvalues; empty if there is none, or if its eigenvalue
/// differs: shapes tell theirs in six digits or in single precision, and tables of other subcases
/// differ by more.
/// @param likely      the line where the mode stands in most tables
/// @param eigenvalue  that of the shape; empty if it is unknown
inline std::optional<std::size_t> find_mode(const RawEigenvalues& table,
                                            std::int64_t mode,
                                            std::size_t likely,
                                            std::optional<double> eigenvalue) {
  constexpr double kTolerance = 1e-5;
  std::size_t k = likely;
  if (k >= table.mode.size() || table.mode[k] != mode)
    k = static_cast<std::size_t>(std::find(table.mode.begin(), table.mode.end(), mode) -
                                 table.mode.begin());
  if (k == table.mode.size()) return std::nullopt;
  const double listed = table.eigenvalue[k];
  if (eigenvalue && std::abs(listed - *eigenvalue) > kTolerance * std::abs(listed))
    return std::nullopt;
  return k;
}

}  // namespace femflex::importer

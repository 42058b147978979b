// Splits a lower triangle into two halves of columns, for two threads.
#pragma once

#include <cstdint>

#include "femflex/sparse.h"

namespace femflex::modal {

/// Splits the columns of a lower triangle into two halves with equally many entries, which are
/// processed by two threads or one after the other. Contributions of the first half to rows of the
/// second are summed separately, so that results do not depend on the number of threads.
struct Halves {
  std::int32_t middle = 0;  ///< first column of the second half
  /// one past the last row that the first half touches, at least `middle`
  std::int32_t first_half_end = 0;
};
Halves halves_of(const SparseMatrix& lower);

}  // namespace femflex::modal

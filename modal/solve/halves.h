#pragma once

#include <cstdint>

#include "femflex/sparse.h"

namespace femflex::modal {

/// The columns of a lower triangle in two halves of equally many entries, for two threads or one
/// after the other: contributions of the first half to rows of the second are summed separately, so
/// that results do not depend on the number of threads.
struct Halves {
  std::int32_t middle = 0;  ///< first column of the second half
  std::int32_t reach = 0;   ///< after the last row that the first half touches, at least middle
};
Halves halves_of(const SparseMatrix& lower);

}  // namespace femflex::modal

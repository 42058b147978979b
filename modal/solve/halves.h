#pragma once

#include <cstdint>

#include "femflex/sparse.h"

namespace femflex::modal {

/// The columns of a lower triangle in two halves of as many entries, for two threads or one after
/// the other: what the first half adds to rows of the second is summed up apart, so that results do
/// not depend on the number of threads.
struct Halves {
  std::int32_t middle = 0;  ///< first column of the second half
  std::int32_t reach = 0;   ///< after the last row that the first half touches, at least middle
};
Halves halves_of(const SparseMatrix& lower);

}  // namespace femflex::modal

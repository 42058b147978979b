// Splits a lower triangle into two halves of columns: finds the column that halves the number of
// entries, and the last row that the first half reaches. Relies on a compressed matrix with rows in
// ascending order in each column.
#include "solve/halves.h"

#include <algorithm>

namespace femflex::modal {

Halves halves_of(const SparseMatrix& lower) {
  const auto n = static_cast<std::int32_t>(lower.cols());
  const std::int32_t* start = lower.outerIndexPtr();
  Halves out;
  out.middle = static_cast<std::int32_t>(std::lower_bound(start, start + n, start[n] / 2) - start);
  out.first_half_end = out.middle;
  for (std::int32_t j = 0; j < out.middle; ++j)
    if (start[j] < start[j + 1])
      out.first_half_end =
          std::max(out.first_half_end, lower.innerIndexPtr()[start[j + 1] - 1] + 1);
  return out;
}

}  // namespace femflex::modal

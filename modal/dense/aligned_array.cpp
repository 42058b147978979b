// Memory for arrays of numbers that is not cleared.
#include "dense/aligned_array.h"

#include <algorithm>
#include <cstddef>
#include <new>

namespace femflex::modal {

RawArray raw(std::int64_t count) {
  const auto numbers = static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
  void* memory = std::malloc(numbers * sizeof(double));
  if (memory == nullptr) throw std::bad_alloc();
  return RawArray(static_cast<double*>(memory));
}

}  // namespace femflex::modal

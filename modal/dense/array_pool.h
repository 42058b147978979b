// ArrayPool: lends arrays out of a few large pieces of memory, because memory that is new to the
// process costs a fifth of the time of a factorisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "dense/aligned_array.h"

namespace femflex::modal {

/// Arrays of numbers, not cleared, for several threads. Each lies in the first gap that is large
/// enough, so that the memory touched is hardly more than the arrays took at a time.
class ArrayPool {
 public:
  /// An array on loan; give it back before the pool is cleared.
  struct Array {
    double* data = nullptr;
    std::int64_t size = 0;  ///< numbers; 0: `own` holds it
    std::size_t piece = 0;
    RawArray own;  ///< of a small array, which the library of the language reuses
  };

  /// @throws std::bad_alloc  there is no such memory
  Array take(std::int64_t count);
  void give_back(Array array);
  /// Frees all memory. Arrays on loan are lost.
  void clear() { pieces_.clear(); }

 private:
  struct Piece {
    RawArray memory;
    std::map<std::int64_t, std::int64_t> gaps;  // size of each gap, by its first number
  };
  /// The first gap of `piece` that holds an array of this size; data is null if there is none.
  Array take_from(std::size_t piece, std::int64_t count);

  std::mutex mutex_;
  std::vector<Piece> pieces_;
};

}  // namespace femflex::modal

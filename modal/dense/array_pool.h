// ArrayPool: hands freed arrays out again, because memory that is new to the process costs a fifth
// of the time of a factorisation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "dense/aligned_array.h"

namespace femflex::modal {

/// Arrays of numbers, not cleared, for several threads. Freed arrays are kept only as long as all
/// arrays together take no more memory than those in use have taken at a time.
class ArrayPool {
 public:
  struct Array {
    RawArray memory;
    std::int64_t size = 0;  ///< numbers, at least as many as were asked for
  };

  /// @throws std::bad_alloc  there is no such memory
  Array take(std::int64_t count) {
    // [numbers] smaller arrays are reused by the library of the language
    constexpr std::int64_t kSmallest = std::int64_t{1} << 16;
    constexpr std::int64_t kRoomier = 4;  // a kept array may be larger by one part of so many
    if (count < kSmallest) return {raw(count), 0};
    const std::lock_guard lock(mutex_);
    const auto kept = free_.lower_bound(count);
    Array out;
    if (kept != free_.end() && kept->first <= count + count / kRoomier) {
      out = {std::move(kept->second), kept->first};
      unused_ -= out.size;
      free_.erase(kept);
    } else {
      const std::int64_t allowed = std::max(most_, used_ + count);
      while (!free_.empty() && used_ + unused_ + count > allowed) {
        const auto largest = std::prev(free_.end());
        unused_ -= largest->first;
        free_.erase(largest);
      }
      out = {raw(count), count};
    }
    used_ += out.size;
    most_ = std::max(most_, used_);
    return out;
  }

  void give_back(Array array) {
    if (array.size == 0) return;
    const std::lock_guard lock(mutex_);
    used_ -= array.size;
    unused_ += array.size;
    free_.emplace(array.size, std::move(array.memory));
  }

  /// Frees what is not in use; arrays in use are no longer its own.
  void clear() {
    free_.clear();
    used_ = unused_ = most_ = 0;
  }

 private:
  std::mutex mutex_;
  std::multimap<std::int64_t, RawArray> free_;  // by size
  std::int64_t used_ = 0, unused_ = 0;          // numbers
  std::int64_t most_ = 0;                       // numbers in use at a time, so far
};

}  // namespace femflex::modal

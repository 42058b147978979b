// AlignedArray: an uninitialised array of numbers, aligned to a cache line, for vector kernels.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace femflex::modal {

struct FreeRaw {
  void operator()(double* memory) const { std::free(memory); }
};
using RawArray = std::unique_ptr<double[], FreeRaw>;

/// Memory for `count` numbers, not cleared, so that the thread that fills it touches it first.
/// For arrays that come and go, take an ArrayPool: memory that is new to the process has to be
/// cleared by the system.
/// @throws std::bad_alloc  there is no such memory
RawArray raw(std::int64_t count);

/// An array that starts on a cache line, so that a row of eight numbers lies in one line. Not
/// cleared.
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::int64_t count) : memory_(raw(count + 8)), begin_(memory_.get()) {
    while (reinterpret_cast<std::uintptr_t>(begin_) % 64 != 0)
      ++begin_;
  }
  double* data() const { return begin_; }

 private:
  RawArray memory_;
  double* begin_ = nullptr;
};

}  // namespace femflex::modal

// AlignedArray: an uninitialised array of numbers, aligned to a cache line, for vector kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace femflex::modal {

/// Memory for `count` numbers, not cleared, so that the thread that fills it touches it first.
inline std::unique_ptr<double[]> raw(std::int64_t count) {
  return std::unique_ptr<double[]>(new double[static_cast<std::size_t>(count)]);
}

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
  std::unique_ptr<double[]> memory_;
  double* begin_ = nullptr;
};

}  // namespace femflex::modal

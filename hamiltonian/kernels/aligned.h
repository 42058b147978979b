// Aligned: an array of doubles for streaming kernels, in large memory pages where possible.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace femflex::hamiltonian::tiles {

/// An array of zeros aligned to a cache line. Large arrays are aligned to a large page and request
/// such pages: a step streams through dozens of arrays at once, more than the TLB holds small pages
/// for.
class Aligned {
 public:
  Aligned() = default;
  /// @param colour  0..15; arrays that are streamed together need different colours, that is,
  /// offsets within a small page, or their lines would evict each other from the first-level cache
  explicit Aligned(std::size_t count, std::size_t colour = 0)
      : size_(count), offset_(colour * kColour) {
    const std::size_t bytes = (count + offset_) * sizeof(double);
    const std::size_t page = bytes >= kLargePage ? kLargePage : 64;
    values_ = {static_cast<double*>(::operator new[](bytes, std::align_val_t(page))), Free(page)};
#if defined(MADV_HUGEPAGE)
    // if this fails, small pages are used
    if (page == kLargePage) (void)madvise(values_.get(), bytes, MADV_HUGEPAGE);
#endif
    std::fill_n(values_.get(), count + offset_, 0.0);
  }
  double* data() const {
    return values_.get() + offset_;
  }
  std::size_t size() const {
    return size_;
  }

 private:
  static constexpr std::size_t kLargePage = std::size_t{1} << 21U;
  static constexpr std::size_t kColour = 32;  // offset per colour: 32 numbers, four cache lines
  class Free {
   public:
    Free() = default;
    explicit Free(std::size_t page) : page_(page) {}
    void operator()(double* p) const { ::operator delete[](p, std::align_val_t(page_)); }

   private:
    std::size_t page_ = 0;
  };
  std::size_t size_ = 0, offset_ = 0;
  std::unique_ptr<double[], Free> values_{nullptr, Free()};
};

}  // namespace femflex::hamiltonian::tiles

// Asks the system for large memory pages for a large block that a reader is about to fill: a page
// of 2 MB is given once instead of 512 small ones, which would take longer than the reading.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace femflex::importer {

/// To be called before the block is written to. Where the system has no such pages, nothing
/// happens.
inline void ask_for_large_pages(void* block, std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  // smaller blocks may share their memory with others: malloc() maps those above 32 MB by
  // themselves
  constexpr std::size_t kLeast = std::size_t{32} << 20U;
  constexpr std::uintptr_t kLargePage = std::uintptr_t{1} << 21U;
  if (bytes <= kLeast) return;
  const auto start = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t first = (start + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (start + bytes) / kLargePage * kLargePage;
  if (first < end)
    (void)::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // NOLINT
#else
  (void)block;
  (void)bytes;
#endif
}

}  // namespace femflex::importer

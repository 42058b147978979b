// Asks for large memory pages one by one, and measures whether they are ready.
#include "femflex/large_pages.h"

#include <cstdint>
#if defined(__linux__)
#include <ctime>

#include <sys/mman.h>
#endif

namespace femflex {
#if defined(MADV_HUGEPAGE)
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21U;

/// Processor time to write one byte of a page that this process has not touched [s].
double seconds_to_write(char* byte) {
  const auto now = [] {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  };
  const double start = now();
  *const_cast<volatile char*>(byte) = 0;  // not left out by the compiler
  return now() - start;
}

}  // namespace

void LargePages::ask(void* block, std::size_t size, std::size_t from, std::size_t bytes) {
  // smaller blocks may share their memory with others: malloc() maps those above 32 MB by
  // themselves
  constexpr std::size_t kLeast = std::size_t{32} << 20U;
  // a page that is ready is cleared in 0.1 to 0.3 ms, 512 small ones take 0.5 to 1 ms
  constexpr double kReady = 7e-4;  // s
  if (!are_ready_ || size <= kLeast) return;
  char* const start = static_cast<char*>(block);
  const std::size_t offset_in_page = reinterpret_cast<std::uintptr_t>(start + from) % kLargePage;
  std::size_t at = from + (kLargePage - offset_in_page) % kLargePage;
  for (; at < from + bytes && at + kLargePage <= size && are_ready_; at += kLargePage)
    are_ready_ = ::madvise(start + at, kLargePage, MADV_HUGEPAGE) == 0 &&
                 seconds_to_write(start + at) <= kReady;
}
#else
void LargePages::ask(void* /*block*/,
                     std::size_t /*size*/,
                     std::size_t /*from*/,
                     std::size_t /*bytes*/) {}
#endif
}  // namespace femflex

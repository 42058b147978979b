// Sets the limits above which glibc returns freed memory to the system.
#include "femflex/freed_blocks.h"

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace femflex {

void keep_freed_blocks() {
#if defined(__GLIBC__)
  constexpr int kLargestKept = 128 * 1024 * 1024;
  // glibc before 2.35 refuses more than 32 MB; the second call alone would keep it from adapting
  if (mallopt(M_MMAP_THRESHOLD, kLargestKept) == 1) mallopt(M_TRIM_THRESHOLD, 2 * kLargestKept);
#endif
}

}  // namespace femflex

// Large memory pages for a block that is about to be filled: a page of 2 MB is given once instead
// of 512 small ones, which may take longer than to fill them.
#pragma once

#include <cstddef>

namespace femflex {

/// Asks the system for large pages, one by one, as long as it has them ready: a virtual machine
/// may have to fetch them from its host, which takes several times as long as small ones. To be
/// called before the block is written to; clears single bytes of it. Where the system has no such
/// pages, nothing happens.
void ask_for_large_pages(void* block, std::size_t bytes);

}  // namespace femflex

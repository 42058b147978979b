// Keeps freed blocks of vectors in this process instead of returning them to the system.
#pragma once

namespace femflex {

/// Keeps the memory of freed blocks of up to 128 MB for the next ones. By default glibc returns
/// blocks of more than 32 MB to the system, and clearing their pages again in each step of the
/// eigensolver took a tenth of the time at 630,000 DOFs. A factor is larger, and is returned. Does
/// nothing without glibc.
void keep_freed_blocks();

}  // namespace femflex

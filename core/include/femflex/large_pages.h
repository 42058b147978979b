// Asks for 2 MB pages for a block that is about to be filled. One such page replaces 512 small
// ones, whose allocation may take longer than the filling.
#pragma once

#include <cstddef>

namespace femflex {

/// Asks the system for large pages, one by one, as long as it has them ready: a virtual machine may
/// have to fetch them from its host, which takes several times as long as small ones. Where the
/// system has no such pages, nothing happens.
class LargePages {
 public:
  /// Call it before these bytes of a block are written: it sets one byte of each large page among
  /// them to zero.
  /// @param size   of the whole block [byte]
  /// @param from   first byte that is about to be filled
  /// @param bytes  number of bytes that are about to be filled
  void ask(void* block, std::size_t size, std::size_t from, std::size_t bytes);
  /// The same for a whole block.
  void ask(void* block, std::size_t size) { ask(block, size, 0, size); }

 private:
  bool are_ready_ = true;
};

}  // namespace femflex

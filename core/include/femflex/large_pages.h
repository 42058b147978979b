// Large memory pages for a block that is about to be filled: a page of 2 MB is given once instead
// of 512 small ones, which may take longer than to fill them.
#pragma once

#include <cstddef>

namespace femflex {

/// Asks the system for large pages, one by one, as long as it has them ready: a virtual machine may
/// have to fetch them from its host, which takes several times as long as small ones. Where the
/// system has no such pages, nothing happens.
class LargePages {
 public:
  /// To be called before these bytes of a block are written to; clears single bytes among them and
  /// behind them, never before them.
  /// @param size   of the whole block [byte]
  /// @param from   first byte that is about to be filled
  /// @param bytes  how many are
  void ask(void* block, std::size_t size, std::size_t from, std::size_t bytes);
  /// The same for a whole block.
  void ask(void* block, std::size_t size) { ask(block, size, 0, size); }

 private:
  bool are_ready_ = true;
};

}  // namespace femflex

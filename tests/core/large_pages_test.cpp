// Tests that large pages are asked for without changing what was written before.
#include "femflex/large_pages.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace femflex {
namespace {

// Truth: what was written. A block larger than those that malloc() shares is filled part by part;
// parts begin amid pages.
TEST(LargePages, LeaveWhatWasWrittenBefore) {
  constexpr std::size_t kSize = std::size_t{70} << 20U;
  constexpr std::size_t kPart = 4'800'001;
  std::vector<std::uint8_t> block(kSize, 7);
  LargePages pages;
  for (std::size_t from = 0; from < kSize; from += kPart) {
    const std::size_t bytes = std::min(kPart, kSize - from);
    pages.ask(block.data(), kSize, from, bytes);
    EXPECT_TRUE(std::all_of(block.begin(),
                            block.begin() + static_cast<std::ptrdiff_t>(from),
                            [](std::uint8_t byte) { return byte == 9; }))
        << from;
    std::fill_n(block.begin() + static_cast<std::ptrdiff_t>(from), bytes, std::uint8_t{9});
  }
}

// Truth: the bytes of small blocks, which may share pages with others.
TEST(LargePages, SmallBlocksAreLeftAlone) {
  std::vector<std::uint8_t> block(std::size_t{8} << 20U, 7);
  LargePages().ask(block.data(), block.size());
  EXPECT_TRUE(std::all_of(block.begin(), block.end(), [](std::uint8_t byte) { return byte == 7; }));
}

}  // namespace
}  // namespace femflex

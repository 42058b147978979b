// Tests what is known of the memory of this process.
#include "femflex/memory.h"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "support/support.h"

namespace femflex {
namespace {

using testing::TemporaryFolder;
using testing::write_text;

// Truth: the files. A process is held by the least limit of its group and of those above it.
TEST(Memory, OfControlGroupsIsTheLeastOfThoseAboveAProcess) {
  const TemporaryFolder root;
  std::filesystem::create_directories(root / "job/step");
  write_text(root / "job/step/memory.max", "max\n");
  write_text(root / "job/step/memory.current", "100\n");
  write_text(root / "job/memory.max", "5000\n");
  write_text(root / "job/memory.current", "1200\n");
  const GroupMemory found = group_memory("1:cpu:/\n0::/job/step\n", root.path().string());
  EXPECT_EQ(found.limit, 5000.0);
  EXPECT_EQ(found.free, 3800.0);
  // the kernel gives cached files back
  write_text(root / "job/memory.stat", "anon 400\nactive_file 100\ninactive_file 700\n");
  EXPECT_EQ(group_memory("0::/job/step\n", root.path().string()).free, 4500.0);
  EXPECT_TRUE(std::isinf(group_memory("0::/\n", root.path().string()).limit));
  EXPECT_TRUE(std::isinf(group_memory("", root.path().string()).limit));
}

// Truth: the files, of version 1.
TEST(Memory, OfControlGroupsOfVersionOneIsRead) {
  const TemporaryFolder root;
  std::filesystem::create_directories(root / "memory/job");
  write_text(root / "memory/memory.limit_in_bytes", "9000\n");
  write_text(root / "memory/memory.usage_in_bytes", "1000\n");
  write_text(root / "memory/job/memory.limit_in_bytes", "7000\n");
  write_text(root / "memory/job/memory.usage_in_bytes", "500\n");
  const GroupMemory found = group_memory("4:cpu,memory:/job\n", root.path().string());
  EXPECT_EQ(found.limit, 7000.0);
  EXPECT_EQ(found.free, 6500.0);
}

// Truth: this process runs.
TEST(Memory, OfThisProcessIsWithinItsLimit) {
  EXPECT_GT(resident_memory(), 0.0);
  EXPECT_LT(resident_memory(), memory_limit());
  ASSERT_TRUE(memory_at_hand().has_value());
  EXPECT_LT(*memory_at_hand(), memory_limit());
}

}  // namespace
}  // namespace femflex

// Tests parallel loops: every piece runs once, threads run at the same time, and an exception
// reaches the caller at the end.
#include "femflex/parallel.h"

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

namespace femflex {
namespace {

TEST(Parallel, EachPieceRunsOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> runs(100, 0);
    run_parallel(threads, 100, [&](int k) { ++runs[static_cast<std::size_t>(k)]; });
    EXPECT_EQ(runs, std::vector<int>(100, 1)) << threads;
  }
  run_parallel(4, 0, [](int) { FAIL(); });
}

// A barrier lets no thread pass before all have come.
TEST(Parallel, WorkersThatWaitForEachOtherRunAtTheSameTime) {
  std::barrier gate(3);
  std::atomic<int> done = 0;
  run_together(3, [&](int) {
    gate.arrive_and_wait();
    ++done;
  });
  EXPECT_EQ(done, 3);
}

TEST(Parallel, AnExceptionComesOutAfterAllHaveEnded) {
  std::atomic<int> runs = 0;
  const auto work = [&](int k) {
    ++runs;
    if (k == 1) throw std::runtime_error("one");
  };
  EXPECT_THROW(run_together(3, work), std::runtime_error);
  EXPECT_EQ(runs, 3);
  EXPECT_THROW(run_parallel(2, 2, work), std::runtime_error);
}

}  // namespace
}  // namespace femflex

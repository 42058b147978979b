// Runs work on several threads, which take the next index from a shared counter until all are done.
// The first exception is kept and thrown again in the caller's thread.
#include "femflex/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

// Defined only if OpenBLAS is linked.
extern "C" void openblas_set_num_threads(int) __attribute__((weak));
extern "C" int openblas_get_num_threads(void) __attribute__((weak));

namespace femflex {

void run_together(int workers, const std::function<void(int)>& work) {
  std::exception_ptr first_error;
  std::mutex guard;
  const auto run = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      if (!first_error) first_error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int worker = 1; worker < workers; ++worker)
      threads.emplace_back(run, worker);
    run(0);
  }
  if (first_error) std::rethrow_exception(first_error);
}

void run_parallel(int threads, int count, const std::function<void(int)>& work) {
  if (threads < 2 || count < 2) {
    for (int k = 0; k < count; ++k)
      work(k);
    return;
  }
  std::atomic<int> next{0};
  run_together(std::min(threads, count), [&](int) {
    for (int k = next++; k < count; k = next++)
      work(k);
  });
}

int dense_threads() {
  return openblas_get_num_threads == nullptr ? 1 : openblas_get_num_threads();
}

DenseThreads::DenseThreads(int threads) {
  if (openblas_get_num_threads == nullptr || openblas_set_num_threads == nullptr) return;
  before_ = openblas_get_num_threads();
  openblas_set_num_threads(threads < 1 ? 1 : threads);
}

DenseThreads::~DenseThreads() {
  if (before_ > 0) openblas_set_num_threads(before_);
}

}  // namespace femflex

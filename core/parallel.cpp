#include "femflex/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace femflex {

void run_together(int workers, const std::function<void(int)>& work) {
  std::exception_ptr fault;
  std::mutex guard;
  const auto serve = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      if (!fault) fault = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int worker = 1; worker < workers; ++worker)
      helpers.emplace_back(serve, worker);
    serve(0);
  }
  if (fault) std::rethrow_exception(fault);
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

}  // namespace femflex

#include "solve/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace femflex::modal {

void run_parallel(int threads, int count, const std::function<void(int)>& work) {
  if (threads < 2 || count < 2) {
    for (int k = 0; k < count; ++k)
      work(k);
    return;
  }
  std::atomic<int> next{0};
  std::exception_ptr fault;
  std::mutex guard;
  const auto serve = [&] {
    try {
      for (int k = next++; k < count; k = next++)
        work(k);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      if (!fault) fault = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int t = 1; t < std::min(threads, count); ++t)
      helpers.emplace_back(serve);
    serve();
  }
  if (fault) std::rethrow_exception(fault);
}

}  // namespace femflex::modal

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace femflex::hamiltonian::tiles {

/// Where workers wait for each other. What they wait for takes microseconds, so they look for it a
/// while before they sleep.
class Gate {
 public:
  explicit Gate(std::size_t workers) : workers_(workers) {}

  void arrive_and_wait() {
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == workers_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (int look = 0; look < kLooks; ++look) {
      if (round_.load(std::memory_order_acquire) != round) return;
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  static constexpr int kLooks = 4000;
  std::size_t workers_;
  std::atomic<std::size_t> arrived_ = 0;
  std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace femflex::hamiltonian::tiles

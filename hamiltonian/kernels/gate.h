// Synchronises worker threads, by a barrier (Gate) and a progress counter (Mark).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace femflex::hamiltonian::tiles {

/// Waits for a value: spins for a while before sleeping, since workers usually wait only
/// microseconds.
/// @return the value, once `is_there` is true for it
template <typename T, typename IsThere>
T spin_then_sleep(const std::atomic<T>& value, const IsThere& is_there) {
  constexpr int kMaxSpins = 4000;
  T now = value.load(std::memory_order_acquire);
  for (int look = 0; !is_there(now); now = value.load(std::memory_order_acquire)) {
    if (++look > kMaxSpins) value.wait(now, std::memory_order_acquire);
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  return now;
}

/// A barrier at which workers wait for each other.
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
    spin_then_sleep(round_, [round](std::uint32_t now) { return now != round; });
  }

 private:
  std::size_t workers_;
  std::atomic<std::size_t> arrived_ = 0;
  std::atomic<std::uint32_t> round_ = 0;
};

/// Progress of one worker, for another that follows it. Each mark has its own cache line.
class alignas(64) Mark {
 public:
  void reach(std::int64_t far) {
    far_.store(far, std::memory_order_release);
    far_.notify_all();
  }
  void wait_for(std::int64_t far) const {
    spin_then_sleep(far_, [far](std::int64_t now) { return now >= far; });
  }

 private:
  std::atomic<std::int64_t> far_ = 0;
};

}  // namespace femflex::hamiltonian::tiles

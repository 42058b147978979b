// Runs work on several threads and passes exceptions to the caller; sets the threads of BLAS.
#pragma once

#include <functional>

namespace femflex {

/// Runs work(0) .. work(count - 1), each once, on up to `threads` threads; waits for all of them
/// and rethrows the first exception that any of them threw.
void run_parallel(int threads, int count, const std::function<void(int)>& work);

/// Runs work(0) .. work(workers - 1) at the same time, each on a thread of its own (0 on the
/// caller's), for workers that wait for each other. Waits for all of them and rethrows the first
/// exception that any of them threw; workers for which others wait must not throw.
void run_together(int workers, const std::function<void(int)>& work);

/// Number of threads that BLAS may use; 1 if OpenBLAS is not linked.
int dense_threads();

/// Sets the number of threads that BLAS may use; the destructor restores the previous number. Does
/// nothing if OpenBLAS is not linked. Use 1 where femflex runs its own threads, because idle BLAS
/// threads spin while they wait for the next call and take cores from that work.
class DenseThreads {
 public:
  explicit DenseThreads(int threads);
  ~DenseThreads();
  DenseThreads(const DenseThreads&) = delete;
  DenseThreads& operator=(const DenseThreads&) = delete;
  DenseThreads(DenseThreads&&) = delete;
  DenseThreads& operator=(DenseThreads&&) = delete;

 private:
  int before_ = 0;  // 0: nothing to restore
};

}  // namespace femflex

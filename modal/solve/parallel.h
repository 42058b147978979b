#pragma once

#include <functional>

namespace femflex::modal {

/// Runs work(0) .. work(count - 1), each once, on up to `threads` threads; waits for all and throws
/// the first exception that came out of one.
void run_parallel(int threads, int count, const std::function<void(int)>& work);

}  // namespace femflex::modal

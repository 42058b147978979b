// Runs an HTTP service for the commands serve and live: in a separate thread, while this thread
// polls for an interrupt, because the signal handler only sets a flag.
#include "commands/serving.h"

#include <chrono>
#include <exception>
#include <thread>

namespace femflex::cli {

void serve_until_stopped(service::HttpService& server, const Session& session) {
  std::exception_ptr trouble;
  std::jthread serving([&]() {
    try {
      server.run();
    } catch (...) {
      trouble = std::current_exception();
    }
  });
  while (!session.progress->stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  server.stop();
  serving.join();
  if (trouble != nullptr) std::rethrow_exception(trouble);
}

}  // namespace femflex::cli

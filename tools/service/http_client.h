// The HTTP client by which an assembly requests parts from agents on other hosts.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>

#include "assembly/part_book.h"

namespace femflex::service {

/// Limits of requests to other agents.
struct ClientOptions {
  std::chrono::milliseconds connect{2000};
  std::chrono::milliseconds total{5000};  ///< limit for one request, retries and pauses included
  int retries = 2;                        ///< after a refused or broken connection
  std::size_t answer_bytes = std::size_t{256} << 20U;
  std::filesystem::path ca;  ///< file of trusted certificates; empty: the system's
};

/// Requests parts over HTTP, each agent in its own thread; keeps connections, and caches replies by
/// their ETag. Null if femflex was built without HTTP.
/// @throws UsageError  the file of certificates cannot be read
std::unique_ptr<tools::RemoteParts> http_parts(const ClientOptions& options = {});

/// Header with the agents that are waiting, so that a loop over hosts is detected.
inline constexpr const char* kChainHeader = "X-Femflex-Chain";
inline constexpr std::size_t kMaxChain = 32;

}  // namespace femflex::service

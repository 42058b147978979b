// http_parts(): the HTTP client with which an assembly requests parts from agents on other hosts.
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
  std::chrono::milliseconds total{5000};  ///< limit for one request, including retries and pauses
  int retries = 2;                        ///< number of retries after a refused or broken
                                          ///< connection
  std::size_t answer_bytes = std::size_t{256} << 20U;
  std::filesystem::path ca;  ///< file of trusted certificates; empty: those of the system
};

/// Creates a client that requests parts over HTTP, each agent in its own thread. It keeps
/// connections and caches replies by their ETag. Null if femflex was built without HTTP.
/// @throws UsageError  the file of certificates cannot be read
std::unique_ptr<tools::RemoteParts> http_parts(const ClientOptions& options = {});

/// Header that lists the agents waiting for the reply, so that a loop over hosts is detected.
inline constexpr const char* kChainHeader = "X-Femflex-Chain";
inline constexpr std::size_t kMaxChain = 32;

}  // namespace femflex::service

// Registry: serves a directory file over HTTP, so that assemblies find the agent of a part.
// HttpService owns it.
#pragma once

#include <filesystem>
#include <string>

#include "exchange.h"

namespace femflex::service {

/// With a registry, assemblies name parts by their numbers (PN) alone. It answers:
///
/// GET  /v1/registry      houses, their addresses and their parts
/// GET  /v1/registry/PN   { "part", "house", "agent" }
///
/// The file is read again at every request, so if a house moves, only its line must be changed.
class Registry {
 public:
  /// @param file  a directory file; empty: this service is not a registry
  /// @throws UsageError, ParseError  the file cannot be read
  explicit Registry(std::filesystem::path file = {});

  /// True for /v1/registry and all paths below it, if there is a file.
  bool handles(const std::string& path) const;
  /// Never throws.
  ServiceResponse respond(const ServiceRequest& request) const;

 private:
  ServiceResponse handle(const ServiceRequest& request) const;

  std::filesystem::path file_;
};

}  // namespace femflex::service

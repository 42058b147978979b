// HttpService: the HTTP service of `femflex serve` and `femflex live`, with parts, registry, files
// and the live page on one port.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assembly/part_book.h"
#include "live_routes.h"
#include "shelf.h"

namespace femflex::service {

/// Address, limits and certificates of a service.
struct ServiceOptions {
  std::string host = "127.0.0.1";                   ///< loopback by default
  int port = 0;                                     ///< 0: any free one
  std::size_t body_bytes = std::size_t{16} << 20U;  ///< of a request
  std::size_t header_bytes = 8000;                  ///< request line and headers
  std::chrono::milliseconds request_time{10'000};   ///< for a client to send a whole request
  std::chrono::milliseconds answer_time{
      10'000};  ///< to make a response, including requests to other agents
  std::chrono::milliseconds send_time{60'000};  ///< for a client to receive a response
  std::chrono::milliseconds idle_time{5'000};   ///< until an idle connection is closed
  std::size_t workers = 512;                    ///< requests served at the same time; more wait
  std::vector<std::string> host_names;          ///< host names accepted in addition to the
                                                ///< service's own
  std::filesystem::path certificate;            ///< PEM; empty: http, not https
  std::filesystem::path key;                    ///< private key of the certificate, PEM
  std::filesystem::path registry;               ///< directory file to serve; empty: no registry
  std::function<void(std::string_view)> log;    ///< receives one JSON line per request; may be
                                                ///< empty
};

/// Agents over HTTP or HTTPS. Each part that a part book offers is served under its number PN.
///
///   GET  /v1/agents                list of parts with their kinds and queries
///   GET  /v1/agents/PN             the entry of one part
///   GET  /v1/agents/PN/dynamics    JSON with an ETag; canonical text with ?form=text or
///                                  Accept: text/plain
///   GET  /v1/agents/PN/mass        or another attribute
///   GET  /query?Dynamics+PN        also /Dynamics+PN, PN+Dynamics, and POST /query
///   POST /v1/dynamics              canonical text in, JSON out: checks the text
///   GET  /v1/registry/PN           which agent holds a part, see Registry
///   GET  /v1/health
///
/// The form with "+" is that of the document of 2003 (docs/bibliography.md). The service also
/// serves the files of a shelf (see Shelf) and a live page (see LiveRoutes). Errors are JSON with a
/// status of 4xx or 5xx.
class HttpService {
 public:
  /// @throws UsageError  built without HTTP, the port is not available, or the certificate cannot
  /// be used
  /// @throws ModelError  the offer of the file is not valid (see offered_parts())
  explicit HttpService(tools::PartBook& book,
                       ServiceOptions options = {},
                       Shelf shelf = Shelf(),
                       LiveRoutes live = LiveRoutes());
  HttpService(const HttpService&) = delete;
  HttpService& operator=(const HttpService&) = delete;
  HttpService(HttpService&&) = delete;
  HttpService& operator=(HttpService&&) = delete;
  ~HttpService();

  int port() const;
  /// Serves until stop(), then waits for running requests to finish.
  void run();
  /// May be called from any thread.
  void stop();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace femflex::service

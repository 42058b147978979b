// Adapts cpp-httplib. Workers and Connection replace its threads, streams and limits; each request
// is passed to the part of the service that handles its path.
#include "http_service.h"

#include <atomic>
#include <cmath>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "agents.h"
#include "http_client.h"
#include "registry.h"

#if FEMFLEX_HAVE_HTTPLIB

#include <sys/resource.h>

#include "connection.h"
#include "credentials.h"
#include "gzip.h"
#include "host_names.h"
#include "http_responses.h"
#include "workers.h"

namespace femflex::service {

using tools::Json;
using Clock = std::chrono::steady_clock;

namespace {

/// The connection whose request the present thread reads, because callbacks of cpp-httplib do not
/// pass it.
thread_local Connection* current = nullptr;

/// Name under which the client's Accept-Encoding is kept, so that cpp-httplib does not act on it.
constexpr const char* kAcceptEncoding = "X-Femflex-Takes";

std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

/// Runs tasks in the thread of cpp-httplib that accepts connections; a task only adds the
/// connection to the idle ones.
class InlineTaskQueue : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> work) override { work(); }
  void shutdown() override {}
};

/// Half of the file descriptors of the process, after its limit is raised to the maximum. The other
/// half remains for requests, files and remote agents.
std::size_t max_connections() {
  constexpr rlim_t kMost = 4096;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kMost / 8;
  if (limit.rlim_cur < 2 * kMost) {
    limit.rlim_cur = std::min(limit.rlim_max, 2 * kMost);
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return std::min(kMost, limit.rlim_cur / 2);
}

}  // namespace

class HttpService::Server : public httplib::Server {
 public:
  Server(tools::PartBook& book, ServiceOptions options, Shelf shelf, LiveRoutes live)
      : options_(std::move(options)),
        token_(book.file().token),
        agents_(book, random_name(), options_.answer_time),
        shelf_(std::move(shelf)),
        registry_(options_.registry),
        live_(std::move(live)),
        names_(options_.host, options_.host_names),
        workers_(options_.workers),
        idle_connections_(options_.idle_time, max_connections(), [this](ConnectionPtr connection) {
          workers_.enqueue([this, connection = std::move(connection)]() { serve(connection); });
        }) {
    if (!options_.certificate.empty())
      tls_ = TlsContext::server(options_.certificate, options_.key);
    new_task_queue = []() { return new InlineTaskQueue(); };
    set_payload_max_length(options_.body_bytes);
    set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(options_.idle_time).count());
    // browsers must not guess the type, and pages of other sites must not embed the response
    set_default_headers(
        {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
    set_socket_options([](socket_t socket) {
      const int enabled = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &enabled, sizeof enabled);
    });
    route();
    listen_on_port();
  }

  int port() const { return port_; }

  void run() {
    listen_after_bind();
    idle_connections_.close();
    workers_.shutdown();
  }

  void finish() {
    stopping_ = true;
    stop();
  }

 private:
  static constexpr std::size_t kMaxRequests = 1000;
  static constexpr int kListenBacklog = 1024;
  /// Time for which a thread waits for the next request of its connection before it serves another
  /// one.
  static constexpr std::chrono::milliseconds kGrace{20};

  void route() {
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (std::optional<ServiceResponse> refusal = header_error(request)) {
        current->close_after_response();
        send(*refusal, request.path, response);
        return HandlerResponse::Handled;
      }
      // handled after its body is read
      if (request.method == "POST") return HandlerResponse::Unhandled;
      if (request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) {
        current->close_after_response();
      }
      respond(request, response);
      return HandlerResponse::Handled;
    });
    Post("/query", [this](const httplib::Request& request, httplib::Response& response) {
      respond(request, response);
    });
    Post("/live/.+", [this](const httplib::Request& request, httplib::Response& response) {
      respond(request, response);
    });
    Post("/v1/dynamics", [this](const httplib::Request& request, httplib::Response& response) {
      respond(request, response);
    });
    set_error_handler(
        HandlerWithResponse([this](const httplib::Request& request, httplib::Response& response) {
          if (!response.body.empty()) return HandlerResponse::Handled;
          // a POST to a path that takes none, or that does not exist
          if (response.status == 404 && current->failure() == Connection::Failure::none) {
            respond(request, response);
            return HandlerResponse::Handled;
          }
          const ServiceResponse reply = rejected_response(response.status, current->failure());
          response.status = reply.status;
          response.set_content(reply.body, reply.type);
          return HandlerResponse::Handled;
        }));
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
          const ServiceResponse reply =
              error_response(500, NumericalError("internal", "the response could not be made"));
          response.status = reply.status;
          response.set_content(reply.body, reply.type);
        });
    set_logger([this](const httplib::Request& request, const httplib::Response& response) {
      log(request, response.status, response.body.size());
    });
  }

  void listen_on_port() {
    port_ = options_.port;
    if (options_.port == 0) {
      port_ = bind_to_any_port(options_.host);
    } else if (!bind_to_port(options_.host, options_.port)) {
      port_ = -1;
    }
    if (port_ < 0) {
      throw UsageError("port",
                       fmt::format("cannot listen on {} port {}", options_.host, options_.port),
                       {},
                       "take another port, or 0 for any free one");
    }
    // the library's queue of five would delay a burst of clients by a second
    ::listen(svr_sock_, kListenBacklog);
  }

  void respond(const httplib::Request& request, httplib::Response& response) {
    constexpr int kNoContent = 204;
    if (request.path == "/favicon.ico") {  // requested by browsers themselves
      response.status = kNoContent;
      response.set_header("Cache-Control", "max-age=86400");
      return;
    }
    ServiceRequest parsed;
    parsed.method = request.method;
    // the library does not decode '+' in the path; the query is used without decoding
    parsed.path = request.path;
    const std::size_t query_at = request.target.find('?');
    if (query_at != std::string::npos) parsed.raw_query = request.target.substr(query_at + 1);
    parsed.body = request.body;
    parsed.authorization = request.get_header_value("Authorization");
    parsed.accept = request.get_header_value("Accept");
    parsed.if_none_match = request.get_header_value("If-None-Match");
    parsed.chain = request.get_header_value(kChainHeader);
    parsed.is_gzip_accepted = accepts_gzip(request.get_header_value(kAcceptEncoding));
    ServiceResponse reply = response_of([&]() {
      const bool is_registered = registry_.handles(parsed.path);
      const bool is_live = live_.handles(parsed.path);
      if (!is_registered && !is_live && !shelf_.handles(parsed.path))
        return agents_.respond(parsed);
      authorise(parsed, token_);
      if (is_registered) return registry_.respond(parsed);
      return is_live ? live_.respond(parsed) : shelf_.respond(parsed);
    });
    if (!reply.file.empty()) {
      send_file(reply.file, reply.type, response);
      return;
    }
    send(reply, parsed.path, response);
  }

  void send(ServiceResponse& reply, const std::string& path, httplib::Response& response) const {
    current->set_note(std::move(reply.note));
    response.status = reply.status;
    if (!reply.etag.empty()) {
      response.set_header("ETag", "\"" + reply.etag + "\"");
      response.set_header("Cache-Control", "no-cache");
      response.set_header("Vary", "Accept, Accept-Encoding, Authorization");
    }
    for (const auto& [name, value] : reply.headers)
      response.set_header(name, value);
    // a browser then asks for user and password; the password is the token
    if (reply.status == 401)
      response.set_header(
          "WWW-Authenticate",
          shelf_.handles(path) || live_.handles(path) ? "Basic realm=\"femflex\"" : "Bearer");
    if (reply.is_gzip && reply.status != 304) response.set_header("Content-Encoding", "gzip");
    if (reply.status != 304 && reply.status != 204) response.set_content(reply.body, reply.type);
  }

  /// The error for a request rejected because of its headers (Host, Origin, ...).
  std::optional<ServiceResponse> header_error(const httplib::Request& request) const {
    const auto refuse = [](int status, const char* code, std::string message, const char* fix) {
      return error_response(status, HttpError(status, code, std::move(message), fix));
    };
    const std::size_t host_count = request.get_header_value_count("Host");
    if (host_count > 1 || (host_count == 0 && request.version == "HTTP/1.1"))
      return refuse(400, "host", "a request has one Host header", "");
    if (host_count == 1 && !names_.are_of(request.get_header_value("Host")))
      return refuse(421,
                    "host",
                    "this is not a host name of this service",
                    "use the address that it printed, or start it with --host-name NAME");
    if (request.has_header("Origin") && !names_.are_of_origin(request.get_header_value("Origin")))
      return refuse(403, "origin", "requests from pages of other sites are refused", "");
    // the unpacked size of a compressed body is not limited
    if (request.has_header("Content-Encoding"))
      return refuse(415, "encoding", "bodies are read as they are, not compressed", "");
    return {};
  }

  /// Removes headers on which the library would act itself.
  static void remove_headers_of_library(httplib::Request& request) {
    // the library would compress each response again, at brotli's highest level
    const std::string accepted = request.get_header_value("Accept-Encoding");
    request.headers.erase("Accept-Encoding");
    request.headers.erase(kAcceptEncoding);
    if (!accepted.empty()) request.set_header(kAcceptEncoding, accepted);
    // the library would join several ranges of one response in memory
    if (request.ranges.size() > 1 || !request.path.starts_with("/files/")) request.ranges.clear();
  }

  bool process_and_close_socket(socket_t socket) override {
    idle_connections_.add(std::make_shared<Connection>(
        TcpSocket(socket),
        ConnectionLimits{
            options_.header_bytes, options_.body_bytes, options_.request_time, options_.send_time},
        workers_.is_overloaded()));
    return true;
  }

  /// Serves the requests of a connection until none is waiting, then adds it to the idle
  /// connections.
  void serve(const ConnectionPtr& connection) {
    bool stays_open = false;
    current = connection.get();
    try {
      stays_open = has_expected_protocol(*connection) && serve_requests(*connection);
    } catch (const std::exception&) {
      // out of memory: only this connection ends
    }
    current = nullptr;
    if (stays_open) idle_connections_.add(connection);
  }

  bool has_expected_protocol(Connection& connection) {
    if (!tls_ || connection.is_encrypted()) return true;
    if (connection.starts_with_tls()) return connection.handshake(*tls_);
    connection.begin_request();
    write_error(
        connection,
        error_response(400, UsageError("tls", "this port expects https", {}, "use https://")));
    return false;
  }

  /// Returns false if the connection must be closed.
  bool serve_requests(Connection& connection) {
    do {
      const bool is_last = connection.count_request() == kMaxRequests || stopping_.load();
      connection.begin_request();
      bool closed = false;
      const bool is_valid = process_request(connection, is_last, closed, remove_headers_of_library);
      if (!is_valid && !connection.has_responded()) respond_to_failure(connection);
      if (!is_valid || closed || is_last || connection.failure() != Connection::Failure::none ||
          connection.closes_after_response()) {
        return false;
      }
      if (stopping_.load()) return false;
    } while (connection.has_pending() ||
             (!workers_.is_overloaded() && connection.is_readable_by(Clock::now() + kGrace)));
    return true;
  }

  /// Responds to a malformed or late request, to which the library does not respond.
  void respond_to_failure(Connection& connection) {
    if (connection.received() == 0 && connection.failure() != Connection::Failure::timeout) return;
    if (connection.failure() == Connection::Failure::none ||
        connection.failure() == Connection::Failure::broken) {
      return;
    }
    write_error(connection, rejected_response(400, connection.failure()));
  }

  void write_error(Connection& connection, const ServiceResponse& reply) {
    const std::string text = http_text_of(reply);
    connection.write(text.data(), text.size());
    log({}, reply.status, reply.body.size());
  }

  /// Logs one JSON line, without tokens and bodies.
  void log(const httplib::Request& request, int status, std::size_t bytes) const {
    if (!options_.log || current == nullptr) return;
    if (status < 400 && LiveRoutes::is_frequent(request.path)) return;
    std::string ip;
    int port = 0;
    current->get_remote_ip_and_port(ip, port);
    const std::chrono::duration<double, std::milli> duration = Clock::now() - current->start();
    Json line = Json::object();
    line["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    line["remote"] = fmt::format("{}:{}", ip, port);
    line["method"] = request.method;
    line["target"] = request.target.substr(0, 512);
    line["status"] = status;
    line["bytes"] = bytes;
    line["milliseconds"] = std::round(duration.count() * 1000.0) / 1000.0;
    const std::string chain = request.get_header_value(kChainHeader).substr(0, 512);
    if (!chain.empty()) line["chain"] = chain;
    if (!current->note().empty()) line["error"] = current->note();
    options_.log(line.dump_line());
  }

  ServiceOptions options_;
  std::string token_;  // token that clients of this service must send
  Agents agents_;
  Shelf shelf_;
  Registry registry_;
  LiveRoutes live_;
  HostNames names_;
  std::optional<TlsContext> tls_;
  int port_ = -1;
  std::atomic<bool> stopping_{false};
  Workers workers_;
  IdleConnections idle_connections_;  // declared after workers_, so that it stops accepting
                                      // connections before workers_ ends
};

HttpService::HttpService(tools::PartBook& book,
                         ServiceOptions options,
                         Shelf shelf,
                         LiveRoutes live)
    : server_(
          std::make_unique<Server>(book, std::move(options), std::move(shelf), std::move(live))) {}
HttpService::~HttpService() = default;
int HttpService::port() const {
  return server_->port();
}
void HttpService::run() {
  server_->run();
}
void HttpService::stop() {
  server_->finish();
}

}  // namespace femflex::service

#else

namespace femflex::service {

class HttpService::Server {};

HttpService::HttpService(tools::PartBook& /*book*/,
                         ServiceOptions /*options*/,
                         Shelf /*shelf*/,
                         LiveRoutes /*live*/) {
  throw UsageError("not-built-in",
                   "this femflex was built without HTTP",
                   {},
                   "install libcpp-httplib-dev and libssl-dev and build again");
}
HttpService::~HttpService() = default;
int HttpService::port() const {
  return -1;
}
void HttpService::run() {}
void HttpService::stop() {}

}  // namespace femflex::service

#endif

// Adapts cpp-httplib: its threads, streams and limits are replaced by Workers and Connection, and
// each request is passed to the part of the service that owns its path.
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
#include "http_answers.h"
#include "workers.h"

namespace femflex::service {

using tools::Json;
using Clock = std::chrono::steady_clock;

namespace {

/// The connection whose request this thread reads; the library's callbacks do not pass it.
thread_local Connection* current = nullptr;

/// Accept-Encoding of the client, under a name that the library does not act on.
constexpr const char* kTakes = "X-Femflex-Takes";

std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

/// Runs tasks in the library's accepting thread: a task only adds the connection to the idle ones.
class AtOnce : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> work) override { work(); }
  void shutdown() override {}
};

/// Half of the file descriptors of the process, after raising its limit to the maximum: idle
/// connections must not use up those needed for requests, files and remote agents.
std::size_t most_connections() {
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
  Server(tools::PartBook& book, ServiceOptions options, Shelf shelf, LiveDoor live)
      : options_(std::move(options)),
        token_(book.file().token),
        agents_(book, random_name(), options_.answer_time),
        shelf_(std::move(shelf)),
        registry_(options_.registry),
        live_(std::move(live)),
        names_(options_.host, options_.host_names),
        workers_(options_.workers),
        idle_connections_(options_.idle_time, most_connections(), [this](ConnectionPtr connection) {
          workers_.enqueue([this, connection = std::move(connection)]() { serve(connection); });
        }) {
    if (!options_.certificate.empty())
      tls_ = TlsContext::server(options_.certificate, options_.key);
    new_task_queue = []() { return new AtOnce(); };
    set_payload_max_length(options_.body_bytes);
    set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(options_.idle_time).count());
    // browsers must not guess the type, and pages of other sites must not embed the response
    set_default_headers(
        {{"X-Content-Type-Options", "nosniff"}, {"Cross-Origin-Resource-Policy", "same-origin"}});
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
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
  static constexpr std::size_t kKeptRequests = 1000;
  static constexpr int kWaitingConnections = 1024;
  /// How long a thread waits for the next request of its connection before it serves others.
  static constexpr std::chrono::milliseconds kGrace{20};

  void route() {
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (std::optional<Answer> refusal = refused_from_outside(request)) {
        current->close_after_answer();
        send(*refusal, request.path, response);
        return HandlerResponse::Handled;
      }
      // answered once its body is read
      if (request.method == "POST") return HandlerResponse::Unhandled;
      if (request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) {
        current->close_after_answer();
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
    set_error_handler(HandlerWithResponse([](const httplib::Request&, httplib::Response& response) {
      if (!response.body.empty()) return HandlerResponse::Handled;
      const Answer answer = refused(response.status, current->fault());
      response.status = answer.status;
      response.set_content(answer.body, answer.type);
      return HandlerResponse::Handled;
    }));
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
          const Answer answer = error_answer(500, NumericalError("internal", "the answer failed"));
          response.status = answer.status;
          response.set_content(answer.body, answer.type);
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
    ::listen(svr_sock_, kWaitingConnections);
  }

  void respond(const httplib::Request& request, httplib::Response& response) {
    constexpr int kNoContent = 204;
    if (request.path == "/favicon.ico") {  // browsers ask for it by themselves
      response.status = kNoContent;
      response.set_header("Cache-Control", "max-age=86400");
      return;
    }
    Question question;
    question.method = request.method;
    // the library's decoding leaves '+' in the path; the query is taken raw
    question.path = request.path;
    const std::size_t mark = request.target.find('?');
    if (mark != std::string::npos) question.raw_query = request.target.substr(mark + 1);
    question.body = request.body;
    question.authorization = request.get_header_value("Authorization");
    question.accept = request.get_header_value("Accept");
    question.if_none_match = request.get_header_value("If-None-Match");
    question.chain = request.get_header_value(kChainHeader);
    question.takes_gzip = accepts_gzip(request.get_header_value(kTakes));
    Answer answer = answered_by([&]() {
      const bool is_registered = registry_.owns(question.path);
      const bool is_live = live_.owns(question.path);
      if (!is_registered && !is_live && !shelf_.owns(question.path))
        return agents_.answer(question);
      authorise(question, token_);
      if (is_registered) return registry_.answer(question);
      return is_live ? live_.answer(question) : shelf_.answer(question);
    });
    if (!answer.file.empty()) {
      send_file(answer.file, answer.type, response);
      return;
    }
    send(answer, question.path, response);
  }

  void send(Answer& answer, const std::string& path, httplib::Response& response) const {
    current->set_note(std::move(answer.note));
    response.status = answer.status;
    if (!answer.etag.empty()) {
      response.set_header("ETag", "\"" + answer.etag + "\"");
      response.set_header("Cache-Control", "no-cache");
      response.set_header("Vary", "Accept, Accept-Encoding, Authorization");
    }
    for (const auto& [name, value] : answer.headers)
      response.set_header(name, value);
    // a browser then asks for user and password; the token is the password
    if (answer.status == 401)
      response.set_header(
          "WWW-Authenticate",
          shelf_.owns(path) || live_.owns(path) ? "Basic realm=\"femflex\"" : "Bearer");
    if (answer.is_gzip && answer.status != 304) response.set_header("Content-Encoding", "gzip");
    if (answer.status != 304 && answer.status != 204)
      response.set_content(std::move(answer.body), answer.type);
  }

  /// The refusal of a request for its headers (Host, Origin, ...), before it is interpreted.
  std::optional<Answer> refused_from_outside(const httplib::Request& request) const {
    const auto refuse = [](int status, const char* code, std::string message, const char* fix) {
      return error_answer(status, Refusal(status, code, std::move(message), fix));
    };
    const std::size_t hosts = request.get_header_value_count("Host");
    if (hosts > 1 || (hosts == 0 && request.version == "HTTP/1.1"))
      return refuse(400, "host", "a request has one Host header", "");
    if (hosts == 1 && !names_.are_of(request.get_header_value("Host")))
      return refuse(421,
                    "host",
                    "this is not a host name of this service",
                    "use the address that it printed, or start it with --host-name NAME");
    if (request.has_header("Origin") && !names_.are_of_origin(request.get_header_value("Origin")))
      return refuse(403, "origin", "requests from pages of other sites are refused", "");
    // a compressed body has no bound on its unpacked size
    if (request.has_header("Content-Encoding"))
      return refuse(415, "encoding", "bodies are read as they are, not compressed", "");
    return {};
  }

  /// Removes headers from a request that the library would act on by itself.
  static void take_over(httplib::Request& request) {
    // it would compress every response again, at brotli's highest level
    const std::string takes = request.get_header_value("Accept-Encoding");
    request.headers.erase("Accept-Encoding");
    request.headers.erase(kTakes);
    if (!takes.empty()) request.set_header(kTakes, takes);
    // several ranges of one response would be joined in memory
    if (request.ranges.size() > 1 || !request.path.starts_with("/files/")) request.ranges.clear();
  }

  bool process_and_close_socket(socket_t socket) override {
    idle_connections_.add(std::make_shared<Connection>(
        Wire(socket),
        ConnectionLimits{
            options_.header_bytes, options_.body_bytes, options_.request_time, options_.send_time},
        workers_.is_pressed()));
    return true;
  }

  /// Serves the requests of a connection until none is left; then it is one of the idle ones.
  void serve(const ConnectionPtr& connection) {
    bool goes_on = false;
    current = connection.get();
    try {
      goes_on = is_welcome(*connection) && answer_all(*connection);
    } catch (const std::exception&) {
      // out of memory: this connection ends, the service does not
    }
    current = nullptr;
    if (goes_on) idle_connections_.add(connection);
  }

  bool is_welcome(Connection& connection) {
    if (!tls_ || connection.is_encrypted()) return true;
    if (connection.speaks_tls()) return connection.shake_hands(*tls_);
    connection.begin_request();
    write_refusal(
        connection,
        error_answer(400, UsageError("tls", "this port expects https", {}, "use https://")));
    return false;
  }

  /// False if the connection is at its end.
  bool answer_all(Connection& connection) {
    do {
      const bool is_last = connection.count_request() == kKeptRequests || stopping_.load();
      connection.begin_request();
      bool closed = false;
      const bool good = process_request(connection, is_last, closed, take_over);
      if (!good && !connection.has_answered()) answer_fault(connection);
      if (!good || closed || is_last || connection.fault() != Connection::Fault::none ||
          connection.closes_after_answer()) {
        return false;
      }
      if (stopping_.load()) return false;
    } while (connection.has_pending() ||
             (!workers_.is_pressed() && connection.is_readable_by(Clock::now() + kGrace)));
    return true;
  }

  /// Responds to a malformed or late request, for which the library sends nothing.
  void answer_fault(Connection& connection) {
    if (connection.received() == 0 && connection.fault() != Connection::Fault::late) return;
    if (connection.fault() == Connection::Fault::none ||
        connection.fault() == Connection::Fault::broken) {
      return;
    }
    write_refusal(connection, refused(400, connection.fault()));
  }

  void write_refusal(Connection& connection, const Answer& answer) {
    const std::string text = message_of(answer);
    connection.write(text.data(), text.size());
    log({}, answer.status, answer.body.size());
  }

  /// One JSON line; never a token, never a body.
  void log(const httplib::Request& request, int status, std::size_t bytes) const {
    if (!options_.log || current == nullptr) return;
    if (status < 400 && LiveDoor::is_frequent(request.path)) return;
    std::string ip;
    int port = 0;
    current->get_remote_ip_and_port(ip, port);
    const std::chrono::duration<double, std::milli> took = Clock::now() - current->begun();
    Json line = Json::object();
    line["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    line["remote"] = fmt::format("{}:{}", ip, port);
    line["method"] = request.method;
    line["target"] = request.target.substr(0, 512);
    line["status"] = status;
    line["bytes"] = bytes;
    line["milliseconds"] = std::round(took.count() * 1000.0) / 1000.0;
    const std::string chain = request.get_header_value(kChainHeader).substr(0, 512);
    if (!chain.empty()) line["chain"] = chain;
    if (!current->note().empty()) line["error"] = current->note();
    options_.log(line.dump_line());
  }

  ServiceOptions options_;
  std::string token_;  // clients of this service must send it
  Agents agents_;
  Shelf shelf_;
  Registry registry_;
  LiveDoor live_;
  HostNames names_;
  std::optional<TlsContext> tls_;
  int port_ = -1;
  std::atomic<bool> stopping_{false};
  Workers workers_;
  IdleConnections idle_connections_;  // accepts no connection any more before workers_ ends
};

HttpService::HttpService(tools::PartBook& book, ServiceOptions options, Shelf shelf, LiveDoor live)
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
                         LiveDoor /*live*/) {
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

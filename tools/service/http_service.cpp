#include "http_service.h"

#include <atomic>
#include <cmath>
#include <ctime>
#include <fstream>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "agents.h"
#include "http_client.h"

#if FEMFLEX_HAVE_HTTPLIB

#include <set>

#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"

namespace femflex::service {

using pipeline::Json;
using Clock = std::chrono::steady_clock;

namespace {

/// The connection whose request this thread reads; the library's call-backs do not name it.
thread_local Connection* current = nullptr;

std::string random_name() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

/// What the library itself refuses: malformed requests, bodies and lines that are too long.
Answer refused(int status, Connection::Fault fault) {
  switch (fault) {
    case Connection::Fault::late:
      return error_answer(408, UsageError("slow", "the request did not arrive in time"));
    case Connection::Fault::too_large:
      return error_answer(status == 400 || status < 400 ? 431 : status,
                          UsageError("too-large", "the request is larger than is read here"));
    case Connection::Fault::none:
    case Connection::Fault::broken:
      break;
  }
  switch (status) {
    case 413:
      return error_answer(413, UsageError("too-large", "the body is larger than is read here"));
    case 414:
      return error_answer(414, UsageError("too-large", "the path is too long"));
    case 404:
    case 405:
      return error_answer(405, UsageError("method", "this method is not answered"));
    case 416:
      return error_answer(416, UsageError("range", "this range cannot be given"));
    default:
      return error_answer(status, UsageError("request", "this is no request that can be answered"));
  }
}

}  // namespace

class HttpService::Server : public httplib::Server {
 public:
  Server(pipeline::PartBook& book, ServiceOptions options, Shelf shelf)
      : options_(std::move(options)),
        agents_(book, random_name(), options_.answer_time),
        shelf_(std::move(shelf)) {
    new_task_queue = [most = options_.workers]() { return new Workers(most); };
    set_payload_max_length(options_.body_bytes);
    set_keep_alive_max_count(kKeptRequests);
    set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(options_.idle_time).count());
    set_tcp_nodelay(true);
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (request.method == "POST") return HandlerResponse::Unhandled;  // its body comes first
      if (request.has_header("Content-Length") || request.has_header("Transfer-Encoding")) {
        current->close_after_answer();
      }
      respond(request, response);
      return HandlerResponse::Handled;
    });
    Post("/query", [this](const httplib::Request& request, httplib::Response& response) {
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
    // the library's queue of five would turn a burst of clients away for a second
    ::listen(svr_sock_, kWaitingConnections);
  }

  int port() const { return port_; }

  void finish() {
    stopping_ = true;
    {
      const std::lock_guard lock(mutex_);
      for (const socket_t socket : idle_)
        ::shutdown(socket, SHUT_RD);
    }
    stop();
  }

 private:
  static constexpr std::size_t kKeptRequests = 1000;
  static constexpr int kWaitingConnections = 1024;
  static constexpr std::size_t kPiece = std::size_t{1} << 16U;

  void respond(const httplib::Request& request, httplib::Response& response) {
    Question question;
    question.method = request.method;
    // the path as the library decoded it turns no '+' into a blank; the query is taken raw
    question.path = request.path;
    const std::size_t mark = request.target.find('?');
    if (mark != std::string::npos) question.raw_query = request.target.substr(mark + 1);
    question.body = request.body;
    question.authorization = request.get_header_value("Authorization");
    question.accept = request.get_header_value("Accept");
    question.if_none_match = request.get_header_value("If-None-Match");
    question.chain = request.get_header_value(kChainHeader);
    const Answer answer =
        shelf_.owns(question.path) ? shelf_.answer(question) : agents_.answer(question);
    if (!answer.file.empty()) {
      send_file(answer.file, answer.type, response);
      return;
    }
    response.status = answer.status;
    if (!answer.etag.empty()) {
      response.set_header("ETag", "\"" + answer.etag + "\"");
      response.set_header("Cache-Control", "no-cache");
      response.set_header("Vary", "Accept, Authorization");
    }
    if (answer.status == 401) response.set_header("WWW-Authenticate", "Bearer");
    if (answer.status != 304) response.set_content(answer.body, answer.type);
  }

  /// In pieces, so that a large file never stands in memory. The library fills in the status: 206
  /// where a range was asked for.
  static void send_file(const std::filesystem::path& path,
                        const std::string& type,
                        httplib::Response& response) {
    auto in = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = in->tellg();
    if (!*in || size <= 0) {
      const Answer answer =
          error_answer(410, UsageError("gone", "the file is gone, empty or may not be read"));
      response.status = answer.status;
      response.set_content(answer.body, answer.type);
      return;
    }
    response.set_content_provider(
        static_cast<std::size_t>(size),
        type,
        [in, piece = std::vector<char>(kPiece)](
            std::size_t offset, std::size_t length, httplib::DataSink& sink) mutable {
          in->clear();
          in->seekg(static_cast<std::streamoff>(offset));
          in->read(piece.data(), static_cast<std::streamsize>(std::min(length, piece.size())));
          const auto count = static_cast<std::size_t>(in->gcount());
          return count > 0 && sink.write(piece.data(), count);
        });
  }

  bool process_and_close_socket(socket_t socket) override {
    Connection connection(
        socket,
        {options_.header_bytes, options_.body_bytes, options_.request_time, options_.send_time});
    current = &connection;
    bool good = false;
    for (std::size_t left = kKeptRequests; left > 0; --left) {
      if (!note_idle(socket)) break;
      const bool asked = connection.wait_for_request(options_.idle_time, stopping_);
      note_busy(socket);
      if (!asked) break;
      connection.begin_request();
      bool closed = false;
      good = process_request(
          connection, left == 1 || stopping_.load(), closed, [](httplib::Request&) {});
      if (!good && !connection.has_answered()) answer_fault(connection);
      if (!good || closed || connection.fault() != Connection::Fault::none ||
          connection.closes_after_answer()) {
        break;
      }
    }
    current = nullptr;
    ::shutdown(socket, SHUT_RDWR);
    ::close(socket);
    return good;
  }

  /// A request that never became one: the library says nothing then.
  void answer_fault(Connection& connection) {
    if (connection.received() == 0 && connection.fault() != Connection::Fault::late) return;
    if (connection.fault() == Connection::Fault::none ||
        connection.fault() == Connection::Fault::broken) {
      return;
    }
    const Answer answer = refused(400, connection.fault());
    const std::string text = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
        answer.status,
        answer.status == 408 ? "Request Timeout" : "Request Header Fields Too Large",
        answer.type,
        answer.body.size(),
        answer.body);
    connection.write(text.data(), text.size());
    log({}, answer.status, answer.body.size());
  }

  bool note_idle(socket_t socket) {
    const std::lock_guard lock(mutex_);
    if (stopping_.load()) return false;
    idle_.insert(socket);
    return true;
  }
  void note_busy(socket_t socket) {
    const std::lock_guard lock(mutex_);
    idle_.erase(socket);
  }

  /// One JSON line; never a token, never a body.
  void log(const httplib::Request& request, int status, std::size_t bytes) const {
    if (!options_.log || current == nullptr) return;
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
    options_.log(line.dump_line());
  }

  ServiceOptions options_;
  Agents agents_;
  Shelf shelf_;
  int port_ = -1;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::set<socket_t> idle_;  // under mutex_
};

HttpService::HttpService(pipeline::PartBook& book, ServiceOptions options, Shelf shelf)
    : server_(std::make_unique<Server>(book, std::move(options), std::move(shelf))) {}
HttpService::~HttpService() = default;
int HttpService::port() const {
  return server_->port();
}
void HttpService::run() {
  server_->listen_after_bind();
}
void HttpService::stop() {
  server_->finish();
}

}  // namespace femflex::service

#else

namespace femflex::service {

class HttpService::Server {};

HttpService::HttpService(pipeline::PartBook& /*book*/,
                         ServiceOptions /*options*/,
                         Shelf /*shelf*/) {
  throw UsageError("not-built-in",
                   "this femflex was built without HTTP",
                   {},
                   "install libcpp-httplib-dev and build again");
}
HttpService::~HttpService() = default;
int HttpService::port() const {
  return -1;
}
void HttpService::run() {}
void HttpService::stop() {}

}  // namespace femflex::service

#endif

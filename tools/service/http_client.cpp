// Requests parts in parallel threads over kept connections, retries after a broken one, looks up
// addresses in registries, and caches parts by entity tag. Data from agents is always checked.
#include "http_client.h"

#if FEMFLEX_HAVE_HTTPLIB

#include <algorithm>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "assembly/directory.h"
#include "assembly/part_json.h"
#include "document/json_text.h"
#include "document/plain_text.h"
#include "http_get.h"
#include "percent_encoding.h"
#include "tcp_socket.h"

namespace femflex::service {

using tools::AgentError;
using tools::Json;
using tools::PartDefinition;
using tools::RegistrySource;
using tools::RemoteSource;
using tools::RequestContext;
using tools::VersionedPart;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kMaxMessage = 500;  // [bytes] quoted at most from another agent's message
constexpr std::size_t kMaxCode = 64;
constexpr const char* kRegistry = "registry";  // role of a RemoteSource that is a registry

/// Idle connections of each agent, for reuse.
class ConnectionPool {
 public:
  std::optional<TcpSocket> take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    auto& list = idle_[key];
    if (list.empty()) return {};
    std::optional<TcpSocket> socket(std::move(list.back()));
    list.pop_back();
    return socket;
  }
  void release(const std::string& key, TcpSocket socket) {
    const std::lock_guard lock(mutex_);
    auto& list = idle_[key];
    if (list.size() < kMaxIdlePerAgent) list.push_back(std::move(socket));
  }

 private:
  static constexpr std::size_t kMaxIdlePerAgent = 8;
  std::mutex mutex_;
  std::map<std::string, std::vector<TcpSocket>> idle_;  // guarded by mutex_
};

std::string chain_text(const std::vector<std::string>& chain) {
  std::string out;
  for (const std::string& agent : chain)
    out += (out.empty() ? "" : ",") + agent;
  return out;
}

/// There is no connection, or it broke; the request may be repeated.
struct ConnectionFailure {
  const char* what;
};

/// "agent http://host:port" or "registry http://host:port", for messages.
std::string name_of_agent(const RemoteSource& source) {
  return fmt::format("{} {}", source.role, source.url);
}

/// The record for messages: the requested part, if any.
Where record_of(const RemoteSource& source) {
  return {.record = source.part.empty() ? std::string() : "part " + source.part};
}

/// Calls `read`, which parses a reply; adds the agent's name to its errors.
template <typename Read>
auto checked_reply(const RemoteSource& source, const Read& read) {
  try {
    return read();
  } catch (const Error& error) {
    throw AgentError(502,
                     "bad-answer",
                     fmt::format("{} sent an answer that cannot be read: {}",
                                 name_of_agent(source),
                                 tools::plain_text(error.message(), kMaxMessage)),
                     record_of(source),
                     {},
                     fmt::format("{} sent an answer that cannot be read", name_of_agent(source)));
  }
}

/// The source for a look-up of `part` in a registry.
RemoteSource registry_of(const RegistrySource& registry, const std::string& part) {
  RemoteSource out;
  out.url = registry.url;
  out.address = registry.address;
  out.part = part;
  out.token = registry.token;
  out.ca = registry.ca;
  out.role = kRegistry;
  return out;
}

class HttpParts : public tools::RemoteParts {
 public:
  explicit HttpParts(ClientOptions options) : options_(std::move(options)) {
    // an unreadable file is reported now instead of at the first request
    if (!options_.ca.empty()) context_of(options_.ca);
  }

  std::vector<VersionedPart> dynamics(const std::vector<const PartDefinition*>& wanted,
                                      const RequestContext& context) override {
    std::vector<VersionedPart> answers(wanted.size());
    run_concurrently(wanted.size(), context, [&](std::size_t k, Clock::time_point until) {
      answers[k] = dynamics_of(*wanted[k], context, until);
    });
    return answers;
  }

  Json attribute(const PartDefinition& part,
                 const std::string& name,
                 const RequestContext& context) override {
    const RemoteSource source = with_address(part, context, deadline_of(context));
    const GetReply reply = get(source,
                               fmt::format("/v1/agents/{}/{}", source.part, percent_encoded(name)),
                               {},
                               context,
                               deadline_of(context));
    constexpr int kNotFound = 404;
    if (reply.status == kNotFound) return {};
    if (reply.status != kOk) throw_error_reply(source, reply);
    return checked_reply(source, [&]() {
      const Json document = tools::parse_json(reply.body, source.url);
      const Json* value = document.find("value");
      return value == nullptr ? Json() : *value;
    });
  }

  Json listing(const RemoteSource& source, const RequestContext& context) override {
    const bool is_registry = std::string_view(source.role) == kRegistry;
    const GetReply reply =
        get(source, is_registry ? "/v1/registry" : "/v1/agents", {}, context, deadline_of(context));
    if (reply.status != kOk) throw_error_reply(source, reply);
    return checked_reply(source, [&]() {
      Json document = tools::parse_json(reply.body, source.url);
      if (document.find(is_registry ? "houses" : "agents") == nullptr)
        throw ParseError("listing", "it is not a list of parts");
      return document;
    });
  }

 private:
  static constexpr int kOk = 200;
  static constexpr int kNotModified = 304;

  Clock::time_point deadline_of(const RequestContext& context) const {
    return std::min(context.deadline, Clock::now() + options_.total);
  }

  /// Runs `count` requests concurrently; each one observes the deadline.
  void run_concurrently(std::size_t count,
                        const RequestContext& context,
                        const std::function<void(std::size_t, Clock::time_point)>& work) {
    const Clock::time_point until = deadline_of(context);
    std::vector<std::exception_ptr> errors(count);
    {
      std::vector<std::jthread> threads;
      threads.reserve(count);
      for (std::size_t k = 0; k < count; ++k) {
        threads.emplace_back([&, k]() {
          try {
            work(k, until);
          } catch (...) {
            errors[k] = std::current_exception();
          }
        });
      }
      // jthreads join here
    }
    for (const std::exception_ptr& error : errors) {
      if (error != nullptr) std::rethrow_exception(error);
    }
  }

  /// The source with the address that its registry gives now, or, if the registry cannot be
  /// reached, with the address that it gave last.
  RemoteSource with_address(const PartDefinition& part,
                            const RequestContext& context,
                            Clock::time_point until) {
    RemoteSource out = std::get<RemoteSource>(part.source);
    if (out.registry == nullptr) return out;
    if (!out.registry->file.empty()) {
      const tools::Directory directory = tools::load_directory(out.registry->file);
      const tools::House& house = tools::house_of(directory, out.part);
      out.url = house.url;
      out.address = house.address;
      return out;
    }
    const std::string key = out.registry->url + "/" + out.part;
    try {
      out.url = address_in_registry(registry_of(*out.registry, out.part), context, until);
    } catch (const AgentError& error) {
      const std::lock_guard lock(mutex_);
      const auto known = known_addresses_.find(key);
      if (error.code() != "agent-down" || known == known_addresses_.end()) throw;
      out.url = known->second;
    }
    out.address = *tools::parse_agent_address(out.url);
    const std::lock_guard lock(mutex_);
    known_addresses_[key] = out.url;
    return out;
  }

  /// Asks a registry for the URL of the agent that holds the part.
  std::string address_in_registry(const RemoteSource& registry,
                                  const RequestContext& context,
                                  Clock::time_point until) {
    const GetReply reply =
        get(registry, fmt::format("/v1/registry/{}", registry.part), {}, context, until);
    if (reply.status != kOk) throw_error_reply(registry, reply);
    return checked_reply(registry, [&]() {
      const Json document = tools::parse_json(reply.body, registry.url);
      const Json* agent = document.find("agent");
      if (agent == nullptr || !agent->is_text() || !tools::parse_agent_address(agent->text()))
        throw ParseError("url", "it gives no address of an agent");
      return agent->text();
    });
  }

  VersionedPart dynamics_of(const PartDefinition& part,
                            const RequestContext& context,
                            Clock::time_point until) {
    const RemoteSource source = with_address(part, context, until);
    // the key contains the token, because another token may give another version
    const std::string key = source.url + "/" + source.part + " " + source.token;
    std::optional<VersionedPart> cached;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = cached_parts_.find(key); found != cached_parts_.end())
        cached = found->second;
    }
    GetReply reply = get(source,
                         fmt::format("/v1/agents/{}/dynamics", source.part),
                         cached ? cached->version : std::string(),
                         context,
                         until);
    if (reply.status == kNotModified && cached) return *cached;
    if (reply.status != kOk) throw_error_reply(source, reply);
    VersionedPart out;
    out.part = checked_reply(source, [&]() {
      return std::make_shared<const substructure::DynamicStiffness>(
          tools::part_from_json(reply.body, source.url));
    });
    out.version = std::move(reply.etag);
    out.document = std::make_shared<const std::string>(std::move(reply.body));
    if (!out.version.empty()) {
      const std::lock_guard lock(mutex_);
      cached_parts_[key] = out;
    }
    return out;
  }

  GetReply get(const RemoteSource& source,
               const std::string& path,
               const std::string& version,
               const RequestContext& context,
               Clock::time_point until) {
    GetRequest request{source.address.authority(), path, {}};
    if (!source.token.empty())
      request.headers.emplace_back("Authorization", "Bearer " + source.token);
    if (!version.empty()) request.headers.emplace_back("If-None-Match", "\"" + version + "\"");
    if (!context.chain.empty())
      request.headers.emplace_back(kChainHeader, chain_text(context.chain));
    for (int attempt = 0; Clock::now() < until; ++attempt) {
      try {
        return exchange(source, request, until);
      } catch (const ConnectionFailure& failure) {
        if (attempt >= options_.retries) {
          throw AgentError(502,
                           "agent-down",
                           fmt::format("{} {}", name_of_agent(source), failure.what),
                           record_of(source),
                           "start it, or wait until it is back");
        }
      }
      const auto pause = std::chrono::milliseconds(30) * (1 << std::min(attempt, 6));
      std::this_thread::sleep_until(std::min(until, Clock::now() + pause));
    }
    throw_timeout(source);
  }

  /// One attempt, on an idle connection, or on a new one if the idle one was closed.
  /// @throws ConnectionFailure  the agent cannot be reached, or closes a new connection
  GetReply exchange(const RemoteSource& source,
                    const GetRequest& request,
                    Clock::time_point until) {
    const std::string key = source.url + " " + source.ca.string();
    for (;;) {
      std::optional<TcpSocket> pooled = connections_.take(key);
      const bool is_pooled = pooled.has_value();
      TcpSocket socket = is_pooled ? std::move(*pooled) : connected(source, until);
      // unexpected bytes would be read as the reply
      if (is_pooled && socket.is_readable(Clock::now())) continue;
      GetOutcome outcome = http_get(socket, request, options_.answer_bytes, until);
      switch (outcome.failure) {
        case GetFailure::none:
          if (outcome.reply.is_reusable) connections_.release(key, std::move(socket));
          return std::move(outcome.reply);
        case GetFailure::broken:
          if (is_pooled) continue;
          throw ConnectionFailure{"ends the connection instead of answering"};
        case GetFailure::timeout:
          throw_timeout(source);
        case GetFailure::too_large:
          throw AgentError(502,
                           "too-large",
                           fmt::format("the answer of {} is larger than {} bytes",
                                       name_of_agent(source),
                                       options_.answer_bytes),
                           record_of(source));
        case GetFailure::not_http:
          throw_not_http(source, outcome.first_bytes);
      }
    }
  }

  TcpSocket connected(const RemoteSource& source, Clock::time_point until) {
    const Clock::time_point connect_until = std::min(until, Clock::now() + options_.connect);
    TcpSocket socket =
        TcpSocket::connected(source.address.host, source.address.port, connect_until);
    if (!socket.is_open()) {
      if (socket.failure() == TcpSocket::Failure::timeout && connect_until == until)
        throw_timeout(source);
      throw ConnectionFailure{"cannot be reached"};
    }
    if (!source.address.is_secure) return socket;
    const TlsContext& tls = context_of(source.ca.empty() ? options_.ca : source.ca);
    socket.encrypt(tls.open(socket.socket(), source.address.host));
    if (socket.handshake(until)) return socket;
    if (socket.failure() == TcpSocket::Failure::timeout) throw_timeout(source);
    const TlsFailure failure = tls_failure_of(socket.ssl());
    throw AgentError(502,
                     "tls",
                     fmt::format("{}: {}", name_of_agent(source), failure.message),
                     record_of(source),
                     failure.fix);
  }

  const TlsContext& context_of(const std::filesystem::path& ca) {
    const std::lock_guard lock(mutex_);
    const auto found = contexts_.find(ca);
    if (found != contexts_.end()) return found->second;
    return contexts_.emplace(ca, TlsContext::client(ca)).first->second;
  }

  [[noreturn]] static void throw_timeout(const RemoteSource& source) {
    throw AgentError(504,
                     "agent-timeout",
                     fmt::format("{} did not answer in time", name_of_agent(source)),
                     record_of(source),
                     "try again, or allow more time: --agent-timeout");
  }

  [[noreturn]] static void throw_not_http(const RemoteSource& source,
                                          std::string_view first_bytes) {
    constexpr std::size_t kMaxQuoted = 40;
    // the first byte of a TLS alert or handshake record (RFC 8446, section 5.1)
    const bool is_tls = first_bytes.starts_with('\x15') || first_bytes.starts_with('\x16');
    throw AgentError(
        502,
        "not-http",
        fmt::format("{} is not an HTTP server{}",
                    name_of_agent(source),
                    first_bytes.empty() || is_tls
                        ? std::string()
                        : fmt::format(": it says '{}'",
                                      tools::plain_text(
                                          first_bytes.substr(0, first_bytes.find_first_of("\r\n")),
                                          kMaxQuoted))),
        record_of(source),
        is_tls ? "it expects TLS: use https://" : "check the address and the port");
  }

  /// Throws an error with the message of an error reply, made safe to print.
  [[noreturn]] static void throw_error_reply(const RemoteSource& source, const GetReply& reply) {
    std::string code = "agent-error";
    std::string message;
    std::string fix;
    const nlohmann::json document = nlohmann::json::parse(reply.body, nullptr, false);
    const auto error = document.is_object() ? document.find("error") : document.end();
    if (error != document.end() && error->is_object()) {
      const auto text = [&](const char* key, std::size_t max_length) {
        const auto found = error->find(key);
        return found != error->end() && found->is_string()
                   ? tools::plain_text(found->get_ref<const std::string&>(), max_length)
                   : std::string();
      };
      if (const std::string own_code = text("code", kMaxCode); tools::is_part_number(own_code))
        code = own_code;
      message = text("message", kMaxMessage);
      fix = text("fix", kMaxMessage);
    }
    if (reply.status >= 300 && reply.status < 400) {
      // following the redirection would send the token to another host
      message = "it redirects to another address, which is not followed" +
                (reply.location.empty() ? std::string()
                                        : ": " + tools::plain_text(reply.location, kMaxMessage));
      fix = "give that address in the file if you trust it";
    }
    // loops (508) and timeouts (504) keep their status; other failures of the remote agent become
    // 502, bad gateway
    const int status = reply.status == 508 || reply.status == 504 ? reply.status : 502;
    const std::string public_message =
        fmt::format("{} answers {}", name_of_agent(source), reply.status);
    const std::string message_with_status =
        message.empty() ? public_message : public_message + ": " + message;
    // clients may see what the remote agent reports about agents beyond it, but not its message
    // about our request, which names the part
    const bool is_beyond = reply.status == 502 || reply.status == 504;
    throw AgentError(status,
                     code,
                     message_with_status,
                     record_of(source),
                     fix,
                     is_beyond ? message_with_status : public_message);
  }

  ClientOptions options_;
  ConnectionPool connections_;
  std::mutex mutex_;
  std::map<std::string, std::string>
      known_addresses_;  // URLs by registry and part; guarded by mutex_
  std::map<std::string, VersionedPart>
      cached_parts_;  // by agent, part and token; guarded by mutex_
  std::map<std::filesystem::path, TlsContext> contexts_;  // by trusted file; guarded by mutex_
};

}  // namespace

std::unique_ptr<tools::RemoteParts> http_parts(const ClientOptions& options) {
  return std::make_unique<HttpParts>(options);
}

}  // namespace femflex::service

#else

namespace femflex::service {

std::unique_ptr<tools::RemoteParts> http_parts(const ClientOptions& /*options*/) {
  return nullptr;
}

}  // namespace femflex::service

#endif

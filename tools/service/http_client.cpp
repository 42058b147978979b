#include "http_client.h"

#if FEMFLEX_HAVE_HTTPLIB

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <nlohmann/json.hpp>

#include "pipeline/json_text.h"
#include "pipeline/part_json.h"

namespace femflex::service {

using pipeline::AgentError;
using pipeline::Ask;
using pipeline::Json;
using pipeline::KnownPart;
using pipeline::PartDefinition;
using pipeline::RemoteSource;
using Clock = std::chrono::steady_clock;

namespace {

struct Reply {
  int status = 0;
  std::string etag;
  std::string body;
};

/// Idle connections by agent, so that a question costs no new one.
class Connections {
 public:
  std::unique_ptr<httplib::Client> take(const std::string& url) {
    const std::lock_guard lock(mutex_);
    auto& list = idle_[url];
    if (list.empty()) return std::make_unique<httplib::Client>(url);
    auto client = std::move(list.back());
    list.pop_back();
    return client;
  }
  void give_back(const std::string& url, std::unique_ptr<httplib::Client> client) {
    const std::lock_guard lock(mutex_);
    auto& list = idle_[url];
    if (list.size() < kIdle) list.push_back(std::move(client));
  }

 private:
  static constexpr std::size_t kIdle = 8;
  std::mutex mutex_;
  std::map<std::string, std::vector<std::unique_ptr<httplib::Client>>> idle_;  // under mutex_
};

/// A question that another thread may break off.
class Question {
 public:
  void start(httplib::Client& client) {
    const std::lock_guard lock(mutex_);
    client_ = &client;
    if (cancelled_) client.stop();
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    client_ = nullptr;
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    if (client_ != nullptr) client_->stop();
  }
  bool is_cancelled() {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }

 private:
  std::mutex mutex_;
  httplib::Client* client_ = nullptr;  // under mutex_
  bool cancelled_ = false;             // under mutex_
};

std::string chain_text(const std::vector<std::string>& chain) {
  std::string out;
  for (const std::string& agent : chain)
    out += (out.empty() ? "" : ",") + agent;
  return out;
}

class HttpParts : public pipeline::RemoteParts {
 public:
  explicit HttpParts(const ClientOptions& options) : options_(options) {}

  std::vector<KnownPart> dynamics(const std::vector<const PartDefinition*>& wanted,
                                  const Ask& ask) override {
    std::vector<KnownPart> answers(wanted.size());
    together(wanted.size(), ask, [&](std::size_t k, Question& question, Clock::time_point until) {
      answers[k] = dynamics_of(*wanted[k], ask, question, until);
    });
    return answers;
  }

  Json attribute(const PartDefinition& part, const std::string& name, const Ask& ask) override {
    Json answer;
    together(1, ask, [&](std::size_t, Question& question, Clock::time_point until) {
      const auto& source = std::get<RemoteSource>(part.source);
      const Reply reply = get(
          source,
          fmt::format("/v1/agents/{}/{}", source.part, httplib::detail::encode_query_param(name)),
          {},
          ask,
          question,
          until);
      if (reply.status == 404) return;
      if (reply.status != 200) refuse(part, reply);
      const Json document = pipeline::parse_json(reply.body, source.url);
      if (const Json* value = document.find("value")) answer = *value;
    });
    return answer;
  }

 private:
  using Work = std::function<void(std::size_t, Question&, Clock::time_point)>;

  /// Runs `count` questions side by side; at the deadline those that still run are broken off.
  void together(std::size_t count, const Ask& ask, const Work& work) {
    const Clock::time_point until = std::min(ask.deadline, Clock::now() + options_.total);
    std::vector<Question> questions(count);
    std::vector<std::exception_ptr> errors(count);
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t running = count;
    {
      std::vector<std::jthread> threads;
      threads.reserve(count);
      for (std::size_t k = 0; k < count; ++k) {
        threads.emplace_back([&, k]() {
          try {
            work(k, questions[k], until);
          } catch (...) {
            errors[k] = std::current_exception();
          }
          const std::lock_guard lock(mutex);
          --running;
          changed.notify_one();
        });
      }
      std::unique_lock lock(mutex);
      if (!changed.wait_until(lock, until, [&]() { return running == 0; })) {
        lock.unlock();
        for (Question& question : questions)
          question.cancel();
      }
      // jthreads join here
    }
    for (const std::exception_ptr& error : errors) {
      if (error != nullptr) std::rethrow_exception(error);
    }
  }

  KnownPart dynamics_of(const PartDefinition& part,
                        const Ask& ask,
                        Question& question,
                        Clock::time_point until) {
    const auto& source = std::get<RemoteSource>(part.source);
    const std::string key = source.url + "/" + source.part;
    std::optional<KnownPart> before;
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = answers_.find(key); found != answers_.end()) before = found->second;
    }
    const Reply reply = get(source,
                            fmt::format("/v1/agents/{}/dynamics", source.part),
                            before ? before->version : std::string(),
                            ask,
                            question,
                            until);
    if (reply.status == 304 && before) return *before;
    if (reply.status != 200) refuse(part, reply);
    KnownPart out;
    try {
      out.part = std::make_shared<const substructure::DynamicStiffness>(
          pipeline::part_from_json(reply.body, source.url));
    } catch (const Error& error) {
      throw AgentError(502,
                       "bad-answer",
                       fmt::format("{} sent no part: {}", source.url, error.message()),
                       {.record = "part " + part.number});
    }
    out.version = reply.etag;
    out.document = std::make_shared<const std::string>(reply.body);
    if (!out.version.empty()) {
      const std::lock_guard lock(mutex_);
      answers_[key] = out;
    }
    return out;
  }

  Reply get(const RemoteSource& source,
            const std::string& path,
            const std::string& version,
            const Ask& ask,
            Question& question,
            Clock::time_point until) {
    httplib::Headers headers;
    if (!source.token.empty()) headers.emplace("Authorization", "Bearer " + source.token);
    if (!version.empty()) headers.emplace("If-None-Match", "\"" + version + "\"");
    if (!ask.chain.empty()) headers.emplace(kChainHeader, chain_text(ask.chain));
    std::string trouble;
    for (int attempt = 0;; ++attempt) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
      if (left.count() <= 0 || question.is_cancelled()) break;
      std::unique_ptr<httplib::Client> client = connections_.take(source.url);
      if (!client->is_valid()) {
        throw AgentError(502, "agent-down", fmt::format("'{}' is no address", source.url), {});
      }
      client->set_keep_alive(true);
      client->set_tcp_nodelay(true);
      client->set_connection_timeout(std::min(options_.connect, left));
      client->set_read_timeout(left);
      client->set_write_timeout(left);
      Reply reply;
      bool too_large = false;
      question.start(*client);
      const httplib::Result result = client->Get(
          path,
          headers,
          [&](const httplib::Response& response) {
            reply.status = response.status;
            return true;
          },
          [&](const char* data, std::size_t size) {
            too_large = reply.body.size() + size > options_.answer_bytes;
            if (too_large || Clock::now() > until) return false;
            reply.body.append(data, size);
            return true;
          });
      question.finish();
      if (result) {
        reply.status = result->status;
        std::string etag = result->get_header_value("ETag");
        std::erase(etag, '"');
        reply.etag = etag;
        connections_.give_back(source.url, std::move(client));
        return reply;
      }
      if (too_large) {
        throw AgentError(
            502,
            "too-large",
            fmt::format(
                "the answer of {} is larger than {} bytes", source.url, options_.answer_bytes),
            {.record = "part " + source.part});
      }
      trouble = httplib::to_string(result.error());
      if (attempt >= options_.retries) break;
      const auto pause = std::chrono::milliseconds(30) * (1 << std::min(attempt, 6));
      std::this_thread::sleep_until(std::min(until, Clock::now() + pause));
    }
    const bool late = Clock::now() >= until || question.is_cancelled();
    throw AgentError(late ? 504 : 502,
                     late ? "agent-timeout" : "agent-down",
                     late ? fmt::format("agent {} did not answer in time", source.url)
                          : fmt::format("agent {} cannot be reached: {}", source.url, trouble),
                     {.record = "part " + source.part},
                     "start it, or wait until it is back");
  }

  /// An answer that is an error: its own words go on.
  [[noreturn]] static void refuse(const PartDefinition& part, const Reply& reply) {
    const auto& source = std::get<RemoteSource>(part.source);
    std::string code = "agent-error";
    std::string message;
    const nlohmann::json document = nlohmann::json::parse(reply.body, nullptr, false);
    if (document.is_object() && document.contains("error") && document["error"].is_object()) {
      const auto& error = document["error"];
      code = error.value("code", code);
      message = error.value("message", message);
    }
    // a loop and a timeout stay what they are; that the far side lacks the part is our bad gateway
    const int status = reply.status == 508 || reply.status == 504 ? reply.status : 502;
    throw AgentError(status,
                     code,
                     fmt::format("agent {} answers {}{}{}",
                                 source.url,
                                 reply.status,
                                 message.empty() ? "" : ": ",
                                 message),
                     {.record = "part " + source.part});
  }

  ClientOptions options_;
  Connections connections_;
  std::mutex mutex_;
  std::map<std::string, KnownPart> answers_;  // by url/part, under mutex_
};

}  // namespace

std::unique_ptr<pipeline::RemoteParts> http_parts(const ClientOptions& options) {
  return std::make_unique<HttpParts>(options);
}

}  // namespace femflex::service

#else

namespace femflex::service {

std::unique_ptr<pipeline::RemoteParts> http_parts(const ClientOptions& /*options*/) {
  return nullptr;
}

}  // namespace femflex::service

#endif

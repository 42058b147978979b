// Routes a request by its path, checks its token, and answers from the part book. Simultaneous
// requests of clients for the dynamics of a part share one computation. Names of inner parts are
// removed from errors.
#include "agents.h"

#include <algorithm>
#include <array>
#include <future>

#include <fmt/format.h>

#include "femflex/percent_decoded.h"
#include "femflex/split.h"
#include "femflex/substructure/text_form.h"
#include "femflex/text.h"

#include "assembly/part_json.h"
#include "assembly/part_offer.h"
#include "credentials.h"
#include "document/nearest_name.h"
#include "http_client.h"

namespace femflex::service {

using tools::AgentError;
using tools::Json;
using tools::PartDefinition;
using tools::RequestContext;
using tools::VersionedPart;

namespace {

constexpr std::size_t kMaxQuotedName = 64;  // [bytes] of a name quoted in an error

std::string_view kind_of(const PartDefinition& part) {
  return part.is_assembly() ? "assembly" : "part";
}

/// True for errors whose message clients may see, because it contains only names that the client
/// sent, or because the error has a public form.
bool is_public(const Error& error) {
  return error.code() == "loop" || dynamic_cast<const HttpError*>(&error) != nullptr ||
         dynamic_cast<const AgentError*>(&error) != nullptr;
}

/// Calls `action`, which computes part `number`. Replaces its errors by one that does not name
/// inner parts; the log contains the original.
template <typename Work>
auto without_inner_names(const std::string& number, const Work& action) {
  try {
    return action();
  } catch (const Error& error) {
    if (is_public(error)) throw;
    throw HttpError(status_of(error),
                    error.code(),
                    fmt::format("'{}' cannot be assembled", number),
                    "ask its owner: the log of the agent says why",
                    error.what());
  }
}

/// True if the text is allowed as an entry in a chain of agents. Entries are sent in a header, so
/// no byte may have a special meaning there.
bool is_chain_entry(std::string_view text) {
  constexpr std::size_t kLongest = 128;
  return text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-' || c == '/';
         });
}

}  // namespace

/// A part that is being computed, with the result for all clients that wait for it.
struct Agents::PendingRequest {
  std::promise<VersionedPart> promise;
  std::shared_future<VersionedPart> result = promise.get_future().share();
};

Agents::Agents(tools::PartBook& book, std::string self, std::chrono::milliseconds answer_time)
    : book_(book),
      offered_(tools::offered_parts(book.file())),
      self_(std::move(self)),
      answer_time_(answer_time) {}

ServiceResponse Agents::respond(const ServiceRequest& request) {
  return response_of([&]() { return handle(request); });
}

ServiceResponse Agents::handle(const ServiceRequest& request) {
  const bool is_get = request.is_get();
  const bool is_post = request.method == "POST";
  const std::string& path = request.path;
  if (path == "/v1/health") {
    require_method(is_get, request, "GET");
    return {.body = "{\"status\":\"ok\"}\n"};
  }
  if (path == "/query") {
    require_method(is_get || is_post, request, "GET, POST");
    if (is_post) return query(request, request.body);
    std::string words = request.raw_query;
    if (words.starts_with("q=")) words.erase(0, 2);
    return query(request, percent_decoded(words));
  }
  if (path == "/v1/dynamics") {
    require_method(is_post, request, "POST");
    return check_text(request);
  }
  if (path == "/v1/agents" || path == "/v1/agents/") {
    require_method(is_get, request, "GET");
    return listing(request);
  }
  constexpr std::string_view kAgentsPath = "/v1/agents/";
  if (path.starts_with(kAgentsPath)) {
    require_method(is_get, request, "GET");
    const std::vector<std::string> names = split(path.substr(kAgentsPath.size()), '/');
    const std::vector<std::string> options = split(request.raw_query, '&');
    const bool as_text = std::find(options.begin(), options.end(), "form=text") != options.end() ||
                         request.accept.starts_with("text/plain");
    if (names.size() == 1) return agent(request, names[0]);
    if (names.size() == 2 && names[1] == "dynamics") return dynamics(request, names[0], as_text);
    if (names.size() == 2) return attribute(request, names[0], names[1], as_text);
  }
  if (is_get && path.find('+') != std::string::npos && path.find('/', 1) == std::string::npos) {
    return query(request, path.substr(1));
  }
  throw HttpError(404,
                  "no-such-path",
                  "there is nothing at this path",
                  "/v1/agents lists the agents and their queries");
}

ServiceResponse Agents::query(const ServiceRequest& request, std::string words) {
  words = std::string(trimmed(words, is_white_space));
  const std::size_t plus = words.find('+');
  if (plus == std::string::npos || plus == 0 || plus + 1 == words.size() || words.size() > 200 ||
      words.find('+', plus + 1) != std::string::npos) {
    throw HttpError(400,
                    "query",
                    "a query is two words joined by '+': Dynamics+PN or PN+Dynamics",
                    "for example Dynamics+BA1x2");
  }
  const std::string first = words.substr(0, plus);
  const std::string second = words.substr(plus + 1);
  const auto known = [&](const std::string& number) { return offered_.contains(number); };
  // the document of 2003 contains both orders: the word comes first in its syntax and last in its
  // example
  const bool reversed = lower_case(second) == "dynamics"
                            ? lower_case(first) != "dynamics" || known(first)
                            : !known(second) && known(first);
  const std::string& number = reversed ? first : second;
  const std::string word = lower_case(reversed ? second : first);
  if (word == "dynamics") return dynamics(request, number, true);
  return attribute(request, number, word, true);
}

const PartDefinition& Agents::authorised_part(const ServiceRequest& request,
                                              const std::string& number) const {
  const bool is_offered = offered_.contains(number);
  const PartDefinition* part = is_offered ? &book_.definition(number) : nullptr;
  const bool has_own_token = part != nullptr && !part->token.empty();
  authorise(request, has_own_token ? part->token : book_.file().token);
  if (is_offered) return *part;
  throw HttpError(
      404,
      "unknown-part",
      fmt::format("there is no part '{}' here", number.substr(0, kMaxQuotedName)),
      tools::suggestion(number.substr(0, kMaxQuotedName), {offered_.begin(), offered_.end()}));
}

RequestContext Agents::context_for(const ServiceRequest& request, const std::string& number) const {
  RequestContext context;
  context.deadline = std::chrono::steady_clock::now() + answer_time_;
  context.chain = split(request.chain, ',');
  if (!std::all_of(context.chain.begin(), context.chain.end(), is_chain_entry))
    throw HttpError(
        400, "chain", fmt::format("{} names something that is not an agent", kChainHeader));
  const std::string here = self_ + "/" + number;
  if (std::find(context.chain.begin(), context.chain.end(), here) != context.chain.end()) {
    throw ModelError("loop",
                     fmt::format("the dynamics of '{}' depend on themselves, over {} agents",
                                 number,
                                 context.chain.size()));
  }
  if (context.chain.size() >= kMaxChain) {
    throw ModelError("loop", fmt::format("a chain of more than {} agents", kMaxChain));
  }
  context.chain.push_back(here);
  return context;
}

VersionedPart Agents::shared_dynamics(const std::string& number, const RequestContext& context) {
  // a request from another agent must not wait for a request that may itself wait for it (deadlock)
  if (context.chain.size() > 1) return book_.dynamics(number, context);
  std::shared_ptr<PendingRequest> pending;
  bool is_first = false;
  {
    const std::lock_guard lock(mutex_);
    auto& slot = pending_[number];
    if (slot == nullptr) {
      slot = std::make_shared<PendingRequest>();
      is_first = true;
    }
    pending = slot;
  }
  if (!is_first) {
    if (pending->result.wait_until(context.deadline) != std::future_status::ready) {
      throw AgentError(504, "agent-timeout", "the answer was not ready in time", {});
    }
    return pending->result.get();
  }
  const auto finish = [&]() {
    const std::lock_guard lock(mutex_);
    pending_.erase(number);
  };
  try {
    VersionedPart out = book_.dynamics(number, context);
    finish();
    pending->promise.set_value(out);
    return out;
  } catch (...) {
    finish();
    pending->promise.set_exception(std::current_exception());
    throw;
  }
}

ServiceResponse Agents::dynamics(const ServiceRequest& request,
                                 const std::string& number,
                                 bool as_text) {
  authorised_part(request, number);
  const RequestContext context = context_for(request, number);
  const VersionedPart known =
      without_inner_names(number, [&]() { return shared_dynamics(number, context); });
  ServiceResponse out;
  // a version has two forms, and an entity tag identifies one form
  out.etag = as_text ? known.version + "-text" : known.version;
  if (is_known(request, out.etag)) {
    out.status = 304;
    return out;
  }
  if (as_text) {
    out.body = substructure::write_text(*known.part);
    out.type = "text/plain; charset=utf-8";
  } else {
    out.body = *known.document;
  }
  return out;
}

ServiceResponse Agents::attribute(const ServiceRequest& request,
                                  const std::string& number,
                                  const std::string& name,
                                  bool as_text) {
  authorised_part(request, number);
  const RequestContext context = context_for(request, number);
  const Json value =
      without_inner_names(number, [&]() { return book_.attribute(number, name, context); });
  if (value.is_null()) {
    std::string known;
    for (const std::string& query : book_.queries(number)) {
      known += (known.empty() ? "" : ", ") + query;
    }
    throw HttpError(404,
                    "no-such-query",
                    fmt::format("part '{}' has no '{}'", number, name.substr(0, kMaxQuotedName)),
                    "it answers " + known);
  }
  ServiceResponse out;
  if (as_text) {
    out.body = (value.is_text() ? value.text() : value.dump_line()) + "\n";
    out.type = "text/plain; charset=utf-8";
    return out;
  }
  Json document = Json::object();
  document["part"] = number;
  document["query"] = name;
  document["value"] = value;
  out.body = document.dump_line() + "\n";
  return out;
}

ServiceResponse Agents::agent(const ServiceRequest& request, const std::string& number) {
  const PartDefinition& part = authorised_part(request, number);
  Json document = Json::object();
  document["part"] = number;
  document["kind"] = kind_of(part);
  document["queries"] = book_.queries(number);
  ServiceResponse out;
  out.body = document.dump_line() + "\n";
  return out;
}

ServiceResponse Agents::listing(const ServiceRequest& request) {
  authorise(request, book_.file().token);
  Json list = Json::list();
  for (const std::string& number : offered_) {
    const PartDefinition& part = book_.definition(number);
    Json item = Json::object();
    item["part"] = number;
    item["kind"] = kind_of(part);
    item["protected"] = !part.token.empty() || !book_.file().token.empty();
    item["queries"] = book_.queries(number);
    list.push_back(std::move(item));
  }
  Json document = Json::object();
  document["name"] = book_.file().name;
  document["agents"] = std::move(list);
  return {.body = document.dump_line() + "\n"};
}

ServiceResponse Agents::check_text(const ServiceRequest& request) {
  authorise(request, book_.file().token);
  const substructure::DynamicStiffness part = substructure::read_text(request.body, "request");
  return {.body = tools::part_to_json(part) + "\n"};
}

}  // namespace femflex::service

// Implements the verb ask. Without a part it lists the content of an agent (a server of parts) or
// of a registry (a list of agents). With a part it makes an assembly of this remote part alone and
// solves it.
#include "verbs/ask.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "femflex/errors.h"

#include "assembly/assembly_run.h"
#include "assembly/directory.h"
#include "document/frequencies.h"
#include "document/plain_text.h"
#include "document/table.h"
#include "service/http_client.h"
#include "verbs/write_assembly.h"

namespace femflex::verbs {
namespace {

using tools::Json;

constexpr std::size_t kMaxQuotedText = 200;  // [bytes] printed at most of a received text

bool is_url(const std::string& place) {
  return place.find("://") != std::string::npos;
}

std::unique_ptr<tools::RemoteParts> client_of(const AskRequest& request) {
  service::ClientOptions options;
  options.total = std::chrono::milliseconds(std::llround(request.timeout * 1000.0));
  options.connect = std::min(options.connect, options.total);
  options.ca = request.ca;
  std::unique_ptr<tools::RemoteParts> out = service::http_parts(options);
  if (out == nullptr)
    throw UsageError("not-built-in",
                     "this femflex was built without HTTP",
                     {},
                     "install libcpp-httplib-dev and libssl-dev and build again");
  return out;
}

// ---- lists ----

/// Makes the texts of a document from another host safe to print.
void make_plain(Json& value) {
  if (value.is_text()) value = Json(tools::plain_text(value.text(), kMaxQuotedText));
  if (value.is_list())
    for (Json& item : value.items())
      make_plain(item);
  if (!value.is_object()) return;
  for (Json::Member& member : value.members()) {
    member.key = tools::plain_text(member.key, kMaxQuotedText);
    make_plain(member.value);
  }
}

Json listing_of(const AskRequest& request, Diagnostics& diagnostics) {
  if (!is_url(request.place)) return tools::directory_json(tools::load_directory(request.place));
  tools::RemoteSource source;
  source.url = request.place;
  source.address = tools::agent_address_of(Json(request.place));
  if (!request.token_env.empty()) source.token = tools::token_of_environment(request.token_env);
  if (request.is_registry) source.role = "registry";
  if (!source.token.empty() && !source.address.is_secure &&
      !tools::is_loopback_host(source.address.host))
    diagnostics.warn(
        "token-in-the-open",
        fmt::format("the token goes to {} without encryption: whoever sees the traffic "
                    "can use it; ask at https://",
                    source.url));
  Json out = client_of(request)->listing(source, tools::RequestContext{});
  make_plain(out);
  return out;
}

/// The member `key` of `object` as text; items of a list are separated by commas; "-" if it is
/// absent.
std::string shown(const Json& object, const char* key) {
  const Json* value = object.find(key);
  if (value == nullptr) return "-";
  std::string text;
  if (value->is_list()) {
    for (const Json& item : value->items())
      text += (text.empty() ? "" : ", ") + (item.is_text() ? item.text() : item.dump_line());
  } else {
    text = value->is_text() ? value->text() : value->dump_line();
  }
  return text;
}

tools::AssemblyResult listed(const AskRequest& request, Diagnostics& diagnostics) {
  constexpr std::size_t kRows = 200;
  tools::AssemblyResult out;
  out.document = listing_of(request, diagnostics);
  const Json* agents = out.document.find("agents");
  const bool is_agent = agents != nullptr && agents->is_list();
  const Json* list = is_agent ? agents : out.document.find("houses");
  if (list == nullptr || !list->is_list())
    throw ParseError("listing", "the response holds no list of parts", {request.place});
  tools::TextTable table(is_agent ? std::vector<std::string>{"part", "kind", "token", "answers"}
                                  : std::vector<std::string>{"house", "agent", "parts"});
  for (const Json& item : list->items()) {
    if (!item.is_object()) continue;
    if (is_agent) {
      table.add({shown(item, "part"),
                 shown(item, "kind"),
                 shown(item, "protected") == "true" ? "needed" : "-",
                 shown(item, "queries")});
    } else {
      table.add({shown(item, "house"), shown(item, "agent"), shown(item, "parts")});
    }
  }
  out.text = table.text(kRows);
  return out;
}

// ---- a part ----

Json ways_of(const AskRequest& request, bool has_force) {
  if (request.ports.empty())
    throw UsageError("usage",
                     "a response needs ports",
                     {},
                     "add --ports IN,OUT: a force at the first, the displacement of the second");
  Json out = Json::list();
  for (std::size_t k = request.ports.size() == 1 ? 0 : 1; k < request.ports.size(); ++k) {
    Json way = Json::object();
    way["in"] = request.ports.front();
    way["out"] = request.ports[k];
    if (has_force) way["value"] = request.force;
    out.push_back(std::move(way));
  }
  return out;
}

Json solve_of(const AskRequest& request) {
  Json out = Json::object();
  out["part"] = request.part;
  if (!request.fixed.empty()) out["fixed"] = request.fixed;
  if (request.band) {
    Json frf = Json::object();
    frf["hz"] = Json::list_of(tools::frequencies_of(*request.band, request.points));
    frf["ways"] = ways_of(request, false);
    out["frf"] = std::move(frf);
  }
  if (!request.step && !request.impulse) return out;
  if (!request.end)
    throw UsageError(
        "usage", "--step and --impulse need a time", {}, "add --end S, for example --end 0.1");
  constexpr double kSteps = 1000.0;
  Json time = Json::object();
  time["dt"] = request.dt.value_or(*request.end / kSteps);
  time["end"] = *request.end;
  out["time"] = std::move(time);
  if (request.step) out["step"] = ways_of(request, true);
  if (request.impulse) out["impulse"] = ways_of(request, true);
  return out;
}

/// The assembly document for the request; its only part is remote.
Json document_of(const AskRequest& request) {
  Json remote = Json::object();
  Json out = Json::object();
  const bool is_looked_up = request.is_registry || !is_url(request.place);
  if (is_looked_up) {
    out["registry"] = request.place;
  } else {
    remote["agent"] = request.place;
  }
  if (!request.token_env.empty()) remote["token_env"] = request.token_env;
  Json part = Json::object();
  part["remote"] = std::move(remote);
  Json parts = Json::object();
  parts[request.part] = std::move(part);
  out["parts"] = std::move(parts);
  out["solve"] = solve_of(request);
  return out;
}

/// @throws UsageError  an option has no effect in this request
void refuse_ineffective_options(const AskRequest& request) {
  const bool has_time_response = request.step || request.impulse;
  const bool requests_response = has_time_response || request.band || !request.ports.empty() ||
                                 !request.fixed.empty() || !request.output.empty() ||
                                 !request.csv.empty() || !request.frf_csv.empty();
  if (request.part.empty() && requests_response)
    throw UsageError("usage",
                     "no part is named",
                     {},
                     "add --part NUMBER; without other options 'femflex ask' lists the parts");
  if (!has_time_response && (request.end || request.dt))
    throw UsageError(
        "usage", "--end and --dt belong to a response over time", {}, "add --step or --impulse");
}

/// @throws AgentError  see run_assembly(); if an agent does not know the part, the message suggests
/// --registry
tools::AssemblyResult solved(const AskRequest& request,
                             tools::PartBook& book,
                             Diagnostics& diagnostics,
                             Progress& progress) {
  try {
    return tools::run_assembly(book, request.part, std::nullopt, false, diagnostics, progress);
  } catch (const tools::AgentError& error) {
    if (error.code() != "unknown-part" || request.is_registry || !is_url(request.place)) throw;
    throw tools::AgentError(error.status(),
                            error.code(),
                            error.message(),
                            error.where(),
                            error.fix() + "; if this is a registry, add --registry");
  }
}

}  // namespace

tools::AssemblyResult ask(const AskRequest& request, Diagnostics& diagnostics, Progress& progress) {
  refuse_ineffective_options(request);
  if (request.part.empty()) return listed(request, diagnostics);
  tools::PartBook book(tools::read_assembly(document_of(request), {}, diagnostics, progress),
                       client_of(request));
  tools::AssemblyResult out = solved(request, book, diagnostics, progress);
  write_assembly(out, {request.output, request.csv, request.frf_csv});
  return out;
}

}  // namespace femflex::verbs

// Maps paths under /live/ to calls of LiveDesk. Errors caused by the page's user are sent with
// status 400 and their message.
#include "live_routes.h"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "document/json_text.h"
#include "live/live_page.h"

namespace femflex::service {

using tools::Json;

namespace {

constexpr std::string_view kRoot = "/live/";
// longest wait for a picture; repeated requests show that the page is still open
constexpr std::chrono::milliseconds kMaxWait{1000};

std::int64_t number_after(const std::string& query) {
  constexpr std::string_view kAfter = "after=";
  std::int64_t out = 0;
  if (query.starts_with(kAfter))
    std::from_chars(query.data() + kAfter.size(), query.data() + query.size(), out);
  return out;
}

Json body_of(const ServiceRequest& request) {
  Json out = tools::parse_json(request.body, "the request");
  if (!out.is_object()) throw UsageError("command", "the request is not a JSON object");
  return out;
}

}  // namespace

bool LiveRoutes::handles(const std::string& path) const {
  return desk_ != nullptr && (path == "/live" || path.starts_with(kRoot));
}

bool LiveRoutes::is_frequent(const std::string& path) {
  return path.starts_with(kRoot) && (path.ends_with("/picture") || path.ends_with("/command"));
}

ServiceResponse LiveRoutes::respond(const ServiceRequest& request) const {
  return response_of([&]() {
    try {
      return handle(request);
    } catch (const UsageError& error) {  // a mistake of the user, who reads the message
      throw HttpError(
          error.code() == "no-session" ? 404 : 400, error.code(), error.message(), error.fix());
    }
  });
}

ServiceResponse LiveRoutes::handle(const ServiceRequest& request) const {
  if (request.path == "/live" || request.path == kRoot) {
    require_method(request.is_get(), request, "GET");
    return {.type = "text/html; charset=utf-8", .body = live::live_page()};
  }
  const std::string route = request.path.substr(kRoot.size());
  Json out = Json::object();
  if (route == "models") {
    require_method(request.is_get(), request, "GET");
    out["models"] = desk_->models();
    return {.body = out.dump_line()};
  }
  if (route == "sessions") {
    require_method(request.method == "POST", request, "POST");
    const Json body = body_of(request);
    const Json* model = body.find("model");
    if (model == nullptr) throw UsageError("command", "the request names no model");
    out["session"] = desk_->start(model->text());
    return {.body = out.dump_line()};
  }
  const std::size_t slash = route.find('/');
  const std::string session = route.substr(0, slash);
  const std::string action = slash == std::string::npos ? "" : route.substr(slash + 1);
  if (action == "drawing") {
    require_method(request.is_get(), request, "GET");
    return {.type = "application/octet-stream", .body = desk_->drawing(session)};
  }
  if (action == "picture") {
    require_method(request.is_get(), request, "GET");
    live::LiveDesk::Picture picture =
        desk_->picture(session, number_after(request.raw_query), kMaxWait);
    if (picture.bytes.empty()) return {.status = 204, .type = "", .body = ""};
    return {
        .type = "application/octet-stream",
        .body = std::move(picture.bytes),
        .headers = {{"X-Picture", std::to_string(picture.number)}, {"Cache-Control", "no-store"}}};
  }
  if (action == "command") {
    require_method(request.method == "POST", request, "POST");
    return {.body = desk_->command(session, body_of(request)).dump_line()};
  }
  if (action == "close") {
    require_method(request.method == "POST", request, "POST");
    desk_->close(session);
    return {.body = "{}"};
  }
  throw HttpError(404, "no-such-path", "the live page has no such path");
}

}  // namespace femflex::service

// Maps paths under /live/ to calls of LiveDesk; errors of the page's user are sent as 400 with
// their message.
#include "live_door.h"

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
// a request that waits no longer than this for a picture shows that its page is still open
constexpr std::chrono::milliseconds kLongestWait{1000};

std::int64_t number_after(const std::string& query) {
  constexpr std::string_view kAfter = "after=";
  std::int64_t out = 0;
  if (query.starts_with(kAfter))
    std::from_chars(query.data() + kAfter.size(), query.data() + query.size(), out);
  return out;
}

Json body_of(const Question& question) {
  Json out = tools::parse_json(question.body, "the request");
  if (!out.is_object()) throw UsageError("command", "the request is no JSON object");
  return out;
}

}  // namespace

bool LiveDoor::owns(const std::string& path) const {
  return desk_ != nullptr && (path == "/live" || path.starts_with(kRoot));
}

bool LiveDoor::is_frequent(const std::string& path) {
  return path.starts_with(kRoot) && (path.ends_with("/picture") || path.ends_with("/command"));
}

Answer LiveDoor::answer(const Question& question) const {
  return answered_by([&]() {
    try {
      return answered(question);
    } catch (const UsageError& error) {  // of the page, whose user reads the message
      throw Refusal(
          error.code() == "no-session" ? 404 : 400, error.code(), error.message(), error.fix());
    }
  });
}

Answer LiveDoor::answered(const Question& question) const {
  if (question.path == "/live" || question.path == kRoot) {
    only(question.is_get(), question, "GET");
    return {.type = "text/html; charset=utf-8", .body = live::live_page()};
  }
  const std::string rest = question.path.substr(kRoot.size());
  Json out = Json::object();
  if (rest == "models") {
    only(question.is_get(), question, "GET");
    out["models"] = desk_->models();
    return {.body = out.dump_line()};
  }
  if (rest == "sessions") {
    only(question.method == "POST", question, "POST");
    const Json body = body_of(question);
    const Json* model = body.find("model");
    if (model == nullptr) throw UsageError("command", "the request names no model");
    out["session"] = desk_->start(model->text());
    return {.body = out.dump_line()};
  }
  const std::size_t slash = rest.find('/');
  const std::string session = rest.substr(0, slash);
  const std::string what = slash == std::string::npos ? "" : rest.substr(slash + 1);
  if (what == "drawing") {
    only(question.is_get(), question, "GET");
    return {.type = "application/octet-stream", .body = desk_->drawing(session)};
  }
  if (what == "picture") {
    only(question.is_get(), question, "GET");
    live::LiveDesk::Picture picture =
        desk_->picture(session, number_after(question.raw_query), kLongestWait);
    if (picture.bytes.empty()) return {.status = 204, .type = "", .body = ""};
    return {
        .type = "application/octet-stream",
        .body = std::move(picture.bytes),
        .headers = {{"X-Picture", std::to_string(picture.number)}, {"Cache-Control", "no-store"}}};
  }
  if (what == "command") {
    only(question.method == "POST", question, "POST");
    return {.body = desk_->command(session, body_of(question)).dump_line()};
  }
  if (what == "close") {
    only(question.method == "POST", question, "POST");
    desk_->close(session);
    return {.body = "{}"};
  }
  throw Refusal(404, "no-such-path", "the live page has no such path");
}

}  // namespace femflex::service

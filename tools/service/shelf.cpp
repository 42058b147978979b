// Serves only files that were named at the start; pages are made at the first request and kept
// until the file changes.
#include "shelf.h"

#include <fmt/format.h>

#include "femflex/text.h"

#include "body/inputs.h"
#include "document/json.h"
#include "gzip.h"
#include "viewer/view_files.h"

namespace femflex::service {

namespace fs = std::filesystem;
using tools::FileKind;
using tools::Json;

namespace {

constexpr std::string_view kFiles = "/files/";
constexpr std::string_view kView = "/view/";

/// A text that changes whenever the file does.
std::string version_of(const fs::path& path) {
  return fmt::format(
      "{:x}-{:x}", fs::file_size(path), fs::last_write_time(path).time_since_epoch().count());
}

/// A name quoted as part of a URL.
std::string quoted(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><meta charset="utf-8"><title>femflex</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1.2rem;color:#1d252d}
td,th{padding:.2rem .9rem .2rem 0;text-align:left}td.n{text-align:right}</style>
<h1>femflex</h1>
)";

}  // namespace

Shelf::Shelf(const std::vector<fs::path>& files, std::optional<Units> units)
    : units_(std::move(units)) {
  for (const fs::path& path : files) {
    const FileKind kind = tools::kind_of(path);
    const std::string name = path.filename().string();
    Item item{path,
              std::string(tools::name_of(kind)),
              kind == FileKind::body || kind == FileKind::result,
              {}};
    const auto [place, is_new] = items_.emplace(name, std::move(item));
    if (!is_new)
      throw UsageError(
          "two-of-a-name",
          fmt::format("'{}' is the name of {} already", name, place->second.path.string()),
          {path.string()},
          "rename one of them");
  }
}

bool Shelf::owns(const std::string& path) const {
  if (items_.empty()) return false;
  return path == "/" || path == "/v1/files" || path.starts_with(kFiles) || path.starts_with(kView);
}

Answer Shelf::answer(const Question& question) {
  return answered_by([&]() { return answered(question); });
}

Answer Shelf::answered(const Question& question) {
  only(question.is_get(), question, "GET");
  const std::string& path = question.path;
  if (path == "/") return index();
  if (path == "/v1/files") return list();
  if (path.starts_with(kView)) return view(question, path.substr(kView.size()));
  Answer out;
  out.type = "application/octet-stream";
  out.file = item(path.substr(kFiles.size())).path;
  std::error_code fault;
  if (!fs::is_regular_file(out.file, fault))
    throw Refusal(410, "gone", fmt::format("{} is gone", out.file.filename().string()));
  return out;
}

Answer Shelf::index() const {
  std::string text(kHead);
  text += "<table>\n";
  for (const auto& [name, item] : items_) {
    const std::string link = quoted(name);
    text += fmt::format("<tr><td><a href=\"/files/{}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
                        link,
                        xml_escaped(name),
                        item.kind,
                        item.is_shown ? fmt::format("<a href=\"/view/{}\">view</a>", link) : "");
  }
  text += "</table>\n<p><a href=\"/v1/agents\">agents</a></p>\n</html>\n";
  return {.type = "text/html; charset=utf-8", .body = std::move(text)};
}

Answer Shelf::list() const {
  Json files = Json::list();
  for (const auto& [name, item] : items_) {
    Json entry = Json::object();
    entry["name"] = name;
    entry["kind"] = item.kind;
    std::error_code fault;
    const auto size = fs::file_size(item.path, fault);
    entry["bytes"] = fault ? Json() : Json(static_cast<std::int64_t>(size));
    entry["file"] = "/files/" + quoted(name);
    entry["view"] = item.is_shown ? Json("/view/" + quoted(name)) : Json();
    files.push_back(std::move(entry));
  }
  Json document = Json::object();
  document["files"] = std::move(files);
  return {.body = document.dump_line() + "\n"};
}

Answer Shelf::view(const Question& question, const std::string& name) {
  Item& shown = item(name);
  if (!shown.is_shown)
    throw Refusal(404,
                  "no-view",
                  fmt::format("'{}' is {}: only bodies and results have a view", name, shown.kind));
  const std::lock_guard lock(*mutex_);
  Answer out;
  out.type = "text/html; charset=utf-8";
  out.is_gzip = question.takes_gzip;
  const std::string version = version_of(shown.path);
  // one version has two forms, and an entity tag identifies a form
  out.etag = out.is_gzip ? version + "-gzip" : version;
  if (is_known(question, out.etag)) {
    out.status = 304;
    return out;
  }
  if (shown.page.version != version) {
    Diagnostics diagnostics;
    shown.page = {version, viewer::page_of_files({shown.path}, units_, diagnostics, no_progress())};
  }
  if (out.is_gzip && shown.page.packed.empty()) shown.page.packed = gzipped(shown.page.text);
  out.body = out.is_gzip ? shown.page.packed : shown.page.text;
  return out;
}

Shelf::Item& Shelf::item(const std::string& name) {
  const auto place = items_.find(name);
  if (place == items_.end())
    throw Refusal(404,
                  "no-such-file",
                  fmt::format("no file '{}' is served here", name.substr(0, 200)),
                  "/v1/files lists them");
  return place->second;
}

}  // namespace femflex::service

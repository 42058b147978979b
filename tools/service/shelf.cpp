// Serves only files that were given at the start. Pages are made at the first request and kept
// until the file changes.
#include "shelf.h"

#include <fmt/format.h>

#include "femflex/text.h"

#include "body/inputs.h"
#include "document/json.h"
#include "gzip.h"
#include "percent_encoding.h"
#include "viewer/view_files.h"

namespace femflex::service {

namespace fs = std::filesystem;
using tools::FileKind;
using tools::Json;

namespace {

constexpr std::string_view kFiles = "/files/";
constexpr std::string_view kView = "/view/";

/// A text that changes with the file.
std::string version_of(const fs::path& path) {
  return fmt::format(
      "{:x}-{:x}", fs::file_size(path), fs::last_write_time(path).time_since_epoch().count());
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
    const auto [found, is_new] = items_.emplace(name, std::move(item));
    if (!is_new)
      throw UsageError(
          "two-of-a-name",
          fmt::format("a file named '{}' is served already: {}", name, found->second.path.string()),
          {path.string()},
          "rename one of them");
  }
}

bool Shelf::handles(const std::string& path) const {
  if (items_.empty()) return false;
  return path == "/" || path == "/v1/files" || path.starts_with(kFiles) || path.starts_with(kView);
}

ServiceResponse Shelf::respond(const ServiceRequest& request) {
  return response_of([&]() { return handle(request); });
}

ServiceResponse Shelf::handle(const ServiceRequest& request) {
  require_method(request.is_get(), request, "GET");
  const std::string& path = request.path;
  if (path == "/") return index();
  if (path == "/v1/files") return list();
  if (path.starts_with(kView)) return view(request, path.substr(kView.size()));
  ServiceResponse out;
  out.type = "application/octet-stream";
  out.file = item(path.substr(kFiles.size())).path;
  std::error_code error;
  if (!fs::is_regular_file(out.file, error))
    throw HttpError(
        410, "gone", fmt::format("{} does not exist any more", out.file.filename().string()));
  return out;
}

ServiceResponse Shelf::index() const {
  std::string text(kHead);
  text += "<table>\n";
  for (const auto& [name, item] : items_) {
    const std::string link = percent_encoded(name);
    text += fmt::format("<tr><td><a href=\"/files/{}\">{}</a></td><td>{}</td><td>{}</td></tr>\n",
                        link,
                        xml_escaped(name),
                        item.kind,
                        item.has_page ? fmt::format("<a href=\"/view/{}\">view</a>", link) : "");
  }
  text += "</table>\n<p><a href=\"/v1/agents\">agents</a></p>\n</html>\n";
  return {.type = "text/html; charset=utf-8", .body = std::move(text)};
}

ServiceResponse Shelf::list() const {
  Json files = Json::list();
  for (const auto& [name, item] : items_) {
    Json entry = Json::object();
    entry["name"] = name;
    entry["kind"] = item.kind;
    std::error_code error;
    const auto size = fs::file_size(item.path, error);
    entry["bytes"] = error ? Json() : Json(static_cast<std::int64_t>(size));
    entry["file"] = "/files/" + percent_encoded(name);
    entry["view"] = item.has_page ? Json("/view/" + percent_encoded(name)) : Json();
    files.push_back(std::move(entry));
  }
  Json document = Json::object();
  document["files"] = std::move(files);
  return {.body = document.dump_line() + "\n"};
}

ServiceResponse Shelf::view(const ServiceRequest& request, const std::string& name) {
  Item& entry = item(name);
  if (!entry.has_page)
    throw HttpError(
        404,
        "no-view",
        fmt::format("'{}' is {}: only bodies and results have a view", name, entry.kind));
  const std::lock_guard lock(*mutex_);
  ServiceResponse out;
  out.type = "text/html; charset=utf-8";
  out.is_gzip = request.is_gzip_accepted;
  const std::string version = version_of(entry.path);
  // a version has two forms, and an entity tag identifies one form
  out.etag = out.is_gzip ? version + "-gzip" : version;
  if (is_known(request, out.etag)) {
    out.status = 304;
    return out;
  }
  if (entry.page.version != version) {
    Diagnostics diagnostics;
    entry.page = {version, viewer::page_of_files({entry.path}, units_, diagnostics, no_progress())};
  }
  if (out.is_gzip && entry.page.gzip_text.empty()) entry.page.gzip_text = gzipped(entry.page.text);
  out.body = out.is_gzip ? entry.page.gzip_text : entry.page.text;
  return out;
}

Shelf::Item& Shelf::item(const std::string& name) {
  const auto found = items_.find(name);
  if (found == items_.end())
    throw HttpError(404,
                    "no-such-file",
                    fmt::format("no file '{}' is served here", name.substr(0, 200)),
                    "/v1/files lists them");
  return found->second;
}

}  // namespace femflex::service

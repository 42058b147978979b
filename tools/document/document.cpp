// Order of steps: expand pairs, merge included files, merge the variant, apply changes of --set to
// "parts", expand the parts, apply the other changes of --set. Merging is member by member; a null
// erases a member.
#include "document/document.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/json_text.h"
#include "document/nearest_name.h"
#include "document/pairs.h"
#include "document/parts.h"
#include "document/typed_value.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxIncludeDepth = 20;  // deeper nesting occurs only if a file includes itself

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  if (object.is_object()) {
    for (const Json::Member& member : object.members())
      keys.push_back(member.key);
  }
  return keys;
}

// The document with its pairs expanded, merged over the files of its "include". Paths in an
// included file are relative to its folder.
Json with_includes(Json document, const fs::path& folder, int depth) {
  expand_pairs(document);
  const Json* include = document.find("include");
  if (include == nullptr) return document;
  if (depth >= kMaxIncludeDepth)
    include->fail(
        "include", fmt::format("included {} files deep", depth), "does a file include itself?");
  std::vector<Json> names;
  if (include->is_list())
    names = include->items();
  else
    names.push_back(*include);
  Json base = Json::object();
  for (const Json& name : names) {
    const fs::path file = folder / name.text();
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      name.fail("no-such-file",
                fmt::format("include '{}': no such file", name.text()),
                "the path is relative to the including file");
    merge_into(base, with_includes(read_json_file(file), file.parent_path(), depth + 1));
  }
  document.erase("include");
  merge_into(base, document);
  base.set_where(document.where());
  return base;
}

/// How to set a member of which a parent, `key`, is missing. A parent that the format knows is set
/// as a whole: {"enable": ...}.
std::string remedy_for_member(const Json& parent,
                              const std::string& path,
                              std::size_t key_start,
                              const std::string& key) {
  std::string remedy = suggestion(key, keys_of(parent));
  if (!remedy.starts_with("known")) return remedy;
  const std::size_t key_end = key_start + key.size();
  std::string value = "...";
  for (std::size_t end = path.size(); end > key_end;) {
    const std::size_t dot = path.rfind('.', end - 1);
    value = fmt::format("{{\"{}\": {}}}", path.substr(dot + 1, end - dot - 1), value);
    end = dot;
  }
  return fmt::format("{}; if it is to be new, set it whole: --set '{}={}'",
                     remedy,
                     path.substr(0, key_end),
                     value);
}

}  // namespace

void merge_into(Json& base, const Json& over) {
  for (const Json::Member& member : over.members()) {
    Json* known = base.find(member.key);
    if (member.value.is_null())
      base.erase(member.key);
    else if (known != nullptr && known->is_object() && member.value.is_object())
      merge_into(*known, member.value);
    else if (known != nullptr)
      *known = member.value;
    else
      base.members().push_back(member);
  }
}

DocumentChange parse_change(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(
        "set",
        fmt::format("--set {}: {}", text, equals == 0 ? "no path before the '='" : "no '='"),
        {},
        "write --set path=value");
  return {text.substr(0, equals), typed_value(text.substr(equals + 1))};
}

std::string text_of(const DocumentChange& change) {
  return change.path + "=" + change.value.dump_line();
}

void apply_change(Json& document, DocumentChange change) {
  const std::string& path = change.path;
  const char separator = path.find('/') != std::string::npos ? '/' : '.';
  Json value = std::move(change.value);
  Where where;
  where.record = "--set " + path;
  value.set_where(where);
  Json* at = &document;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = path.find(separator, start);
    const std::string key = path.substr(start, end - start);
    const bool is_last = end == std::string::npos;
    if (at->is_list()) {
      std::size_t index = 0;
      const char* key_end = key.data() + key.size();
      const auto [number_end, error] = std::from_chars(key.data(), key_end, index);
      if (error != std::errc() || number_end != key_end || index >= at->items().size())
        throw UsageError(
            "set",
            fmt::format(
                "--set {}: '{}' is not an index of a list of {}", path, key, at->items().size()),
            {},
            "indices count from 0");
      at = &at->items()[index];
      if (is_last) *at = std::move(value);
    } else if (is_last && at->is_object()) {
      // a parameter that is not used would have no effect; readers report other unknown keys
      if (at == document.find("parameters") && at->find(key) == nullptr)
        throw UsageError("set",
                         fmt::format("--set {}: there is no parameter '{}'", path, key),
                         {},
                         suggestion(key, keys_of(*at)));
      (*at)[key] = std::move(value);
    } else {
      Json* next = at->is_object() ? at->find(key) : nullptr;
      if (next == nullptr)
        throw UsageError("set",
                         fmt::format("--set {}: there is no member '{}'", path, key),
                         {},
                         remedy_for_member(*at, path, start, key));
      at = next;
    }
    if (is_last) return;
    start = end + 1;
  }
}

std::string name_of(const DocumentInput& input) {
  if (const auto* path = std::get_if<fs::path>(&input)) return path->string();
  const Json* name = std::get<const DocumentValue*>(input)->json.find("name");
  return name != nullptr && name->is_text() ? name->text() : "document";
}

ModelError with_file(const ModelError& error, const DocumentInput& input) {
  if (!error.where().text().empty()) return error;
  return {error.code(), error.message(), {name_of(input)}, error.fix()};
}

Json load_document(const DocumentInput& input, const DocumentOptions& options) {
  const auto* path = std::get_if<fs::path>(&input);
  Json document = path != nullptr ? with_includes(read_json_file(*path), path->parent_path(), 0)
                                  : with_includes(std::get<const DocumentValue*>(input)->json,
                                                  std::get<const DocumentValue*>(input)->folder,
                                                  0);
  if (!document.is_object())
    document.fail("wrong-kind",
                  fmt::format("{} where an object was expected", name_of(document.kind())));
  if (!options.variant.empty()) {
    const Json* variants = document.find("variants");
    const Json* variant = variants == nullptr ? nullptr : variants->find(options.variant);
    if (variant == nullptr)
      throw UsageError("no-such-variant",
                       fmt::format("there is no variant '{}'", options.variant),
                       {name_of(input)},
                       variants == nullptr ? "the file has no \"variants\""
                                           : suggestion(options.variant, keys_of(*variants)));
    const Json patch = *variant;
    merge_into(document, patch);
  }
  const auto is_of_parts = [](const DocumentChange& change) {
    return change.path.starts_with("parts.") || change.path.starts_with("parts/");
  };
  for (const DocumentChange& change : options.sets)
    if (is_of_parts(change)) apply_change(document, change);
  expand_parts(document);
  for (const DocumentChange& change : options.sets)
    if (!is_of_parts(change)) apply_change(document, change);
  if (!options.units.empty() && document.find("units") == nullptr)
    document["units"] = options.units;
  return document;
}

}  // namespace femflex::tools

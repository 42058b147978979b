// Order of steps: expand pairs, merge included files, merge the variant, apply changes of --set to
// "parts", expand the parts, apply the other changes of --set. Merging is member by member; a null
// erases a member.
#include "document/document.h"

#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "document/document_path.h"
#include "document/json_text.h"
#include "document/nearest_name.h"
#include "document/pairs.h"
#include "document/parts.h"
#include "document/typed_value.h"

namespace femflex::tools {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxIncludeDepth = 20;  // deeper nesting occurs only if a file includes itself

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

/// How to set a member of which a parent, step `missing` of the path, does not exist. A parent that
/// the format knows is set as a whole: {"enable": ...}.
std::string remedy_for_member(const Json& at, const DocumentPath& path, std::size_t missing) {
  const std::vector<std::string>& steps = path.steps();
  std::string remedy = suggestion(steps[missing], steps_from(at));
  if (!remedy.starts_with("known")) return remedy;
  std::string value = "...";
  for (std::size_t k = steps.size() - 1; k > missing; --k)
    value = fmt::format("{{\"{}\": {}}}", steps[k], value);
  return fmt::format("{}; if it is to be new, set it whole: --set '{}={}'",
                     remedy,
                     path.start(missing + 1),
                     value);
}

/// The value at step `k` of the path; the last one may be new.
/// @param at  the value that the steps before lead to
/// @throws UsageError  no such value
Json& value_at_step(Json& document, Json& at, const DocumentPath& path, std::size_t k) {
  const std::vector<std::string>& steps = path.steps();
  const std::string& step = steps[k];
  if (Json* known = member_at(at, step); known != nullptr) return *known;
  const std::string option = "--set " + path.start(steps.size());
  if (at.is_list())
    throw UsageError(
        "set",
        fmt::format("{}: '{}' is not an index of a list of {}", option, step, at.items().size()),
        {},
        "indices count from 0");
  if (k + 1 < steps.size() || !at.is_object())
    throw UsageError("set",
                     fmt::format("{}: there is no member '{}'", option, step),
                     {},
                     remedy_for_member(at, path, k));
  // a parameter that is not used would have no effect; readers report other unknown keys
  if (&at == document.find("parameters"))
    throw UsageError("set",
                     fmt::format("{}: there is no parameter '{}'", option, step),
                     {},
                     suggestion(step, steps_from(at)));
  return at[step];
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
  return {text.substr(0, equals), typed_value(text.substr(equals + 1), "--set")};
}

std::string text_of(const DocumentChange& change) {
  return change.path + "=" + change.value.dump_line();
}

void apply_change(Json& document, DocumentChange change) {
  const DocumentPath path(change.path);
  Json* at = &document;
  for (std::size_t k = 0; k < path.steps().size(); ++k)
    at = &value_at_step(document, *at, path, k);
  Where where;
  where.record = "--set " + change.path;
  *at = std::move(change.value);
  at->set_where(where);
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
                                           : suggestion(options.variant, steps_from(*variants)));
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

// Compares document and schema, and reports the first value that does not match, with the schema's
// description as remedy.
#include "document/schema.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "document/json_text.h"
#include "system_schema.h"

namespace femflex::tools {
namespace {

/// True if a value has a type of JSON Schema. "integer" is checked as a number; the reader of the
/// member checks that it is an integer.
bool is_of_type(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "string") return value.is_text();
  if (type == "array") return value.is_list();
  if (type == "object") return value.is_object();
  return value.is_number();
}

std::vector<std::string> texts_of(const Json& value) {
  if (value.is_text()) return {value.text()};
  std::vector<std::string> out;
  for (const Json& item : value.items())
    out.push_back(item.text());
  return out;
}

/// The types as text: "a number", "a number or a formula".
std::string readable(const std::vector<std::string>& types) {
  static const std::map<std::string, std::string> names = {{"null", "null"},
                                                           {"boolean", "true or false"},
                                                           {"string", "a text"},
                                                           {"array", "a list"},
                                                           {"object", "an object"},
                                                           {"number", "a number"},
                                                           {"integer", "a number"}};
  if (types == std::vector<std::string>{"number", "string"}) return "a number or \"=formula\"";
  std::string out;
  for (const std::string& type : types)
    out += (out.empty() ? "" : " or ") + names.at(type);
  return out;
}

/// The schema's description of a member, used as remedy in errors.
std::string description_of(const Json& schema) {
  const Json* text = schema.find("description");
  return text == nullptr ? std::string() : text->text();
}

void check_kind(const Json& schema, const Json& value) {
  if (const Json* type = schema.find("type"); type != nullptr) {
    const std::vector<std::string> types = texts_of(*type);
    if (std::none_of(types.begin(), types.end(), [&](const std::string& each) {
          return is_of_type(value, each);
        }))
      value.fail("wrong-kind",
                 fmt::format("{} where {} was expected", name_of(value.kind()), readable(types)),
                 description_of(schema));
  }
  const Json* choices = schema.find("enum");
  if (choices == nullptr) return;
  const std::vector<Json>& known = choices->items();
  const std::string text = value.dump_line();
  if (std::any_of(known.begin(), known.end(), [&](const Json& c) { return c.dump_line() == text; }))
    return;
  if (std::all_of(known.begin(), known.end(), [](const Json& c) { return c.is_text(); }))
    static_cast<void>(choice(value, texts_of(*choices)));  // throws and names the most similar
                                                           // choice
  value.fail("unknown-choice", fmt::format("{} is not known here", text));
}

void check_items(const Json& schema, const Json& value, const std::string& what) {
  const std::size_t count = value.items().size();
  const auto limit = [&](const char* key, double fallback) {
    const Json* found = schema.find(key);
    return found == nullptr ? fallback : found->number();
  };
  const double min_count = limit("minItems", 0.0);
  const double max_count = limit("maxItems", 1e300);
  if (static_cast<double>(count) < min_count || static_cast<double>(count) > max_count)
    value.fail("wrong-size",
               min_count == max_count
                   ? fmt::format("a list of {} where {} were expected", count, min_count)
                   : fmt::format("a list of {}, too {}",
                                 count,
                                 static_cast<double>(count) < min_count ? "short" : "long"),
               description_of(schema));
  const Json* items = schema.find("items");
  if (items == nullptr) return;
  for (const Json& item : value.items())
    check_against(*items, item, what);
}

/// Name of a member for messages: "body 'chassis'" in "bodies"; "body 'chassis': rigid" for its
/// members.
std::string name_of_member(const std::string& what, const std::string& key) {
  static const std::map<std::string, std::string> sections = {{"bodies", "body"},
                                                              {"joints", "joint"},
                                                              {"motions", "motion"},
                                                              {"forces", "force"},
                                                              {"blocks", "block"},
                                                              {"analyses", "analysis"}};
  if (what == "system") return key;
  const auto section = sections.find(what);
  return section == sections.end() ? fmt::format("{}: {}", what, key)
                                   : fmt::format("{} '{}'", section->second, key);
}

}  // namespace

void check_against(const Json& schema, const Json& value, const std::string& what) {
  check_kind(schema, value);
  if (value.is_list()) check_items(schema, value, what);
  if (!value.is_object()) return;
  if (const Json* required = schema.find("required"); required != nullptr) {
    ObjectReader reader(value, what);
    for (const std::string& key : texts_of(*required))
      static_cast<void>(reader.need(key));  // throws if it is missing
  }
  const Json* properties = schema.find("properties");
  const Json* additional = schema.find("additionalProperties");
  for (const Json::Member& member : value.members()) {
    const Json* known = properties == nullptr ? nullptr : properties->find(member.key);
    if (known == nullptr && additional != nullptr && additional->is_object()) known = additional;
    if (known != nullptr) check_against(*known, member.value, name_of_member(what, member.key));
  }
}

const Json& system_schema() {
  static const Json schema = parse_json(kSystemSchema, "system.schema.json");
  return schema;
}

}  // namespace femflex::tools

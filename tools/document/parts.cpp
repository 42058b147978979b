// Copies the template of each part, inserts names and parameters, and merges the document over the
// copies.
#include "document/parts.h"

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "document/document.h"
#include "document/nearest_name.h"
#include "document/parameter_names.h"

namespace femflex::tools {
namespace {

constexpr int kMaxPartDepth = 20;  // deeper nesting occurs only if a template contains itself

std::vector<std::string> names_of_members(const Json& object) {
  std::vector<std::string> names;
  for (const Json::Member& member : object.members())
    names.push_back(member.key);
  return names;
}

/// A part that is being expanded.
class Part {
 public:
  /// @param parameters  parameters of the template, with the values for this part
  Part(std::string name, Json parameters)
      : name_(std::move(name)), parameters_(std::move(parameters)) {}

  /// Inserts names and parameters in all keys and texts of `value`.
  void fill(Json& value) const {
    if (value.is_text()) {
      value = filled(value);
    } else if (value.is_list()) {
      for (Json& item : value.items())
        fill(item);
    } else if (value.is_object()) {
      for (Json::Member& member : value.members()) {
        member.key = text(member.key, member.value);
        fill(member.value);
      }
    }
  }

  /// The parameters that become parameters of the document: numbers and formulas.
  Json document_parameters() const {
    Json out = Json::object();
    for (const Json::Member& member : parameters_.members()) {
      if (!is_numeric(member.value)) continue;
      Json value = member.value;
      fill(value);  // a formula may use earlier parameters of the part
      out[own(member.key)] = std::move(value);
    }
    return out;
  }

 private:
  static bool is_numeric(const Json& value) {
    return value.is_number() || (value.is_text() && value.text().starts_with('='));
  }

  std::string own(const std::string& word) const { return name_ + "_" + word; }

  /// The text with names and parameters inserted; a text that is only a parameter becomes its
  /// value.
  Json filled(const Json& value) const {
    const std::string& from = value.text();
    const Json* alone =
        from.size() > 1 && from.front() == '$' ? parameters_.find(from.substr(1)) : nullptr;
    Json out;
    if (alone == nullptr)
      out = Json(text(from, value));
    else if (is_numeric(*alone))
      out = Json("=" + own(from.substr(1)));
    else
      out = *alone;
    out.set_where(value.where());
    return out;
  }

  /// @param where  value that contains the text, for messages
  std::string text(const std::string& from, const Json& where) const {
    std::string out;
    for (std::size_t at = 0; at < from.size(); ++at) {
      if (from[at] != '$') {
        out += from[at];
        continue;
      }
      std::size_t end = at + 1;
      while (end < from.size() && is_name_character(from[end]))
        ++end;
      out += word(from.substr(at + 1, end - at - 1), where);
      at = end - 1;
    }
    return out;
  }

  std::string word(const std::string& name, const Json& where) const {
    if (name.empty()) return name_;
    const Json* value = parameters_.find(name);
    if (value == nullptr || is_numeric(*value)) return own(name);
    if (!value->is_text())
      where.fail(
          "part-text",
          fmt::format("part '{}': the parameter '{}' is {}, which cannot stand within a text",
                      name_,
                      name,
                      name_of(value->kind())),
          fmt::format("write \"${}\" alone", name));
    return value->text();
  }

  std::string name_;
  Json parameters_;
};

/// The parameters of a template, with the values given by a part.
Json parameters_of(const Json::Member& part, const Json& from, const std::string& name) {
  const Json* defaults = from.find("parameters");
  Json out = defaults == nullptr ? Json::object() : *defaults;
  for (const Json::Member& given : part.value.members()) {
    if (given.key == "template") continue;
    if (out.find(given.key) == nullptr)
      given.value.fail(
          "no-such-parameter",
          fmt::format("part '{}': template '{}' has no parameter '{}'", part.key, name, given.key),
          suggestion(given.key, names_of_members(out)));
    out[given.key] = given.value;
  }
  for (const Json::Member& each : out.members())
    if (each.value.is_null())
      part.value.fail("missing-key",
                      fmt::format("part '{}': the parameter '{}' of template '{}' has no value",
                                  part.key,
                                  each.key,
                                  name),
                      fmt::format("add \"{}\"", each.key));
  return out;
}

/// All members that a part adds to the document.
Json written_out(const Json::Member& part, const Json& templates) {
  const Json* name = part.value.is_object() ? part.value.find("template") : nullptr;
  if (name == nullptr)
    part.value.fail(
        "missing-key", fmt::format("part '{}' has no template", part.key), "add \"template\"");
  const Json* from = templates.find(name->text());
  if (from == nullptr)
    name->fail("no-such-template",
               fmt::format("there is no template '{}'", name->text()),
               suggestion(name->text(), names_of_members(templates)));
  const Part filling(part.key, parameters_of(part, *from, name->text()));
  Json out = *from;
  out.erase("parameters");
  filling.fill(out);
  Json with_parameters = Json::object();
  with_parameters["parameters"] = filling.document_parameters();
  merge_into(with_parameters, out);
  return with_parameters;
}

/// Adds members to a document unless they exist; lists are joined. A null in the document removes a
/// member of the part.
void add_members(const Json& more, Json& document) {
  for (const Json::Member& member : more.members()) {
    Json* known = document.find(member.key);
    if (known == nullptr) {
      document.members().push_back(member);
    } else if (known->is_list() && member.value.is_list()) {
      for (const Json& item : member.value.items())
        known->items().push_back(item);
    } else if (known->is_object() && member.value.is_object()) {
      Json merged = member.value;  // members of the document take precedence
      merge_into(merged, *known);
      for (const Json::Member& each : merged.members())
        if (known->find(each.key) == nullptr || each.value.is_object())
          (*known)[each.key] = each.value;
      for (const Json::Member& each : member.value.members())
        if (const Json* own = known->find(each.key); own != nullptr && own->is_null())
          known->erase(each.key);
    }
  }
}

}  // namespace

void expand_parts(Json& document) {
  const Json* found = document.find("templates");
  if (found == nullptr) return;
  const Json templates = *found;
  document.erase("templates");
  for (int depth = 0; const Json* parts = document.find("parts"); ++depth) {
    if (depth > kMaxPartDepth)
      parts->fail("parts",
                  fmt::format("parts within parts {} deep", depth),
                  "does a template hold itself?");
    const Json now = *parts;
    document.erase("parts");
    for (const Json::Member& part : now.members())
      add_members(written_out(part, templates), document);
  }
}

}  // namespace femflex::tools

// Checks JSON values against those parts of JSON Schema that the shipped schemas use.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "document/json.h"

namespace femflex::testing {

/// Checks a value against a schema. Supports type, enum, required, properties,
/// additionalProperties, items, minItems and maxItems. Returns the first fault as a sentence; empty
/// without fault.
inline std::string schema_fault(const tools::Json& schema,
                                const tools::Json& value,
                                const std::string& at = "$") {
  using tools::Json;
  const auto is_type = [&](const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "boolean") return value.is_boolean();
    if (type == "string") return value.is_text();
    if (type == "array") return value.is_list();
    if (type == "object") return value.is_object();
    if (type == "number") return value.is_number();
    return type == "integer" && value.is_number() && value.number() == std::floor(value.number());
  };
  if (const Json* type = schema.find("type"); type != nullptr) {
    const bool fits = type->is_text()
                          ? is_type(type->text())
                          : std::any_of(type->items().begin(),
                                        type->items().end(),
                                        [&](const Json& t) { return is_type(t.text()); });
    if (!fits) return at + " is not of type " + type->dump_line() + ": " + value.dump_line();
  }
  if (const Json* choices = schema.find("enum"); choices != nullptr) {
    const std::string text = value.dump_line();
    const bool known = std::any_of(choices->items().begin(),
                                   choices->items().end(),
                                   [&](const Json& c) { return c.dump_line() == text; });
    if (!known) return at + " is none of " + choices->dump_line() + ": " + text;
  }
  if (value.is_object()) {
    if (const Json* required = schema.find("required"); required != nullptr) {
      for (const Json& key : required->items()) {
        if (value.find(key.text()) == nullptr) return at + " lacks " + key.text();
      }
    }
    const Json* properties = schema.find("properties");
    const Json* more = schema.find("additionalProperties");
    for (const Json::Member& member : value.members()) {
      const Json* known = properties == nullptr ? nullptr : properties->find(member.key);
      if (known == nullptr && more != nullptr && more->is_boolean() && !more->boolean())
        return at + " has an unknown member " + member.key;
      if (known == nullptr && more != nullptr && more->is_object()) known = more;
      if (known == nullptr) continue;
      const std::string fault = schema_fault(*known, member.value, at + "." + member.key);
      if (!fault.empty()) return fault;
    }
  }
  if (value.is_list()) {
    const auto count = static_cast<double>(value.items().size());
    const Json* least = schema.find("minItems");
    const Json* most = schema.find("maxItems");
    if ((least != nullptr && count < least->number()) ||
        (most != nullptr && count > most->number()))
      return at + " has a wrong number of items";
    if (const Json* items = schema.find("items"); items != nullptr) {
      for (std::size_t i = 0; i < value.items().size(); ++i) {
        const std::string fault =
            schema_fault(*items, value.items()[i], at + "[" + std::to_string(i) + "]");
        if (!fault.empty()) return fault;
      }
    }
  }
  return {};
}

}  // namespace femflex::testing

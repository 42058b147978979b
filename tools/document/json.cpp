// Access to JSON values with checks of their kind, and the writer of JSON text.
#include "document/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "document/plain_text.h"

namespace femflex::tools {
namespace {

// Appends `text` as a JSON string. Texts may quote a damaged file; bytes that are not UTF-8 are
// replaced by the replacement character, so that the document is valid JSON.
void quote(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::size_t bytes = character_bytes(text.substr(i));
    if (bytes != 1) {
      out += bytes == 0 ? std::string_view("\\ufffd") : text.substr(i, bytes);
      i += bytes == 0 ? 0 : bytes - 1;
      continue;
    }
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
          out += c;
    }
  }
  out += '"';
}

bool is_plain(const Json& value) {
  return !value.is_object() && !value.is_list();
}

/// True for plain values, lists of plain values, lists of such lists, and {}.
bool fits_on_a_line(const Json& value) {
  if (value.is_object()) return value.members().empty();
  if (!value.is_list()) return true;
  return std::all_of(value.items().begin(), value.items().end(), [](const Json& item) {
    return is_plain(item) ||
           (item.is_list() && std::all_of(item.items().begin(), item.items().end(), is_plain));
  });
}

}  // namespace

std::string_view name_of(Json::Kind kind) {
  switch (kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return "true or false";
    case Json::Kind::number:
      return "a number";
    case Json::Kind::text:
      return "a text";
    case Json::Kind::list:
      return "a list";
    case Json::Kind::object:
      return "an object";
  }
  return "?";
}

std::string shortest(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

Json::Json() = default;
Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;
Json::Json(bool value) : kind_(Kind::boolean), boolean_(value) {}
Json::Json(const char* value) : kind_(Kind::text), text_(value) {}
Json::Json(std::string value) : kind_(Kind::text), text_(std::move(value)) {}
Json::Json(std::string_view value) : kind_(Kind::text), text_(value) {}

Json Json::object() {
  Json out;
  out.kind_ = Kind::object;
  return out;
}

Json Json::finite_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json Json::list() {
  Json out;
  out.kind_ = Kind::list;
  return out;
}

void Json::fail(std::string code, std::string message, std::string fix) const {
  throw ParseError(std::move(code), std::move(message), where_, std::move(fix));
}

bool Json::boolean() const {
  if (kind_ != Kind::boolean)
    fail("wrong-kind", fmt::format("{} where true or false was expected", name_of(kind_)));
  return boolean_;
}

double Json::number() const {
  if (kind_ == Kind::text && text_.starts_with('='))
    fail("wrong-kind",
         fmt::format("the formula '{}' where a number was expected", text_),
         "in a lattice, formulas are read where it has \"parameters\", which may be {}");
  if (kind_ != Kind::number)
    fail("wrong-kind", fmt::format("{} where a number was expected", name_of(kind_)));
  return number_;
}

const std::string& Json::text() const {
  if (kind_ != Kind::text)
    fail("wrong-kind", fmt::format("{} where a text was expected", name_of(kind_)));
  return text_;
}

const std::vector<Json>& Json::items() const {
  if (kind_ != Kind::list)
    fail("wrong-kind", fmt::format("{} where a list was expected", name_of(kind_)));
  return items_;
}

std::vector<Json>& Json::items() {
  static_cast<void>(std::as_const(*this).items());
  return items_;
}

const std::vector<Json::Member>& Json::members() const {
  if (kind_ != Kind::object)
    fail("wrong-kind", fmt::format("{} where an object was expected", name_of(kind_)));
  return members_;
}

std::vector<Json::Member>& Json::members() {
  static_cast<void>(std::as_const(*this).members());
  return members_;
}

const Json* Json::find(std::string_view key) const {
  for (const Member& member : members_) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(std::as_const(*this).find(key));  // NOLINT: this is not const
}

Json& Json::operator[](std::string_view key) {
  if (kind_ == Kind::null) kind_ = Kind::object;
  if (Json* known = find(key); known != nullptr) return *known;
  members().push_back({std::string(key), Json(), Where()});
  return members_.back().value;
}

void Json::push_back(Json item) {
  if (kind_ == Kind::null) kind_ = Kind::list;
  items().push_back(std::move(item));
}

void Json::erase(std::string_view key) {
  std::erase_if(members(), [key](const Member& member) { return member.key == key; });
}

// Appends the value to `out`. `indent` is its nesting depth; if negative, everything is on one
// line.
void Json::write(std::string& out, int indent) const {
  const auto new_line = [&out](int depth) {
    if (depth < 0) return;
    out += '\n';
    out.append(2U * static_cast<std::size_t>(depth), ' ');
  };
  const int inner = indent < 0 ? -1 : indent + 1;
  switch (kind_) {
    case Kind::null:
      out += "null";
      break;
    case Kind::boolean:
      out += boolean_ ? "true" : "false";
      break;
    case Kind::number:
      out += std::isfinite(number_) ? shortest(number_) : "null";
      break;
    case Kind::text:
      quote(out, text_);
      break;
    case Kind::list: {
      const bool flat = indent < 0 || fits_on_a_line(*this);
      out += '[';
      for (std::size_t i = 0; i < items_.size(); ++i) {
        if (i > 0) out += flat && indent >= 0 ? ", " : ",";
        if (!flat) new_line(inner);
        items_[i].write(out, flat ? -1 : inner);
      }
      if (!flat) new_line(indent);
      out += ']';
      break;
    }
    case Kind::object:
      out += '{';
      for (std::size_t i = 0; i < members_.size(); ++i) {
        if (i > 0) out += ',';
        new_line(inner);
        quote(out, members_[i].key);
        out += indent < 0 ? ":" : ": ";
        members_[i].value.write(out, inner);
      }
      if (!members_.empty()) new_line(indent);
      out += '}';
      break;
  }
}

std::string Json::dump() const {
  std::string out;
  write(out, 0);
  out += '\n';
  return out;
}

std::string Json::dump_line() const {
  std::string out;
  write(out, -1);
  return out;
}

}  // namespace femflex::tools

#include "document/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <unordered_set>

#include <fmt/format.h>

#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

constexpr int kDeepest = 200;  // nesting; a deeper file is an attack, not a model

class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Json document() {
    blanks();
    Json out = value(0);
    blanks();
    if (at_ < text_.size()) fail("text after the end of the document", "remove it");
    return out;
  }

 private:
  Where here() const {
    Where where;
    where.file = file_;
    where.line = line_;
    where.column = static_cast<std::int64_t>(at_ - line_start_) + 1;
    return where;
  }
  [[noreturn]] void fail(std::string message, std::string fix = {}) const {
    throw ParseError("json", std::move(message), here(), std::move(fix));
  }
  bool ends() const { return at_ >= text_.size(); }
  char peek() const { return ends() ? '\0' : text_[at_]; }
  char take() {
    const char c = peek();
    ++at_;
    if (c == '\n') {
      ++line_;
      line_start_ = at_;
    }
    return c;
  }
  std::string found() const {
    if (ends()) return "the end of the file";
    const char c = peek();
    if (static_cast<unsigned char>(c) < 0x20)
      return fmt::format("byte {:#04x}", static_cast<int>(c));
    return fmt::format("'{}'", c);
  }

  void blanks() {
    while (!ends()) {
      const char c = peek();
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        take();
      } else if (c == '/' && text_.substr(at_, 2) == "//") {
        while (!ends() && peek() != '\n')
          take();
      } else if (c == '/' && text_.substr(at_, 2) == "/*") {
        if (text_.find("*/", at_ + 2) == std::string_view::npos)
          fail("a comment opens here and never ends", "close it with */");
        while (text_.substr(at_, 2) != "*/")
          take();
        take();
        take();
      } else {
        break;
      }
    }
  }

  Json value(int depth) {
    if (depth > kDeepest) fail(fmt::format("nested deeper than {} levels", kDeepest));
    const Where where = here();
    Json out;
    switch (peek()) {
      case '{':
        out = object(depth);
        break;
      case '[':
        out = list(depth);
        break;
      case '"':
        out = Json(text());
        break;
      default:
        out = word();
        break;
    }
    out.set_where(where);
    return out;
  }

  Json word() {
    for (const auto& [name, value] : {std::pair<std::string_view, Json>{"true", Json(true)},
                                      {"false", Json(false)},
                                      {"null", Json()}}) {
      if (text_.substr(at_, name.size()) == name) {
        at_ += name.size();
        return value;
      }
    }
    const char c = peek();
    if (c != '-' && (c < '0' || c > '9'))
      fail(fmt::format("{} where a value was expected", found()),
           "values are numbers, \"texts\", true, false, null, [...] and {...}");
    double number = 0.0;
    const char* begin = text_.data() + at_;
    const auto [end, fault] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (fault == std::errc::result_out_of_range) fail("a number beyond double precision");
    if (fault != std::errc() || !std::isfinite(number))
      fail(fmt::format("{} where a number was expected", found()));
    at_ += static_cast<std::size_t>(end - begin);
    if (!ends() && (std::isalnum(static_cast<unsigned char>(peek())) != 0 || peek() == '.'))
      fail(fmt::format("{} inside a number", found()));
    return Json(number);
  }

  Json list(int depth) {
    Json out = Json::list();
    take();
    blanks();
    while (peek() != ']') {
      out.push_back(value(depth + 1));
      blanks();
      if (peek() == ',') {
        take();
        blanks();
      } else if (peek() != ']') {
        fail(fmt::format("{} where ',' or ']' was expected", found()));
      }
    }
    take();
    return out;
  }

  Json object(int depth) {
    Json out = Json::object();
    std::unordered_set<std::string> seen;
    take();
    blanks();
    while (peek() != '}') {
      const Where where = here();
      if (peek() != '"') fail(fmt::format("{} where a \"name\" or '}}' was expected", found()));
      std::string key = text();
      if (!seen.insert(key).second)
        throw ParseError("duplicate-key",
                         fmt::format("'{}' appears twice in one object", key),
                         where,
                         "keep one");
      blanks();
      if (peek() != ':') fail(fmt::format("{} where ':' was expected", found()));
      take();
      blanks();
      Json inner = value(depth + 1);
      out.members().push_back({std::move(key), std::move(inner), where});
      blanks();
      if (peek() == ',') {
        take();
        blanks();
      } else if (peek() != '}') {
        fail(fmt::format("{} where ',' or '}}' was expected", found()));
      }
    }
    take();
    return out;
  }

  unsigned hex4() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
    const auto [end, fault] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (fault != std::errc() || end != digits.data() + 4) fail("\\u needs four hexadecimal digits");
    at_ += 4;
    return code;
  }

  void escaped(std::string& out) {
    const char c = take();
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out += c;
        return;
      case 'b':
        out += '\b';
        return;
      case 'f':
        out += '\f';
        return;
      case 'n':
        out += '\n';
        return;
      case 'r':
        out += '\r';
        return;
      case 't':
        out += '\t';
        return;
      case 'u':
        break;
      default:
        fail("an escape that JSON does not know", "use \\\\ for a backslash");
    }
    unsigned code = hex4();
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      code = 0x10000 + ((code - 0xD800) << 10U) + (hex4() - 0xDC00);
    }
    const auto push = [&out](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
      push(code);
    } else if (code < 0x800) {
      push(0xC0U | (code >> 6U));
      push(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
      push(0xE0U | (code >> 12U));
      push(0x80U | ((code >> 6U) & 0x3FU));
      push(0x80U | (code & 0x3FU));
    } else {
      push(0xF0U | ((code >> 18U) & 0x07U));
      push(0x80U | ((code >> 12U) & 0x3FU));
      push(0x80U | ((code >> 6U) & 0x3FU));
      push(0x80U | (code & 0x3FU));
    }
  }

  std::string text() {
    const Where start = here();
    std::string out;
    take();
    while (peek() != '"') {
      if (ends() || peek() == '\n')
        throw ParseError(
            "json", "a text opens here and does not end on its line", start, "close it with \"");
      const char c = take();
      if (c == '\\')
        escaped(out);
      else
        out += c;
    }
    take();
    return out;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw ParseError("empty", "the file is empty", {file}, "expected a JSON document");
  return Parser(text, file).document();
}

Json read_json_file(const std::filesystem::path& path) {
  std::error_code fault;
  if (!std::filesystem::exists(path, fault))
    throw UsageError("no-such-file", "no such file", {path.string()}, "check the name");
  if (std::filesystem::is_directory(path, fault))
    throw UsageError("is-folder", "is a folder", {path.string()}, "name a file in it");
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw UsageError("cannot-read", "cannot be read", {path.string()}, "check its permissions");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_json(text, path.string());
}

ObjectReader::ObjectReader(const Json& value, std::string what)
    : value_(value), what_(std::move(what)) {
  if (!value.is_object())
    value.fail("wrong-kind",
               fmt::format("{}: {} where an object was expected", what_, name_of(value.kind())));
}

void ObjectReader::know(std::initializer_list<std::string_view> keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

const Json* ObjectReader::find(std::string_view key) {
  known_.emplace_back(key);
  return value_.find(key);
}

const Json& ObjectReader::need(std::string_view key) {
  const Json* found = find(key);
  if (found != nullptr) return *found;
  // a misspelt key is the likelier fault than a forgotten one
  for (const Json::Member& member : value_.members()) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    if (nearest_name(member.key, {std::string(key)}).empty()) continue;
    throw ParseError("unknown-key",
                     fmt::format("{}: unknown key '{}'", what_, member.key),
                     member.where,
                     fmt::format("did you mean '{}'?", key));
  }
  value_.fail("missing-key", fmt::format("{}: '{}' is missing", what_, key), "add it");
}

std::string ObjectReader::text(std::string_view key, std::string fallback) {
  const Json* found = find(key);
  return found == nullptr ? std::move(fallback) : found->text();
}

bool ObjectReader::boolean(std::string_view key, bool fallback) {
  const Json* found = find(key);
  return found == nullptr ? fallback : found->boolean();
}

void ObjectReader::finish() const {
  for (const Json::Member& member : value_.members()) {
    if (std::find(known_.begin(), known_.end(), member.key) != known_.end()) continue;
    throw ParseError("unknown-key",
                     fmt::format("{}: unknown key '{}'", what_, member.key),
                     member.where,
                     suggestion(member.key, known_));
  }
}

const std::string& choice(const Json& value, const std::vector<std::string>& choices) {
  const std::string& text = value.text();
  if (std::find(choices.begin(), choices.end(), text) == choices.end())
    value.fail(
        "unknown-choice", fmt::format("'{}' is not known here", text), suggestion(text, choices));
  return text;
}

}  // namespace femflex::tools

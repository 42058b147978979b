// nlohmann's event parser reads the characters of a JsonSource, and JsonFiller builds the Json
// value from its events. json_syntax.h words the parser's errors.
#include "document/json_text.h"

#include <algorithm>
#include <cstdint>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "femflex/text.h"

#include "document/file_kind.h"
#include "document/json_source.h"
#include "document/json_syntax.h"
#include "document/nearest_name.h"

namespace femflex::tools {
namespace {

// largest depth of nesting; models need less, and the limit protects the parser's stack
constexpr std::size_t kMaxNesting = 200;
// objects with more members than this find their names with a hash set
constexpr std::size_t kMaxLinearSearch = 16;

/// Builds a Json value from the events of nlohmann's parser.
class JsonFiller {
 public:
  JsonFiller(std::string_view text, const std::string& file, const JsonSource& source)
      : text_(text), file_(file), source_(source) {}

  Json document() { return std::move(document_); }

  // --- events; the parser defines their names. Numbers come from the source, because the parser
  // sees 0.
  bool null() { return add_plain(Json()); }
  bool boolean(bool value) { return add_plain(Json(value)); }
  bool number_integer(std::int64_t /*zero*/) { return add_plain(Json(source_.number())); }
  bool number_unsigned(std::uint64_t /*zero*/) { return add_plain(Json(source_.number())); }
  bool number_float(double /*zero*/, const std::string& /*digits*/) {
    return add_plain(Json(source_.number()));
  }
  bool string(std::string& value) { return add_plain(Json(std::move(value))); }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }  // does not occur in texts
  bool start_object(std::size_t /*size*/) { return open(Json::object(), JsonNext::first_name); }
  bool start_array(std::size_t /*size*/) { return open(Json::list(), JsonNext::first_item); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Level& level = open_.back();
    if (is_known(level, name))
      throw ParseError("duplicate-key",
                       fmt::format("'{}' appears twice in one object", name),
                       source_.start().where(file_),
                       "keep one");
    last_ = source_.start();
    level.value->members().push_back({std::move(name), Json(), last_.where(file_)});
    next_ = JsonNext::colon;
    is_plain_ = true;
    return true;
  }
  bool parse_error(std::size_t /*position*/,
                   const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) {
    throw_json_error(
        text_, file_, next_, is_plain_ ? end_of_json_value(text_, last_.offset) : last_.offset);
  }

 private:
  struct Level {
    Json* value;
    std::unordered_set<std::string> names;  // used with more than kMaxLinearSearch members
  };

  /// True if the object already has a member `name`; records the name.
  static bool is_known(Level& level, const std::string& name) {
    const std::vector<Json::Member>& members = level.value->members();
    if (members.size() < kMaxLinearSearch) return level.value->find(name) != nullptr;
    if (level.names.empty())
      for (const Json::Member& member : members)
        level.names.insert(member.key);
    return !level.names.insert(name).second;
  }

  Json& add(Json&& value) {
    last_ = source_.start();
    if (open_.size() > kMaxNesting)
      throw ParseError(
          "json", fmt::format("nested deeper than {} levels", kMaxNesting), last_.where(file_));
    Json& target = next_value();
    target = std::move(value);
    target.set_where(last_.where(file_));
    return target;
  }
  /// The value that the next event fills: the document, the last member, or a new item.
  Json& next_value() {
    if (open_.empty()) return document_;
    Json& parent = *open_.back().value;
    return parent.is_object() ? parent.members().back().value : parent.items().emplace_back();
  }
  bool add_plain(Json&& value) {
    add(std::move(value));
    is_plain_ = true;
    after_value();
    return true;
  }
  bool open(Json&& value, JsonNext next) {
    open_.push_back({&add(std::move(value)), {}});
    last_.offset += 1;
    is_plain_ = false;
    next_ = next;
    return true;
  }
  bool close() {
    open_.pop_back();
    last_.offset = source_.end_of_read();
    is_plain_ = false;
    after_value();
    return true;
  }
  void after_value() {
    if (open_.empty())
      next_ = JsonNext::end;
    else
      next_ = open_.back().value->is_list() ? JsonNext::item : JsonNext::member;
  }

  std::string_view text_;
  const std::string& file_;
  const JsonSource& source_;
  Json document_;
  std::vector<Level> open_;
  JsonNext next_ = JsonNext::value;
  TextPlace last_;         // for messages: start of the last event if is_plain_, else its end
  bool is_plain_ = false;  // last_ is the start of a text, a number or a word
};

}  // namespace

Json parse_json(std::string_view text, const std::string& file) {
  text = without_byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw ParseError("empty", "the file is empty", {file}, "expected a JSON document");
  JsonSource source(text);
  JsonFiller filler(text, file, source);
  // the result is not needed, because parse_error() throws
  static_cast<void>(nlohmann::json::sax_parse(JsonIterator(&source), JsonIterator(), &filler));
  return filler.document();
}

Json read_json_file(const std::filesystem::path& path) {
  return parse_json(whole_file_text(path), path.string());
}

ObjectReader::ObjectReader(const Json& value, std::string what)
    : value_(value), what_(std::move(what)) {
  if (!value.is_object())
    value.fail("wrong-kind",
               fmt::format("{}: {} where an object was expected", what_, name_of(value.kind())));
}

void ObjectReader::declare_keys(std::initializer_list<std::string_view> keys) {
  known_.insert(known_.end(), keys.begin(), keys.end());
}

const Json* ObjectReader::find(std::string_view key) {
  known_.emplace_back(key);
  return value_.find(key);
}

const Json& ObjectReader::need(std::string_view key) {
  const Json* found = find(key);
  if (found != nullptr) return *found;
  // an unknown key with a similar name is reported as a misspelling of the missing key
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

std::string ObjectReader::text(std::string_view key, std::string_view fallback) {
  const Json* found = find(key);
  return found == nullptr ? std::string(fallback) : found->text();
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

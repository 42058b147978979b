// Reads JSON texts and files into Json values, and reads objects member by member with checks for
// unknown keys.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "document/json.h"

namespace femflex::tools {

/// Parses JSON; // and /* */ comments and trailing commas are allowed, a key that appears twice in
/// one object is an error.
/// @param file  name for messages
/// @throws ParseError  with line and column
Json parse_json(std::string_view text, const std::string& file);

/// Reads and parses a JSON file.
/// @throws UsageError  no such file, or not readable;  ParseError  as parse_json(), or an empty
/// file
Json read_json_file(const std::filesystem::path& path);

/// Reads the members of one object by name and remembers which names were looked up, so that
/// finish() can name the members that are not known.
class ObjectReader {
 public:
  /// @param what  for messages: "body 'chassis'"
  /// @throws ParseError  `value` is not an object
  ObjectReader(const Json& value, std::string what);

  /// Declares keys that are looked up later, so that they are not reported as misspellings of
  /// others.
  void declare_keys(std::initializer_list<std::string_view> keys);
  /// The member `key`, null if there is none.
  const Json* find(std::string_view key);
  /// The member `key`.
  /// @throws ParseError  there is none; the message names an unknown key that is spelt similarly
  const Json& need(std::string_view key);
  /// The text or boolean `key`, else `fallback`.  @throws ParseError  a value of another kind
  std::string text(std::string_view key, std::string fallback);
  bool boolean(std::string_view key, bool fallback);
  /// To be called when all members have been read.
  /// @throws ParseError  a member that was never looked up; the message names the nearest known key
  void finish() const;

  const std::string& what() const { return what_; }
  const Json& value() const { return value_; }

 private:
  const Json& value_;
  std::string what_;
  std::vector<std::string> known_;
};

/// The text of `value`, which must be one of `choices`.
/// @throws ParseError  it is not; the message names the nearest choice
const std::string& choice(const Json& value, const std::vector<std::string>& choices);

}  // namespace femflex::tools

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

/// Reads JSON with // and /* */ comments and trailing commas. A key that appears twice is an error.
/// @param file  name for messages
/// @throws ParseError  with line and column
Json parse_json(std::string_view text, const std::string& file);

/// @throws UsageError  no such file;  ParseError  as parse_json(), or an empty file
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
  /// Null if there is no such member.
  const Json* find(std::string_view key);
  /// @throws ParseError  there is no such member; an unknown key of a similar name is
  /// named
  const Json& need(std::string_view key);
  std::string text(std::string_view key, std::string fallback);
  bool boolean(std::string_view key, bool fallback);
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

// parse_json(), read_json_file(): read JSON texts and files into Json values. ObjectReader: reads
// objects member by member and reports unknown keys.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/name_table.h"

#include "document/json.h"

namespace femflex::tools {

/// Parses JSON. Comments (// and /* */) and trailing commas are allowed; a repeated key in an
/// object is an error.
/// @param file  name for messages
/// @throws ParseError  with line and column
Json parse_json(std::string_view text, const std::string& file);

/// Reads and parses a JSON file.
/// @throws UsageError  no such file, or it is not readable
/// @throws ParseError  as parse_json(), or the file is empty
Json read_json_file(const std::filesystem::path& path);

/// Reads the members of one object by name and records the requested names, so that finish() can
/// report unknown members.
class ObjectReader {
 public:
  /// @param what  description for messages, such as "body 'chassis'"
  /// @throws ParseError  `value` is not an object
  ObjectReader(const Json& value, std::string what);

  /// Declares known keys, so that need() does not suggest them as misspellings of a missing key.
  void declare_keys(std::initializer_list<std::string_view> keys);
  /// The member `key`; null if it is missing.
  const Json* find(std::string_view key);
  /// The member `key`.
  /// @throws ParseError  it is missing; the message names an unknown key with a similar spelling
  const Json& need(std::string_view key);
  /// The text or boolean at `key`, else `fallback`.
  /// @throws ParseError  a value of another kind
  std::string text(std::string_view key, std::string_view fallback);
  bool boolean(std::string_view key, bool fallback);
  /// Call it when all members have been read.
  /// @throws ParseError  a member was never requested; the message names the most similar known key
  void finish() const;

  const std::string& what() const { return what_; }
  const Json& value() const { return value_; }

 private:
  const Json& value_;
  std::string what_;
  std::vector<std::string> known_;
};

/// The text of `value`, which must be one of `choices`.
/// @throws ParseError  it is not; the message names the most similar choice
const std::string& choice(const Json& value, const std::vector<std::string>& choices);

/// The value of the enumeration whose name in `table` is the text of `value`.
/// @throws ParseError  as above
template <class Kind, std::size_t count>
Kind choice(const Json& value, const NameTable<Kind, count>& table) {
  return table.find(choice(value, table.names())).value();
}

/// The choice at `key`; `fallback` if the key is missing.
template <class Kind, std::size_t count>
Kind choice_or(ObjectReader& in,
               std::string_view key,
               const NameTable<Kind, count>& table,
               Kind fallback) {
  const Json* found = in.find(key);
  return found == nullptr ? fallback : choice(*found, table);
}

}  // namespace femflex::tools

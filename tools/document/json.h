// Json: the JSON value of all documents that femflex reads and writes. A value read from a file
// stores its line and column, so that messages can report them.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/errors.h"

namespace femflex::tools {

/// A JSON value, with its place in the file if it was read from one. Objects keep the order of
/// their members.
class Json {
 public:
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object };
  struct Member;

  Json();
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  Json(bool value);                      // NOLINT: values convert
  Json(std::floating_point auto value);  // NOLINT
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Json(Integer value);  // NOLINT
  Json(const char* value);                                     // NOLINT
  Json(std::string value);                                     // NOLINT
  Json(std::string_view value);                                // NOLINT
  template <typename Item>
  Json(const std::vector<Item>& items);  // NOLINT
  static Json object();
  static Json list();
  /// A list from any type with size() and operator[], such as Eigen vectors and arrays.
  template <typename Vector>
  static Json list_of(const Vector& vector);
  /// Null for a number that is not finite, which JSON cannot hold.
  static Json finite_or_null(double value);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_object() const { return kind_ == Kind::object; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_number() const { return kind_ == Kind::number; }
  bool is_boolean() const { return kind_ == Kind::boolean; }

  /// The content of a value of this kind.
  /// @throws ParseError  the value is of another kind; the message gives its place
  bool boolean() const;
  double number() const;
  const std::string& text() const;
  const std::vector<Json>& items() const;
  const std::vector<Member>& members() const;
  std::vector<Member>& members();
  std::vector<Json>& items();

  /// The member with this key, null if there is none.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  /// The member with this key, created if there is none. A null value becomes an object.
  Json& operator[](std::string_view key);
  /// Appends to a list. A null value becomes a list.
  void push_back(Json item);
  /// Removes a member if there is one.
  void erase(std::string_view key);

  const Where& where() const { return where_; }
  void set_where(Where where) { where_ = std::move(where); }
  /// Throws a ParseError about this value with its place.
  [[noreturn]] void fail(std::string code, std::string message, std::string fix = {}) const;

  /// The document as text, indented by two blanks per level; lists of plain values are on one line.
  /// Numbers have the fewest digits that read back exactly; NaN and infinity become null.
  std::string dump() const;
  /// As dump(), on one line.
  std::string dump_line() const;

 private:
  void write(std::string& out, int indent) const;

  Kind kind_ = Kind::null;
  bool boolean_ = false;
  double number_ = 0.0;
  std::string text_;
  std::vector<Json> items_;
  std::vector<Member> members_;
  Where where_;
};

struct Json::Member {
  std::string key;
  Json value;
  Where where;  ///< place of the key in the file
};

Json::Json(std::floating_point auto value) : Json() {
  kind_ = Kind::number;
  number_ = static_cast<double>(value);
}

template <std::integral Integer>
requires(!std::same_as<Integer, bool>) Json::Json(Integer value)
    : Json(static_cast<double>(value)) {}

template <typename Item>
Json::Json(const std::vector<Item>& items) : Json() {
  kind_ = Kind::list;
  for (const auto& item : items)
    items_.emplace_back(static_cast<Item>(item));
}

template <typename Vector>
Json Json::list_of(const Vector& vector) {
  Json out = list();
  for (decltype(vector.size()) i = 0; i < vector.size(); ++i)
    out.push_back(vector[i]);
  return out;
}

/// Name of a kind for messages: "a list", "a number".
std::string_view name_of(Json::Kind kind);

/// The shortest decimal text that reads back to `value`.
std::string shortest(double value);

}  // namespace femflex::tools

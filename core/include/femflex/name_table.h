// Names of the values of an enumeration, as options and files write them: one table, from which
// names, choices and the error for an unknown name follow.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace femflex {

/// @throws UsageError  always: "'name' is not a method", with the names to choose from
[[noreturn]] void refuse_name(std::string_view name,
                              const std::vector<std::string>& names,
                              const char* code,
                              const char* what);

/// The names of the values of an enumeration, each value and each name once.
template <class Kind, std::size_t count>
struct NameTable {
  std::array<std::pair<Kind, std::string_view>, count> rows;

  /// Empty if the value has no name.
  constexpr std::string_view name_of(Kind kind) const {
    const auto row = std::find_if(
        rows.begin(), rows.end(), [&](const auto& each) { return each.first == kind; });
    return row == rows.end() ? std::string_view{} : row->second;
  }
  constexpr std::optional<Kind> find(std::string_view name) const {
    const auto row = std::find_if(
        rows.begin(), rows.end(), [&](const auto& each) { return each.second == name; });
    if (row == rows.end()) return std::nullopt;
    return row->first;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& row : rows)
      out.emplace_back(row.second);
    return out;
  }
  /// @param what  with its article: "a reduction method"
  /// @throws UsageError  unknown name
  Kind parse(std::string_view name, const char* code, const char* what) const {
    if (const std::optional<Kind> kind = find(name)) return *kind;
    refuse_name(name, names(), code, what);
  }
};

/// `name_table<Method>({{Method::guyan, "guyan"}, ...})`.
template <class Kind, std::size_t count>
constexpr NameTable<Kind, count> name_table(
    const std::pair<Kind, std::string_view> (&rows)[count]) {
  return {std::to_array(rows)};
}

}  // namespace femflex

// The XML of a FyDiK file: elements by name, attributes as checked numbers and words, and the line
// of each element for errors and warnings.
#pragma once

#if FEMFLEX_HAVE_PUGIXML

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pugixml.hpp>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "lattice/lattice_fydik_names.h"

namespace femflex::tools {

class FydikXml {
 public:
  /// @param file  for messages; must outlive the object
  /// @throws ParseError  not XML, a misspelled element or attribute, or a force law in a form that
  /// is not
  ///                     read
  FydikXml(std::string_view text, const std::string& file);

  /// The only element with this name; null if there is none. @throws ParseError  there are several
  pugi::xml_node only(const char* name) const;
  /// Calls action(node) for all elements with this name, at any depth, in the order of the file.
  template <typename Action>
  void each(const char* name, Action action) const {
    each_below(document_, name, action);
  }

  /// The number that an attribute holds; `fallback` if it is missing. @throws ParseError  another
  /// text
  double number(const pugi::xml_node& node, const char* name, double fallback) const;
  double not_negative(const pugi::xml_node& node, const char* name, double fallback) const;
  int integer(const pugi::xml_node& node, const char* name, int fallback) const;
  /// A number that some FyDiK files omit. If it is missing, 1 is used and a warning is given.
  double or_one(const pugi::xml_node& node, const char* name, const char* unit);
  /// The attribute, which must be one of `words`; if it is missing, the first of them.
  std::string word(const pugi::xml_node& node,
                   const char* name,
                   const std::vector<std::string>& words) const;
  bool flag(const pugi::xml_node& node, const char* name) const;

  std::int64_t line_of(const pugi::xml_node& node) const;
  /// Throws a ParseError at this element.
  [[noreturn]] void fail(const pugi::xml_node& node,
                         const char* code,
                         const std::string& message,
                         std::string fix = {}) const;
  /// Warns of names that are not known, and of what or_one() assumed.
  void warn_of_unused(Diagnostics& warnings) const;

 private:
  template <typename Action>
  void each_below(const pugi::xml_node& parent, const char* name, Action& action) const {
    for (const pugi::xml_node& child : parent.children()) {
      if (std::string_view(child.name()) == name) action(child);
      if (child.type() == pugi::node_element) each_below(child, name, action);
    }
  }
  std::int64_t line_at(std::ptrdiff_t offset) const;
  Where place(std::ptrdiff_t offset) const;
  void check_names(const pugi::xml_node& parent, int depth);
  void check_unknown(const pugi::xml_node& node);
  void check_attributes(const pugi::xml_node& node, const FydikElement& known);
  [[noreturn]] void refuse_law(const pugi::xml_node& node, const std::string& what) const;
  void note_unused(const std::string& what, const pugi::xml_node& node);

  /// For each text, the line of its first occurrence and the number of occurrences.
  using Tally = std::map<std::string, std::pair<std::int64_t, int>>;
  const std::string& file_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document document_;
  Tally unused_, assumed_;
};

}  // namespace femflex::tools

#endif

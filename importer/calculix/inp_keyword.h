// The keyword lines of CalculiX and Abaqus decks, `*KEYWORD, NAME=value`: name and parameters, and
// which keywords are read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace femflex::importer {

/// The parameters of a keyword line. Their names are in upper case, without blanks inside.
class InpParameters {
 public:
  bool has(const std::string& name) const { return values_.contains(name); }
  /// The value as the deck writes it, without quotes; empty if it is not given.
  std::string text(const std::string& name) const;
  /// The value in upper case; empty if it is not given.
  std::string word(const std::string& name) const;
  void set(const std::string& name, std::string value) { values_[name] = std::move(value); }

 private:
  std::map<std::string, std::string> values_;
};

/// A keyword line with the lines that continue it.
struct InpKeyword {
  std::string name;  ///< in upper case without blanks inside: `*Rigid Body, ...` gives RIGIDBODY
  InpParameters parameters;
};

/// Takes a whole keyword line apart.
InpKeyword inp_keyword_of(std::string_view line);

/// True for keywords that are read wherever they stand; others are counted in FileContents::unread,
/// unless their context makes them readable.
bool is_read_everywhere(std::string_view name);

}  // namespace femflex::importer

// Names of sets and surfaces in CalculiX and Abaqus decks. Set and surface names of different parts
// are kept apart; INSTANCE.NAME means NAME of the instance's part.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace femflex::importer {

/// The scopes of a deck. What a part defines is stored as PART.NAME, since Abaqus keeps the names
/// of parts and of the assembly apart; all other names are stored as they stand, in upper case.
/// Without parts and instances a dot is a character like any other, as in CalculiX.
class InpNames {
 public:
  /// Begins the lines of a part, or of an instance that has nodes of its own.
  void begin_scope(const std::string& name) {
    scope_ = name;
    scopes_.insert(name);
  }
  void end_scope() { scope_.clear(); }
  /// Declares that INSTANCE.NAME is NAME of the part.
  void add_instance(const std::string& instance, const std::string& part) {
    parts_[instance] = part;
  }

  /// The full name (PART.NAME inside a part) of a set or surface in the current lines. An id is
  /// returned unchanged.
  std::string here(std::string_view field) const;
  /// An id, alone or behind the name of an instance ("PART-1-1.7").
  std::optional<std::int64_t> id_of(std::string_view field) const;
  /// A stored name without the part that it belongs to.
  std::string bare(const std::string& stored) const;

  /// The entry of `stored` that a name stands for, stored.end() if there is none: the name itself;
  /// NAME of the instance's part for INSTANCE.NAME; for a name used in a part, that of the whole
  /// deck; for a bare name, that of a part if only one part has it.
  template <typename Map>
  typename Map::const_iterator find(const Map& stored, std::string_view name) const {
    for (const std::string& candidate : candidates(name))
      if (const auto found = stored.find(candidate); found != stored.end()) return found;
    auto only = stored.end();
    for (const std::string& candidate : in_all_scopes(name))
      if (const auto found = stored.find(candidate); found != stored.end()) {
        if (only != stored.end()) return stored.end();
        only = found;
      }
    return only;
  }

 private:
  /// True for the name of a part or an instance, or several, as PART.INSTANCE.
  bool is_scope(const std::string& text) const;
  std::vector<std::string> candidates(std::string_view name) const;
  std::vector<std::string> in_all_scopes(std::string_view name) const;

  std::string scope_;                         // current part; empty outside parts
  std::set<std::string> scopes_;              // all parts
  std::map<std::string, std::string> parts_;  // part of each instance
};

}  // namespace femflex::importer

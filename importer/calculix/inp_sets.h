// Collects the node and element sets of CalculiX and Abaqus decks, and finds what a field names: an
// id, a set, or either of them behind the name of an instance.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "calculix/inp_scan.h"

namespace femflex::importer {

/// `instance.label` without its instance, in upper case: "PART-1-1.TOP" gives TOP.
std::string inp_label(std::string_view field);

/// The sets of one kind (node sets or element sets). A deck may name a set before it defines it, so
/// members_of() is right once the whole deck is read and resolve() has been called.
///
///   *NSET, NSET=name            ids and names of other sets
///   *NSET, NSET=name, GENERATE  first id, last id, step
class InpSets {
 public:
  using Members = std::vector<std::int64_t>;

  /// `scan` gives the ids and the size of the deck and must outlive the sets.
  explicit InpSets(InpScan& scan) : scan_(scan) {}

  /// Adds one id to a set.
  void add(const std::string& set, std::int64_t id) { sets_[set].push_back(id); }
  /// Adds the ids and sets of a data line.
  /// @throws ParseError  at `where`
  void add_line(const std::string& set,
                const std::vector<std::string_view>& fields,
                const Where& where);
  /// Adds the ids of a data line of GENERATE.
  /// @throws ParseError  at `where`
  void add_range(const std::string& set,
                 const std::vector<std::string_view>& fields,
                 const Where& where);
  /// Adds the members of sets to the sets that name them. Warns of names that no set has.
  void resolve(Diagnostics& diagnostics);

  /// The ids that a field names; nothing if it is neither an id nor a set of the deck.
  /// @throws ParseError  the deck names far more members than its size allows
  std::optional<Members> members_of(std::string_view field, const Where& where);

  const std::map<std::string, Members>& all() const { return sets_; }

 private:
  struct Reference {  ///< a set that another set names
    std::string other;
    std::size_t at = 0;  ///< number of members that stand before those of `other`
    Where where;
  };
  void resolve(const std::string& set, int depth, Diagnostics& diagnostics);
  void count_members(std::size_t count, const Where& where);

  InpScan& scan_;
  std::map<std::string, Members> sets_;
  std::map<std::string, std::vector<Reference>> references_;  // of each set, in the deck's order
  std::int64_t counted_ = 0;
};

}  // namespace femflex::importer

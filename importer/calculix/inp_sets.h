// Collects the node and element sets of CalculiX and Abaqus decks, and finds what a field names: an
// id, a set, or either of them behind the name of an instance.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/errors.h"

#include "calculix/inp_names.h"

namespace femflex::importer {

/// The sets of one kind (node sets or element sets). A deck may name a set before it defines it, so
/// find() and members_of() are right once the whole deck is read and resolve() has been called.
/// Names are those of InpNames::here().
///
///   *NSET, NSET=name            ids and names of other sets
///   *NSET, NSET=name, GENERATE  first id, last id, step
class InpSets {
 public:
  using Members = std::vector<std::int64_t>;

  /// `names` must outlive the sets.
  explicit InpSets(const InpNames& names) : names_(names) {}

  /// Adds one id to a set.
  void add(const std::string& set, std::int64_t id) { sets_[set].push_back(id); }
  /// Adds the ids and sets of a data line.
  void add_line(const std::string& set,
                const std::vector<std::string_view>& fields,
                const Where& where);
  /// Adds the ids of a data line of GENERATE.
  /// @throws ParseError  at `where`
  void add_range(const std::string& set,
                 const std::vector<std::string_view>& fields,
                 const Where& where);
  /// Declares that the order of a set is that of its lines (UNSORTED).
  void keep_order(const std::string& set) { unsorted_.insert(set); }
  /// Adds the members of sets and ranges to the sets that name them. Warns of names that no set
  /// has.
  /// @param ids    all ids of the deck, in any order; a long range stands for those within it
  /// @param bytes  size of the deck
  /// @throws ParseError  the sets have far more members than the size allows
  void resolve(Members ids, std::int64_t bytes, Diagnostics& diagnostics);

  /// The ids that a field names; nothing if it is neither an id nor a set of the deck.
  /// @throws ParseError  the deck names far more members than its size allows
  std::optional<Members> members_of(std::string_view field, const Where& where);
  /// The same in the order in which Abaqus pairs sets: ascending, each id once, unless the set is
  /// unsorted.
  std::optional<Members> ordered_members_of(std::string_view field, const Where& where);
  /// The set that a name stands for; null if there is none.
  const Members* find(std::string_view name) const;

  /// All sets by their names in the deck; where several have one name, those of parts are
  /// PART.NAME.
  std::map<std::string, Members> by_name() const;

 private:
  struct Range {
    std::int64_t first = 0, last = 0, step = 1;
  };
  struct Reference {  ///< a set or a range that a set names
    std::string other;
    std::optional<Range> range;
    std::size_t at = 0;  ///< number of members that stand before those of the reference
    Where where;
  };
  void resolve(const std::string& set, int depth, Diagnostics& diagnostics);
  void append(const Reference& reference, int depth, Members& out, Diagnostics& diagnostics);
  void append_range(const Range& range, const Where& where, Members& out);
  /// Counts members of sets, and members that lines take. @throws ParseError  too many
  void count_members(std::size_t count, const Where& where);
  void count_uses(std::size_t count, const Where& where);
  static void check_count(std::int64_t count,
                          std::int64_t limit,
                          const char* what,
                          const Where& where);

  const InpNames& names_;
  std::map<std::string, Members> sets_;
  std::map<std::string, std::vector<Reference>> references_;  // of each set, in the deck's order
  std::set<std::string> unsorted_;
  Members ids_;  // of the deck, ascending
  std::int64_t bytes_ = 0;
  std::int64_t members_ = 0, uses_ = 0;  // counted so far
};

}  // namespace femflex::importer

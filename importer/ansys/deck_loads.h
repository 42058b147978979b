// Reads the supports and forces of ANSYS decks: D, F, and the commands that delete or add them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "ansys/selection.h"

namespace femflex::importer {

/// Forces stay until they are replaced or deleted; each SOLVE makes a load set of those present.
///
///   D, node, label, value, value2, NEND, NINC, and up to five more labels
///   F, node, label, value, value2, NEND, NINC
///   DDELE, FDELE, node, label, NEND, NINC
///   FCUM, rule
class AnsysDeckLoads {
 public:
  using Fields = AnsysSelection::Fields;

  /// `selection`, `fixed` and `loads`, which receive what is read, must outlive the reader.
  AnsysDeckLoads(const AnsysSelection& selection, std::vector<Dof>& fixed, RawLoads& loads)
      : selection_(selection), fixed_(fixed), loads_(loads) {}

  /// True for the commands that read() takes, in upper case.
  static bool is_load_command(std::string_view command);
  /// True if D has a value other than 0.
  static bool moves_support(const Fields& fields);
  /// Reads a command; false if it names nodes, labels or rules that are not known.
  bool read(std::string_view command, const Fields& fields);
  /// Makes a load set of the forces that are present, if there are new ones. To be called after the
  /// last command, too.
  void store_load_set();

 private:
  using Labels = std::array<std::string_view, 6>;
  using Places = std::set<std::pair<std::int64_t, std::size_t>>;  // node, index of the label

  bool add_constraint(const Fields& fields);
  bool add_force(const Fields& fields);
  bool read_sum_rule(const Fields& fields);
  bool delete_forces(const Fields& fields);
  bool delete_constraints(const Fields& fields);
  Places named_places(const Fields& fields, const Labels& labels) const;
  bool names_listed_nodes(const Fields& fields) const;

  /// The set of loads before the first SOLVE.
  static constexpr std::int64_t kFirstLoadSet = 1;

  const AnsysSelection& selection_;
  std::vector<Dof>& fixed_;
  RawLoads& loads_;
  std::map<std::pair<std::int64_t, std::size_t>, double> forces_;  // by node and label
  bool has_new_forces_ = false;
  bool adds_forces_ = false;  // FCUM,ADD
  std::int64_t load_set_ = kFirstLoadSet;
};

/// Warns of what is missing or wrong because commands of loads were not read.
/// @param unread  number of commands not read, by name
void warn_of_unread_loads(const std::map<std::string, std::int64_t>& unread,
                          const std::string& file,
                          Diagnostics& diagnostics);

}  // namespace femflex::importer

// Follows which nodes an ANSYS deck selects and which components it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// The selected nodes and the components of a deck, as far as they follow from the commands CMSEL,
/// NSEL, ALLSEL and CM. After any other selection command the selected nodes are unknown.
class AnsysSelection {
 public:
  using Fields = std::vector<std::string_view>;
  using Nodes = std::vector<std::int64_t>;

  /// @param grids  all nodes read so far; must outlive the selection
  explicit AnsysSelection(const std::vector<RawGrid>& grids) : grids_(grids) {}

  /// Names nodes, as a CMBLOCK does.
  void add_component(std::string_view name, const Nodes& nodes);
  /// Names elements or other entities.
  void add_other_component(std::string_view name);
  /// Forgets a component of any kind, its name in upper case.
  void remove_component(const std::string& name);
  /// The components of nodes, by name in upper case.
  const std::map<std::string, Nodes>& components() const { return components_; }
  /// Takes a command with its name in full, in upper case; false if it neither selects nor names
  /// nodes.
  bool take(std::string_view command, const Fields& fields);

  /// The nodes that a command means by its field 1: a node, or node to NEND by NINC, a component,
  /// or ALL selected nodes. Empty if they are not known.
  /// @param end  field of NEND, before that of NINC
  Nodes nodes_of(const Fields& fields, std::size_t end) const;
  /// True if the selected nodes are known as a list, which may be empty.
  bool is_listed() const { return selection_ == Selection::listed; }
  /// True if the selected nodes are known, as a list or as all.
  bool is_known() const { return selection_ != Selection::unknown; }

 private:
  enum class Selection : std::uint8_t { all, listed, unknown };

  void select(std::string_view command, const Fields& fields);
  void name_selection(const Fields& fields);
  Nodes selected_nodes() const;

  const std::vector<RawGrid>& grids_;
  std::map<std::string, Nodes> components_;
  std::set<std::string> other_components_;  // of elements and other entities
  Selection selection_ = Selection::all;
  Nodes selected_;  // if the selection is `listed`
};

}  // namespace femflex::importer

// Collects the elements of CalculiX and Abaqus decks: the lines below *ELEMENT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "femflex/errors.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_keyword.h"
#include "calculix/inp_masses.h"
#include "calculix/inp_materials.h"
#include "calculix/inp_names.h"
#include "calculix/inp_sets.h"

namespace femflex::importer {

/// Reads *ELEMENT, TYPE=, ELSET=: id and nodes, on one or more lines. Elements become blocks under
/// NASTRAN's names and node orders; those with one node are told to the masses, all that have a
/// shape to the materials.
class InpElementLines {
 public:
  /// All of them must outlive the lines.
  InpElementLines(const InpNames& names, InpSets& sets, InpMasses& masses, InpMaterials& materials)
      : names_(names), sets_(sets), masses_(masses), materials_(materials) {}

  /// Takes the parameters of a keyword line *ELEMENT.
  void begin(const InpParameters& parameters);
  /// Takes a data line below it.
  void data(const std::vector<std::string_view>& fields, bool ends_with_comma, const Where& where);
  /// Stores the current element; to be called before each keyword line and after the last line.
  /// @throws ParseError  the element has another number of nodes than its type
  void end(const Where& where);
  /// Moves the elements into the contents.
  void finish(FileContents& contents);

  /// Ids of all elements in the order of the deck.
  std::vector<std::int64_t> take_ids() { return std::move(ids_); }
  /// Number of beams whose additional node, which gives their orientation, is not read.
  std::int64_t orientation_nodes() const { return orientation_nodes_; }

 private:
  const InpNames& names_;
  InpSets& sets_;
  InpMasses& masses_;
  InpMaterials& materials_;
  std::string type_, name_, set_;  // type of the current *ELEMENT, NASTRAN's name of it, ELSET
  std::size_t nodes_per_element_ = 0;
  std::vector<std::int64_t> element_;  // id and nodes of the current element
  std::vector<std::int64_t> ids_;
  std::int64_t orientation_nodes_ = 0;
  std::map<std::string, std::int64_t> counts_;
  std::map<std::pair<std::string, std::size_t>, ElementBlock> blocks_;
};

}  // namespace femflex::importer

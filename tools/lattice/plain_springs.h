// Reads the springs of a large lattice in JSON straight from the text, without a Json value for
// each of their numbers: a third of the time and a sixth of the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/hamiltonian/lattice.h"

namespace femflex::tools {

class Json;
struct LatticeDocument;

/// A spring between nodes that are known by their ids in the file only.
struct PlainSpring {
  std::int64_t a = 0, b = 0;       ///< ids of the nodes
  std::optional<std::int64_t> id;  ///< absent: its place in the list
  std::int64_t line = 0;           ///< in the file
  hamiltonian::Spring spring;      ///< all but its nodes
};

struct PlainLattice {
  std::vector<PlainSpring> springs;
  /// The document with an empty list of springs, every other character in its line and column.
  std::string rest;
  std::size_t other_characters = 0;  ///< number of characters outside the list
};

/// Takes the list "springs" out of a lattice in JSON. Absent where the springs are not plain: where
/// one has a formula, a table or a parameter, a key that is not known or not allowed, or a value
/// that no spring can have. Then the document is for read_lattice_json(), which says what is wrong.
std::optional<PlainLattice> take_plain_springs(std::string_view text);

/// read_lattice_json() of `plain` with its rest as `document`. Absent if a spring names a node that
/// does not exist, or if springs have the same id: read the whole document then, for a message with
/// its place.
std::optional<LatticeDocument> read_plain_lattice(const Json& document, const PlainLattice& plain);

}  // namespace femflex::tools

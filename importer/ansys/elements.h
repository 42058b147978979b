// Converts ANSYS elements to NASTRAN names and node orders, and rotated nodes to systems.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Collects the elements of a file. An element of ANSYS has a routine number (186 of SOLID186), and
/// its shape follows from its nodes: a brick whose nodes coincide in part is a wedge, a pyramid or
/// a tetrahedron. Elements without a mid node that their type can have become linear ones.
class AnsysElements {
 public:
  /// Adds one element; node 0: there is none at this place.
  void add(std::int64_t routine, std::int64_t id, std::span<const std::int64_t> nodes);
  /// Moves the elements into the contents. Routines that are not drawn are counted as unread.
  void finish(FileContents& contents);

 private:
  std::map<std::pair<std::string, int>, ElementBlock> blocks_;
  std::map<std::string, std::int64_t> counts_, unread_;
};

/// True for the routine number of a brick or tetrahedron.
bool is_ansys_solid(std::int64_t routine);

/// Systems of nodes whose axes are rotated (NROTAT), one for each set of angles, numbered from 1 in
/// the order in which they appear.
class AnsysNodeAxes {
 public:
  /// The system with these angles THXY, THYZ, THZX [degrees]: about z, then the new x, then the new
  /// y. 0 if the node is not rotated.
  std::int64_t system_of(const std::array<double, 3>& angles);
  std::vector<RawSystem> take() { return std::move(systems_); }

 private:
  std::map<std::array<std::int64_t, 3>, std::int64_t> known_;
  std::vector<RawSystem> systems_;
};

}  // namespace femflex::importer

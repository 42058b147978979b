// Shapes of files that know grids alone, and no subcases: frd, universal files, ANSYS results, MED.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// Rows of each point in RawModes::shapes if the file gives up to `given` (1 to 6) numbers a point.
inline Eigen::Index components_for(std::size_t given) {
  return given <= 3 ? 3 : 6;
}

/// A group of shapes at these grids, of subcase 1, still without values.
/// @param components  3 or 6, as RawModes::components
inline RawModes shapes_at_grids(std::string source,
                                RawModes::Kind kind,
                                RawModes::Frame frame,
                                std::vector<std::int64_t> points,
                                Eigen::Index components) {
  RawModes out;
  out.components = components;
  out.source = std::move(source);
  out.kind = kind;
  out.frame = frame;
  out.subcase = 1;
  out.is_scalar.assign(points.size(), 0);
  out.points = std::move(points);
  return out;
}

}  // namespace femflex::importer

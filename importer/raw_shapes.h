// Shapes of files that know grids alone, and no subcases: frd, universal files, ANSYS results.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// A group of shapes at these grids, of subcase 1, still without values.
inline RawModes shapes_at_grids(std::string source,
                                RawModes::Kind kind,
                                RawModes::Frame frame,
                                std::vector<std::int64_t> points) {
  RawModes out;
  out.source = std::move(source);
  out.kind = kind;
  out.frame = frame;
  out.subcase = 1;
  out.is_scalar.assign(points.size(), 0);
  out.points = std::move(points);
  return out;
}

}  // namespace femflex::importer

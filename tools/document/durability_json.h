// Documents of the stress verb: Woehler curves and gauges.
#pragma once

#include <filesystem>
#include <vector>

#include "femflex/durability/gauges.h"
#include "femflex/durability/woehler.h"

namespace femflex::tools {

/// A Woehler curve with the unit in which its stresses were given.
struct CurveFile {
  durability::WoehlerCurve curve;  ///< in Pa
  double unit = 1.0;               ///< [Pa]
  std::string unit_name;
};

/// Reads a curve, docs/formats/woehler.md.
/// @throws UsageError  no such file;  ParseError  a missing or unknown member;  ModelError  see
///                     durability::check_curve()
CurveFile read_curve(const std::filesystem::path& path);

/// Reads {"gauges": [{"name", "point": [x, y, z], "directions": [[x, y, z], ...]}]}, metres.
/// @throws UsageError  no such file;  ParseError  a missing or unknown member
std::vector<durability::Gauge> read_gauges(const std::filesystem::path& path);

}  // namespace femflex::tools

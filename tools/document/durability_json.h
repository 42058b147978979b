// Documents of the stress verb: Woehler curves and gauges.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "femflex/durability/gauges.h"
#include "femflex/durability/woehler.h"

#include "document/json.h"

namespace femflex::tools {

/// A Woehler curve with the unit in which its stresses were given.
struct CurveFile {
  durability::WoehlerCurve curve;  ///< in Pa
  double unit = 1.0;               ///< this unit [Pa]
  std::string unit_name;
};

/// Reads a curve, docs/formats/woehler.md.
/// @throws UsageError  no such file;  ParseError  a missing or unknown member;  ModelError  see
///                     durability::check_curve()
CurveFile read_curve(const std::filesystem::path& path);

/// A vector in a document, times a factor.
using VectorReader = std::function<Eigen::Vector3d(const Json& value, double factor)>;

/// Gauges of a list [{"name", "point": [x, y, z], "normal": [x, y, z], "directions": [[x, y, z],
/// ...]}]; the normal may be absent.
/// @param length  unit of the points [m]
/// @throws ParseError  a missing or unknown member, or a name that channels cannot have
std::vector<durability::Gauge> gauges_of(const Json& list,
                                         double length,
                                         const VectorReader& vector);

/// Reads {"gauges": list}, in metres.
/// @throws UsageError  no such file;  ParseError  a missing or unknown member
std::vector<durability::Gauge> read_gauges(const std::filesystem::path& path);

}  // namespace femflex::tools

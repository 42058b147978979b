// Reads the documents of the verb stress: Woehler curves (stress against number of cycles) and
// gauges.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "femflex/durability/gauges.h"
#include "femflex/durability/woehler.h"

#include "document/json.h"

namespace femflex::tools {

/// A Woehler curve, and the unit of stress in its file.
struct CurveFile {
  durability::WoehlerCurve curve;  ///< in Pa
  double unit = 1.0;               ///< the unit of the file [Pa]
  std::string unit_name;
};

/// Reads a curve, docs/formats/woehler.md. If there is no such file, the curve of the library with
/// this name (durability/curve_library.h).
/// @throws UsageError  no such file and no such curve
/// @throws ParseError  a missing or unknown member
/// @throws ModelError  see durability::check_curve()
CurveFile read_curve(const std::filesystem::path& path);

/// Reads a vector and multiplies it by `factor`.
using VectorReader = std::function<Eigen::Vector3d(const Json& value, double factor)>;

/// Reads gauges from a list [{"name", "point": [x, y, z], "normal": [x, y, z], "directions": [[x,
/// y, z], ...]}]; "normal" is optional.
/// @param length  unit of the points [m]
/// @throws ParseError  a missing or unknown member, or a name that is not allowed in channels
std::vector<durability::Gauge> gauges_of(const Json& list,
                                         double length,
                                         const VectorReader& vector);

/// Reads {"gauges": list} with lengths in metres.
/// @throws UsageError  no such file
/// @throws ParseError  a missing or unknown member
std::vector<durability::Gauge> read_gauges(const std::filesystem::path& path);

}  // namespace femflex::tools

// SystemReader: reads numbers, vectors and formulas of a system file. The readers of bodies, forces
// and other sections in tools/system/ use it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/laws/curve.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/name_table.h"
#include "femflex/progress.h"
#include "femflex/provenance.h"
#include "femflex/units.h"

#include "document/document.h"
#include "document/json_numbers.h"
#include "document/json_text.h"
#include "document/parameter_values.h"
#include "document/read_cache.h"

namespace femflex::tools {

/// Values of "interpolation".
inline constexpr auto kInterpolations = name_table<laws::Curve::Kind>(
    {{laws::Curve::Kind::linear, "linear"}, {laws::Curve::Kind::akima, "akima"}});

/// Converts values from the units of the file to SI, and evaluates formulas of its parameters.
class SystemReader {
 public:
  /// @param cache  keeps the content of files for other documents; may be null
  SystemReader(const Json& document,
               std::filesystem::path folder,
               Diagnostics& diagnostics,
               Progress& progress,
               ReadCache* cache = nullptr);

  // --- factors from the units of the file to SI
  double length() const { return units_.length; }
  double mass() const { return units_.mass; }
  double time() const { return units_.time; }
  double force() const { return units_.force(); }
  double torque() const { return units_.moment(); }
  double stiffness() const { return units_.stiffness(); }
  double damping() const { return units_.force() * units_.time / units_.length; }
  double inertia() const { return units_.inertia(); }
  double velocity() const { return units_.length / units_.time; }

  /// True if all bodies move in the xy plane.
  bool planar() const { return planar_; }

  /// A number or a "=formula" of parameters, times `factor`.
  double number(const Json& value, double factor = 1.0) const;
  double number(ObjectReader& reader,
                std::string_view key,
                double fallback,
                double factor = 1.0) const;
  std::optional<double> maybe(ObjectReader& reader,
                              std::string_view key,
                              double factor = 1.0) const;
  /// A number or a "=formula" that is an integer from `least` to `most`.
  std::int64_t whole(const Json& value, std::int64_t least, std::int64_t most = kMostWhole) const {
    return whole_at(value, number(value), least, most);
  }
  /// A number, or a text with this unit, such as "120 Hz".
  double with_unit(const Json& value, std::string_view unit) const;
  std::vector<double> numbers(const Json& value, double factor = 1.0) const;
  Eigen::Vector3d vector(const Json& value, double factor = 1.0) const;
  std::optional<Eigen::Vector3d> maybe_vector(ObjectReader& reader,
                                              std::string_view key,
                                              double factor = 1.0) const;
  /// A number, "=constant formula", a formula in t and channels, or a measured history
  /// { "csv", "column", "time", "factor", "interpolation", "beyond" } over time.
  mbd_solver::Value value(const Json& value, double factor = 1.0) const;
  mbd_solver::Value value(ObjectReader& reader,
                          std::string_view key,
                          double fallback,
                          double factor = 1.0) const;
  mbd_solver::Value3 value3(const Json& value, double factor = 1.0) const;
  mbd_solver::Table table(const Json& value, double x_factor, double y_factor) const;
  /// A rotation matrix, from one of { "euler", "order", "unit" }, { "quaternion" }, { "axis",
  /// "angle", "unit" }, { "matrix" }.
  Eigen::Matrix3d orientation(const Json& value) const;

  /// True if the file defines a parameter of this name.
  bool has_parameter(const std::string& name) const { return parameters_.contains(name); }

  /// Adds values to which the document refers by name instead of by file.
  void add_parts(const DocumentParts& parts) { parts_.insert(parts.begin(), parts.end()); }
  /// The value with this name; null if the name is that of a file or of a value of another type.
  template <class T>
  const T* part(const Json& name) const {
    const auto found = parts_.find(name.text());
    if (found == parts_.end()) return nullptr;
    const auto* held = std::get_if<const T*>(&found->second);
    return held == nullptr ? nullptr : *held;
  }
  /// The path of a file to which the document refers; adds it to sources() and files().
  std::filesystem::path file(const Json& name) const;

  void note_flex_file(const std::string& body, const std::filesystem::path& path) {
    flex_files_.emplace_back(body, path);
  }
  const std::vector<std::pair<std::string, std::filesystem::path>>& flex_files() const {
    return flex_files_;
  }

  Diagnostics& diagnostics() const { return diagnostics_; }
  Progress& progress() const { return progress_; }
  ReadCache* cache() const { return cache_; }
  const std::vector<Provenance::Source>& sources() const { return sources_; }
  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  mbd_solver::Value history(const Json& value, double factor) const;
  /// @throws ParseError  a name alone in a formula is nothing of the document
  void check_formula_name(const Json& where, const std::string& name) const;

  Units units_;
  bool planar_ = false;
  ParameterValues parameters_;
  std::vector<std::string> names_;  // that a formula may use alone, beside the parameters
  std::filesystem::path folder_;
  DocumentParts parts_;
  Diagnostics& diagnostics_;
  Progress& progress_;
  ReadCache* cache_ = nullptr;
  // mutable, because const functions read files
  mutable std::vector<Provenance::Source> sources_;
  mutable std::vector<std::filesystem::path> files_;  // paths of the sources
  std::vector<std::pair<std::string, std::filesystem::path>> flex_files_;
};

class SystemRoad;

/// Node numbers of each body to which places, forces and outputs of the document refer.
using NamedNodes = std::map<std::string, std::set<std::int64_t>, std::less<>>;

/// Source of the strains of a body's gauges.
struct GaugeBody {
  const FlexBody* body = nullptr;    ///< null: the body is rigid, and its gauges have no strain
  const FeModel* model = nullptr;    ///< null: read from `model_name`, or found in `folder`
  const Json* model_name = nullptr;  ///< "model" of the body; null: absent
  std::filesystem::path folder;      ///< folder of the body's file
};
/// The strains of gauges as sensors of a body; `value` is a list of gauges or the name of a file
/// with such a list.
std::vector<mbd_solver::BodySensor> read_gauge_sensors(const Json& value,
                                                       const GaugeBody& from,
                                                       SystemReader& in);

mbd_solver::Body read_body_entry(const std::string& name,
                                 const Json& value,
                                 const std::set<std::int64_t>& nodes,
                                 SystemReader& in);
std::map<std::string, mbd_solver::Marker> read_markers(const Json& value, SystemReader& in);
mbd_solver::Joint read_joint(const std::string& name, const Json& value, const SystemReader& in);
mbd_solver::Motion read_motion(const std::string& name, const Json& value, const SystemReader& in);
mbd_solver::Block read_block(const std::string& name, const Json& value, const SystemReader& in);
mbd_solver::Road read_road(const Json& value, const SystemReader& in);
/// @param road  the road of the document, for tyres without a road of their own
mbd_solver::Force read_force(const std::string& name,
                             const Json& value,
                             const SystemRoad& road,
                             const mbd_solver::System& system,
                             const SystemReader& in);

}  // namespace femflex::tools

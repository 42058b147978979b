// The document of a model that is watched, and the changes that a page makes in it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::live {

/// A named number that a slider moves.
struct Slider {
  std::string name;
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< ends of the slider
  double at = 0.0;               ///< where the value is between them, 0 to 1
};

/// One number of an element.
struct Field {
  std::string path;   ///< "springs/3/k"
  std::string label;  ///< "k"
  double value = 0.0;
  std::string parameter;  ///< the parameter that it is, empty: none
};

/// The document of a lattice or a system, and the changes that a page makes in it. A failing change
/// leaves it as it was.
class LiveDocument {
 public:
  LiveDocument(tools::Json document, bool is_lattice);

  const tools::Json& json() const { return json_; }
  bool is_lattice() const { return is_lattice_; }

  std::vector<Slider> sliders() const;
  /// @throws UsageError  no such parameter, or one that a formula gives
  void set(const std::string& name, double value);
  /// The same by the place of the slider, 0 to 1.
  void set_at(const std::string& name, double at);

  /// The numbers of the element at `path`; of the model itself if that is empty.
  std::vector<Field> fields(const std::string& path) const;
  /// The elements that act at a node, body or joint: hinges, loads, torsional springs, motions.
  /// @param place  as for add_load(); empty: none
  std::vector<std::string> related(const std::string& path, const std::string& place) const;
  /// Makes the number at `path` a parameter. In a lattice that is generated, all nodes and springs
  /// are written out first.
  /// @throws UsageError  no number there, or the name is taken or no name
  void name(const std::string& path, const std::string& name);

  bool has_gravity() const;
  void switch_gravity(bool on);
  /// @param place  a node's number in a lattice; "body", "body/node" in a system
  void add_load(const std::string& place, const Eigen::Vector3d& force);
  /// The spring at `path` has no force any more.
  void cut(const std::string& path);

 private:
  tools::Json* find(const std::string& path);
  const tools::Json* find(const std::string& path) const;
  void write_out();
  double number_of(const tools::Json& value) const;

  tools::Json json_;
  bool is_lattice_;
  tools::Json gravity_;                   // as it was when it was switched off
  std::map<std::string, double> middle_;  // value of each parameter when it was first seen
};

}  // namespace femflex::live

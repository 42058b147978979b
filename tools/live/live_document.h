// LiveDocument: the document of a running model, and the changes that a live page makes in it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "document/json.h"

namespace femflex::live {

/// A named number that a slider controls.
struct Slider {
  std::string name;
  double value = 0.0;
  double low = 0.0, high = 0.0;  ///< ends of the slider
  double at = 0.0;               ///< position of the value between the ends, 0 to 1
  /// formula of other parameters that gives the value; moving the slider replaces it by a number
  std::string formula;
};

/// One number of an element.
struct Field {
  std::string path;   ///< "springs/3/k"
  std::string label;  ///< "k"
  double value = 0.0;
  std::string parameter;  ///< parameter or formula that gives the value; empty if there is none
};

/// The document of a lattice or a system. A change that fails leaves the document unchanged.
class LiveDocument {
 public:
  LiveDocument(tools::Json document, bool is_lattice);

  const tools::Json& json() const { return json_; }
  bool is_lattice() const { return is_lattice_; }

  std::vector<Slider> sliders() const;
  /// Sets a parameter; a parameter given by a formula becomes a number.
  /// @throws UsageError  no such parameter
  void set(const std::string& name, double value);
  /// Sets a parameter by the position of its slider, 0 to 1.
  void set_at(const std::string& name, double at);

  /// The numbers of the element at `path`; if `path` is empty, those of the model itself.
  std::vector<Field> fields(const std::string& path) const;
  /// Paths of the hinges, loads, torsional springs and motions that act at the node, body or joint
  /// at `path`.
  /// @param place  the clicked node, in the form of add_load(); empty if none was clicked
  std::vector<std::string> related(const std::string& path, const std::string& place) const;
  /// Makes the number at `path` a parameter. If nodes and springs of a lattice are generated, they
  /// are first written out.
  /// @throws UsageError  there is no number at `path`, or the name is in use or is not a valid name
  void name(const std::string& path, const std::string& name);

  bool has_gravity() const;
  void switch_gravity(bool on);
  /// Adds a constant load.
  /// @param place  in a lattice, a node's number; in a system, "body" or "body/node"
  void add_load(const std::string& place, const Eigen::Vector3d& force);
  /// Whether cut() applies to the path: true for springs, hinges, loads and other forces.
  static bool can_cut(const std::string& path);
  /// Sets the force of the spring or hinge at `path` to zero, but keeps the element. Removes a
  /// load, or a force of a system.
  /// @throws UsageError  there is no such element
  void cut(const std::string& path);

 private:
  tools::Json* find(const std::string& path);
  const tools::Json* find(const std::string& path) const;
  void write_out();
  double number_of(const tools::Json& value) const;

  tools::Json json_;
  bool is_lattice_;
  tools::Json gravity_;                   // value of "gravity" before it was switched off
  std::map<std::string, double> middle_;  // first value of each parameter; the middle of its slider
};

}  // namespace femflex::live

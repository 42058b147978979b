// The document of a running model, and the changes that a page makes in it.
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
  /// formula in other parameters that gives the value; moving the slider replaces it by a number
  std::string formula;
};

/// One number of an element.
struct Field {
  std::string path;   ///< "springs/3/k"
  std::string label;  ///< "k"
  double value = 0.0;
  std::string parameter;  ///< parameter or formula that gives the value; empty: none
};

/// The document of a lattice or a system, and the changes that a page makes in it. A change that
/// fails leaves the document as it was.
class LiveDocument {
 public:
  LiveDocument(tools::Json document, bool is_lattice);

  const tools::Json& json() const { return json_; }
  bool is_lattice() const { return is_lattice_; }

  std::vector<Slider> sliders() const;
  /// Sets a parameter; one that is a formula becomes a number.
  /// @throws UsageError  no such parameter
  void set(const std::string& name, double value);
  /// Sets a parameter by the place of its slider, 0 to 1.
  void set_at(const std::string& name, double at);

  /// The numbers of the element at `path`; of the model itself if that is empty.
  std::vector<Field> fields(const std::string& path) const;
  /// Paths of the elements that act at the node, body or joint at `path`: hinges, loads, torsional
  /// springs, motions.
  /// @param place  the clicked node, written as for add_load(); empty if none was clicked
  std::vector<std::string> related(const std::string& path, const std::string& place) const;
  /// Makes the number at `path` a parameter. In a lattice that is generated, all nodes and springs
  /// are written out first.
  /// @throws UsageError  there is no number, or the name is taken or cannot be a name
  void name(const std::string& path, const std::string& name);

  bool has_gravity() const;
  void switch_gravity(bool on);
  /// Adds a constant load.
  /// @param place  a node's number in a lattice; "body", "body/node" in a system
  void add_load(const std::string& place, const Eigen::Vector3d& force);
  /// True for springs, hinges, loads and other forces.
  static bool can_cut(const std::string& path);
  /// Takes the force from the spring or hinge at `path`, which stays; removes a load, or a force of
  /// a system.
  /// @throws UsageError  there is none at this path
  void cut(const std::string& path);

 private:
  tools::Json* find(const std::string& path);
  const tools::Json* find(const std::string& path) const;
  void write_out();
  double number_of(const tools::Json& value) const;

  tools::Json json_;
  bool is_lattice_;
  tools::Json gravity_;                   // "gravity" before it was switched off
  std::map<std::string, double> middle_;  // first value of each parameter, the middle of its slider
};

}  // namespace femflex::live

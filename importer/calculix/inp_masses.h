// Point masses of a deck: *MASS and *ROTARY INERTIA give values to sets of elements with one node.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/importer/contents.h"

#include "calculix/inp_sets.h"

namespace femflex::importer {

/// Collects the masses and inertias of sets, then makes one mass per element.
class InpMasses {
 public:
  using Values = std::array<double, 6>;

  /// Declares an element with one node.
  void add_element(std::int64_t id, std::int64_t node) { node_of_[id] = node; }
  /// The mass of each element of a set, as the first value. Of several for one element the last
  /// counts, as in CalculiX.
  void set_mass(const std::string& set, const Values& values) { masses_.push_back({set, values}); }
  /// I11 I22 I33 I12 I13 I23 of the tensor of each element of a set; the last counts.
  void set_inertia(const std::string& set, const Values& values) {
    inertias_.push_back({set, values});
  }

  /// Adds all masses and rotary inertias to `contents`.
  /// @param turned  by node: the axes of its inertia, if they are not the global ones
  /// @param file    for warnings
  void finish(const InpSets& sets,
              const std::map<std::int64_t, Eigen::Matrix3d>& turned,
              const std::string& file,
              FileContents& contents,
              Diagnostics& diagnostics) const;

 private:
  struct OfSet {
    std::string set;
    Values values{};
  };
  std::vector<OfSet> masses_, inertias_;          ///< in the order of the deck
  std::map<std::int64_t, std::int64_t> node_of_;  ///< node of each element with one node
};

}  // namespace femflex::importer

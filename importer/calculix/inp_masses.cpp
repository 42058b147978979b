// Makes one mass per element of a set: first all masses, then all inertias.
#include "calculix/inp_masses.h"

#include <fmt/format.h>

namespace femflex::importer {
namespace {

/// The six numbers of CONM2, I11 I21 I22 I31 I32 I33, with the signs of CONM2: those off the
/// diagonal are the opposites of the tensor's.
std::array<double, 6> conm2_inertia(const InpMasses::Values& value, const Eigen::Matrix3d* axes) {
  Eigen::Matrix3d tensor;
  tensor << value[0], value[3], value[4], value[3], value[1], value[5], value[4], value[5],
      value[2];
  if (axes != nullptr) tensor = (*axes * tensor * axes->transpose()).eval();
  return {tensor(0, 0), -tensor(1, 0), tensor(1, 1), -tensor(2, 0), -tensor(2, 1), tensor(2, 2)};
}

}  // namespace

void InpMasses::finish(const InpSets& sets,
                       const std::map<std::int64_t, Eigen::Matrix3d>& turned,
                       const std::string& file,
                       FileContents& contents,
                       Diagnostics& diagnostics) const {
  for (const bool is_rotary : {false, true}) {
    std::map<std::int64_t, const Values*> of_element;
    for (const OfSet& each : is_rotary ? inertias_ : masses_) {
      const InpSets::Members* members = sets.find(each.set);
      if (members == nullptr) {
        diagnostics.warn("unknown-set",
                         fmt::format("*{}: the deck has no element set {}",
                                     is_rotary ? "ROTARY INERTIA" : "MASS",
                                     each.set),
                         {file});
        continue;
      }
      for (const std::int64_t id : *members)
        of_element[id] = &each.values;
    }
    for (const auto& [id, values] : of_element) {
      const auto node = node_of_.find(id);
      if (node == node_of_.end()) continue;
      RawMass mass;
      mass.id = id;
      mass.node = node->second;
      if (is_rotary) {
        const auto axes = turned.find(mass.node);
        mass.inertia = conm2_inertia(*values, axes == turned.end() ? nullptr : &axes->second);
      } else {
        mass.mass = (*values)[0];
      }
      contents.masses.push_back(mass);
    }
  }
}

}  // namespace femflex::importer

// Temperatures of the nodes of a deck (*INITIAL CONDITIONS, *TEMPERATURE), by which the constants
// of materials are chosen.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "femflex/importer/contents.h"

namespace femflex::importer {

/// The temperature of a whole model.
struct InpTemperature {
  bool is_given = false;
  std::optional<double> value;  ///< absent: none is given, or it differs from place to place
};

class InpTemperatures {
 public:
  /// Takes the initial temperature of a node; that of the line with the largest `order` counts.
  void set(std::int64_t node, double temperature, std::int64_t order) {
    Initial& initial = initial_[node];
    if (order > initial.order) initial = {temperature, order};
  }
  /// Declares that a step changes temperatures.
  void change() { is_changed_ = true; }
  /// The temperature of the nodes of these elements.
  InpTemperature of(const std::vector<ElementBlock>& elements) const;

 private:
  struct Initial {
    double temperature = 0.0;
    std::int64_t order = 0;
  };
  std::map<std::int64_t, Initial> initial_;
  bool is_changed_ = false;
};

}  // namespace femflex::importer

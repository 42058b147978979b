// Finds whether all nodes of the elements have one temperature, which no step changes.
#include "calculix/inp_temperatures.h"

namespace femflex::importer {

InpTemperature InpTemperatures::of(const std::vector<ElementBlock>& elements) const {
  InpTemperature out;
  out.is_given = is_changed_ || !initial_.empty();
  if (is_changed_) return out;
  for (const ElementBlock& block : elements)
    for (const std::int64_t node : block.connectivity) {
      const auto found = initial_.find(node);
      if (found == initial_.end()) return {out.is_given, std::nullopt};
      const double temperature = found->second.temperature;
      if (temperature != out.value.value_or(temperature)) return {out.is_given, std::nullopt};
      out.value = temperature;
    }
  return out;
}

}  // namespace femflex::importer

// Walks through the steps in ascending order and keeps the forces of each for the next.
#include "calculix/inp_forces.h"

#include <string>
#include <utility>

namespace femflex::importer {

std::set<std::int64_t> InpForces::steps() const {
  std::set<std::int64_t> out;
  for (const auto& [step, unused] : forces_)
    out.insert(step);
  return out;
}

void InpForces::finish(std::int64_t last_step,
                       bool is_abaqus,
                       InpAmplitudes& amplitudes,
                       RawLoads& loads) {
  std::vector<StepForce> before;
  std::string reason;  // why the loads of the step before are incomplete
  for (std::int64_t step = 1; step <= last_step; ++step) {
    const bool is_alone = perturbations_.contains(step);
    const bool goes_on = !(is_alone && is_abaqus);  // the next step keeps the forces of this one
    if (goes_on && (is_alone || anew_.contains(step))) before.clear();
    if (goes_on && is_alone) reason.clear();
    const auto found = forces_.find(step);
    if (found != forces_.end()) {
      std::vector<StepForce>& forces = found->second;
      std::set<std::pair<std::int64_t, std::int64_t>> replaced;  // node and direction
      for (const StepForce& own : forces)
        replaced.insert({own.force.node, own.direction});
      if (goes_on)
        for (StepForce kept : before)
          if (!replaced.contains({kept.force.node, kept.direction})) {
            kept.force.set = step;
            forces.push_back(kept);
          }
      if (goes_on) before.clear();
      for (const StepForce& each : forces) {
        RawForce force = each.force;
        const double factor = amplitudes.factor(each.amplitude, step);
        for (double& value : force.value)
          value *= factor;
        loads.forces.push_back(force);
        if (!goes_on) continue;
        const bool is_over = !amplitudes.is_over_total_time(each.amplitude);
        before.push_back(is_over ? StepForce{force, each.direction} : each);
      }
      if (goes_on && !reason.empty()) loads.incomplete.emplace(step, reason);
    }
    if (const auto own = loads.incomplete.find(step); goes_on && own != loads.incomplete.end())
      reason = own->second;
  }
}

}  // namespace femflex::importer

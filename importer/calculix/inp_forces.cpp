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

void InpForces::finish(std::int64_t last_step, RawLoads& loads) {
  std::vector<StepForce> before;
  for (auto& [step, forces] : forces_) {
    std::set<std::pair<std::int64_t, std::int64_t>> replaced;  // node and direction
    for (const StepForce& own : forces)
      replaced.insert({own.force.node, own.direction});
    if (!perturbations_.contains(step) && !anew_.contains(step))
      for (StepForce kept : before)
        if (!replaced.contains({kept.force.node, kept.direction})) {
          kept.force.set = step;
          forces.push_back(kept);
        }
    before = forces;
    for (const StepForce& each : forces)
      loads.forces.push_back(each.force);
  }
  std::string reason;
  for (std::int64_t step = 1; step <= last_step; ++step) {
    if (perturbations_.contains(step)) reason.clear();
    if (!reason.empty() && forces_.contains(step)) loads.incomplete.emplace(step, reason);
    if (const auto own = loads.incomplete.find(step); own != loads.incomplete.end())
      reason = own->second;
  }
}

}  // namespace femflex::importer

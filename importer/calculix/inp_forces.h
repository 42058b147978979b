// Concentrated forces of a deck (*CLOAD) by step: which forces of the step before a step keeps.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "femflex/importer/contents.h"

#include "calculix/inp_amplitudes.h"

namespace femflex::importer {

class InpForces {
 public:
  /// The step is a perturbation: it keeps no forces of the step before.
  void begin_perturbation(std::int64_t step) { perturbations_.insert(step); }
  /// The step keeps no forces of the step before (OP=NEW).
  void begin_anew(std::int64_t step) { anew_.insert(step); }
  bool is_perturbation(std::int64_t step) const { return perturbations_.contains(step); }
  bool has_perturbations() const { return !perturbations_.empty(); }
  /// Declares that the step has loads, even if it has no forces of its own.
  void add_step(std::int64_t step) { forces_[step]; }
  /// @param direction  1 to 6; a force replaces that of the step before at its node and direction
  /// @param amplitude  name of its amplitude, may be empty
  void add(const RawForce& force, std::int64_t direction, const std::string& amplitude) {
    forces_[force.set].push_back({force, direction, amplitude});
  }
  /// The steps with loads.
  std::set<std::int64_t> steps() const;

  /// Adds to the forces of each step those of the step before that it does not replace, as CalculiX
  /// and Abaqus do: forces stay until a step begins them anew, and the forces of a perturbation are
  /// those of its own lines. After it CalculiX goes on from the perturbation, Abaqus from the step
  /// before it. A step without loads of its own is not a load case.
  /// @param last_step  number of steps in the deck
  /// @param is_abaqus  the deck is one of Abaqus
  /// @param amplitudes give the size at the end of each step
  /// @param loads      receives the forces. A step that keeps loads of an incomplete step becomes
  /// incomplete.
  void finish(std::int64_t last_step, bool is_abaqus, InpAmplitudes& amplitudes, RawLoads& loads);

 private:
  struct StepForce {
    RawForce force;
    std::int64_t direction = 0;  ///< 1 to 6
    std::string amplitude{};
  };
  std::map<std::int64_t, std::vector<StepForce>> forces_;  ///< of each step
  std::set<std::int64_t> perturbations_, anew_;
};

}  // namespace femflex::importer

// Supports of CalculiX and Abaqus decks (*BOUNDARY) by step: which of them hold when the matrices
// are made.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"

#include "calculix/inp_amplitudes.h"

namespace femflex::importer {

/// The directions that a named condition of *BOUNDARY holds, as "123"; empty for other names.
std::string_view inp_held_by(std::string_view condition);

/// Supports stay from step to step until OP=NEW begins anew. A model has one set of supports: that
/// of the last step that makes modes or matrices (*FREQUENCY, *MATRIX GENERATE, *SUBSTRUCTURE
/// GENERATE), else that of the last step.
class InpSupports {
 public:
  /// Takes a keyword line in step `step` (0: before the first). `is_new`: it has OP=NEW.
  void begin(const std::string& keyword, std::int64_t step, bool is_new);
  /// What a line prescribes: a displacement, which an amplitude may scale.
  struct Motion {
    double value = 0.0;
    std::string amplitude{};
    bool is_unknown = false;  ///< that of another model, or what the step before has moved
    /// True if the support is displaced at the end of `step`, by a line of step `own`.
    bool is_moved(std::int64_t own, std::int64_t step, const InpAmplitudes& amplitudes) const;
  };
  void add(std::int64_t step, const Dof& dof, const Motion& motion) {
    supports_[step].push_back({dof, step, motion});
  }
  /// Steps up to `last_step` at whose end a support is displaced.
  std::set<std::int64_t> moving_steps(std::int64_t last_step,
                                      const InpAmplitudes& amplitudes) const;
  /// True if the step itself has a support that moves.
  bool moves_by_itself(std::int64_t step, const InpAmplitudes& amplitudes) const;
  /// The supports of the model, in the order of the deck. Warns if those of another step differ.
  /// @param last_step  number of steps
  /// @param file       for warnings
  std::vector<Dof> finish(std::int64_t last_step,
                          const std::string& file,
                          Diagnostics& diagnostics) const;

 private:
  struct Support {
    Dof dof;
    std::int64_t step = 0;  ///< of its line
    Motion motion{};
  };
  std::vector<Support> of_step(std::int64_t step) const;

  std::map<std::int64_t, std::vector<Support>> supports_;  // the lines of each step
  std::set<std::int64_t> new_steps_;                       // that keep no supports of earlier ones
  std::int64_t matrix_step_ = 0;  // the last one that makes modes or matrices
};

}  // namespace femflex::importer

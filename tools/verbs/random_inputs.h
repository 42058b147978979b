// Random inputs of a system, from a table of one-sided spectral densities over frequency. The verb
// stress uses them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/system.h"

#include "results/results_file.h"

namespace femflex::verbs {

/// Reads one-sided densities over frequency, one column each.
/// @throws UsageError  frequencies do not rise, a density is negative, or a column has no name
tools::ResultSeries read_spectra(const std::filesystem::path& path);

/// An input of the system that is driven by a column of the densities.
struct DrivenInput {
  Eigen::Index input = 0;  ///< index in RandomInputs::names
  double delay = 0.0;      ///< [s]
  double factor = 1.0;     ///< from the unit of the column to that of the input
};

/// Statistically independent processes and the inputs on which they act.
struct RandomInputs {
  std::vector<std::string> names;  ///< without repetition
  std::vector<std::vector<DrivenInput>> columns;
  tools::ResultSeries densities;

  /// The largest difference of the delays of a column [s].
  double widest_delay() const;
};

/// Reads densities whose columns name inputs: "road", or "front+rear@0.25" for a process that acts
/// on the second input 0.25 s later.
/// @throws UsageError  see read_spectra(); or a name or delay is missing
RandomInputs read_random_inputs(const std::filesystem::path& path);

/// Sets the factors to the units of the inputs: those declared for inputs and outputs of blocks, SI
/// for channels along which a unit force or moment acts.
/// @throws UsageError  a column is in another unit, or in none and its inputs in different ones
void set_factors(const mbd_solver::System& system,
                 const std::filesystem::path& path,
                 RandomInputs& inputs);

}  // namespace femflex::verbs

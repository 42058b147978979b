#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "lattice/run_lattice.h"

namespace femflex::verbs {

/// Values that are absent come from the file of the lattice, else from the defaults of LatticeJob.
struct LatticeRequest {
  tools::DocumentInput lattice;  ///< or the file of a K/D matrix, FyDiK or a polynomial
  bool rest_from_start = false;  ///< of a K/D matrix: rest lengths from the start positions
  std::optional<int> dimension;  ///< of a polynomial: positions in a block of its states
  std::optional<std::vector<double>> initial;  ///< states that a polynomial starts from
  std::filesystem::path resume;                ///< a saved state to start from; empty: none

  std::optional<double> friction;     ///< [N s/m] force -C v on every node
  std::optional<double> step;         ///< [s]
  std::optional<double> end;          ///< [s]; statics: the time at which loads are taken
  std::optional<double> output_step;  ///< [s]
  std::string integrator;             ///< empty: as in the file
  std::optional<double> relative_tolerance, absolute_tolerance;
  int threads = 0;  ///< 0: the library's own choice

  bool statics = false;
  bool stay_on_branch = false;  ///< statics: follow the loads past unstable equilibria
  std::optional<double> load_factor;
  std::optional<int> load_steps;
  bool buckling = false;
  std::optional<double> largest_factor;  ///< of buckling and of the branch

  std::vector<std::int64_t> nodes;  ///< shown; empty: all of a small lattice
  bool keep_held = false;           ///< K and M: with the held DOFs
  bool force = false;               ///< write the result however large it is
  std::string provenance;           ///< how the files were made, stored in them
  /// Files to write: result, table, equilibrium path, K and M, last state, the model itself;
  /// empty: not.
  std::filesystem::path output, csv, branch, to_fe, save_state, write;
};

struct LatticeOutcome {
  tools::LatticeOutcome run;      ///< left as constructed where only the model was written
  std::filesystem::path written;  ///< the model; empty: not requested
  bool is_run = true;             ///< false: the model was written, nothing else
};

/// Moves a spring-mass Hamiltonian model, finds its equilibrium, its buckling load or its
/// equilibrium path, gives its K and M, or writes it in another format.
/// @throws UsageError  options that contradict each other or the model; see read_any_lattice()
/// @throws ParseError, ModelError, NumericalError  see read_any_lattice(), run_lattice()
LatticeOutcome lattice(const LatticeRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

// lattice(): the verb `lattice`, which runs, solves or converts a spring-mass model.
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

/// Input of lattice(). Values that are not set come from the lattice file, or else from the
/// defaults of LatticeJob.
struct LatticeRequest {
  /// A lattice (JSON or a value), or a file in another format: a K/D matrix (stiffnesses and rest
  /// lengths as CSV), FyDiK (XML), or a polynomial Hamiltonian (text or JSON).
  tools::DocumentInput lattice;
  tools::DocumentOptions document;  ///< values to set in a lattice in JSON, and its variant
  bool rest_from_start = false;     ///< K/D matrix: compute rest lengths from the start positions
  std::optional<int> dimension;     ///< polynomial: number of positions per block of states
  std::optional<std::vector<double>> initial;  ///< polynomial: initial values of its states
  std::filesystem::path resume;                ///< stored state to start from; empty: none

  std::optional<double> friction;  ///< [N s/m] coefficient C of a force -C v on every node
  std::optional<double> step;      ///< [s] time step of the integrator
  /// [s] End of the run; for statics, the time at which loads are evaluated.
  std::optional<double> end;
  std::optional<double> output_step;  ///< [s] time between two rows of the result
  std::string integrator;             ///< empty: the integrator given in the file
  std::optional<double> relative_tolerance, absolute_tolerance;
  int threads = 0;  ///< number of threads; 0: chosen automatically

  bool statics = false;
  /// Statics: follow the equilibrium path even where it is unstable.
  bool stay_on_branch = false;
  std::optional<double> load_factor;
  std::optional<int> load_steps;
  bool buckling = false;
  /// Largest load factor of buckling and of the equilibrium path.
  std::optional<double> largest_factor;

  /// Ids of nodes to list; empty: all nodes if the lattice is small.
  std::vector<std::int64_t> nodes;
  /// Further channels of the result: springs, nodes, parts, polar, mass.
  std::vector<std::string> show;
  std::vector<std::int64_t> springs;  ///< numbers of springs to show; empty: all
  std::vector<std::string> groups;    ///< "NAME=SPRINGS": the sum of the energies of these springs
  std::optional<std::vector<double>> centre;  ///< [m] centre of the polar coordinates
  std::string beam;        ///< kind of beam for which the bending stiffness is computed; empty:
                           ///< none
  bool keep_held = false;  ///< K and M include the fixed DOFs
  bool force = false;      ///< write the result regardless of its size
  bool in_memory = false;  ///< keep the rows in the outcome if `output` is empty
  std::string provenance;  ///< how the files were made; stored in them
  /// Files to write: result, table, equilibrium path, K and M, polynomial, last state, and the
  /// model itself. Files with an empty path are not written.
  std::filesystem::path output, csv, branch, to_fe, to_polynomial, save_state, write;
};

struct LatticeOutcome {
  tools::LatticeOutcome run;  ///< outcome of the run; empty if only the model was written
  std::vector<std::filesystem::path> written;  ///< files of the model
  bool is_run = true;                          ///< false: only the model was written
};

/// Runs a spring-mass model over time, finds its equilibrium, buckling load or equilibrium path,
/// computes K and M, or writes it in another format.
/// @throws UsageError  options contradict each other or the model; see read_any_lattice()
/// @throws ParseError, ModelError, NumericalError  see read_any_lattice(), run_lattice()
LatticeOutcome lattice(const LatticeRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

// run_lattice(): carries out an analysis of a spring-mass model for the verb lattice: motion over
// time, equilibrium, buckling, an equilibrium path, or the matrices K and M. This header also
// declares the functions that read and write these models in all supported formats.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/hamiltonian/polynomial.h"
#include "femflex/progress.h"

#include "document/document.h"
#include "document/json.h"
#include "lattice/lattice_channels.h"
#include "lattice/lattice_fydik.h"
#include "lattice/lattice_json.h"
#include "lattice/lattice_state.h"
#include "results/results_file.h"

namespace femflex::tools {

/// A spring-mass model in any supported format, recognised by its content: JSON, K/D matrix
/// (stiffnesses and rest lengths as CSV), FyDiK (XML), or the text of a polynomial Hamiltonian.
struct AnyLattice {
  LatticeDocument document;
  std::optional<hamiltonian::Polynomial> polynomial;  ///< the model, if it is not a lattice
  std::vector<double> start;        ///< start states of a polynomial; empty: not given
  bool is_polynomial_text = false;  ///< the polynomial was read from its text form
  std::optional<FydikModel> fydik;  ///< FyDiK model as read, for writing
  bool is_matrix = false;           ///< read from a K/D matrix
};

struct LatticeReadOptions {
  bool rest_lengths_from_start = false;  ///< K/D matrix: rest lengths follow from start positions
  int polynomial_dimension = 1;          ///< text of a polynomial: coordinates per point
  DocumentOptions document;  ///< changes of a lattice in JSON: parameter values, a variant
};

/// Reads a lattice or a polynomial in JSON.
/// @throws ParseError, ModelError  see the readers of the formats
AnyLattice read_any_json(const Json& document);

/// Reads a model of any format.
/// @throws UsageError  no such file, or changes are requested for a file that is not JSON
/// @throws ParseError, ModelError  see the readers of the formats
AnyLattice read_any_lattice(const std::filesystem::path& path, const LatticeReadOptions& options);

/// Writes a model as JSON, `.csv`, `.fdk` or `.txt` (polynomial), chosen by the extension. Warns of
/// content that the format cannot represent.
void write_lattice(const AnyLattice& lattice,
                   const std::filesystem::path& path,
                   Diagnostics& diagnostics);

/// Writes the Hamiltonian as a polynomial: as three arrays (.json) or as text (.txt).
/// @throws ModelError  the lattice is not polynomial
void write_polynomial(const AnyLattice& any,
                      const std::filesystem::path& path,
                      Diagnostics& diagnostics);

/// An analysis of a lattice and its files. A file with an empty path is not written.
struct LatticeJob {
  hamiltonian::RunOptions run;
  bool statics = false;
  bool any_equilibrium = false;  ///< statics: accepts an unstable equilibrium
  bool buckling = false;
  double load_factor = 1.0;      ///< statics: factor of all loads
  int load_steps = 10;           ///< statics: number of steps in which the loads grow
  double largest_factor = 10.0;  ///< buckling and path: the load factor at which the search ends
  /// Ids of nodes to list; empty: all nodes if the lattice is small.
  std::vector<std::int64_t> nodes;
  ChannelChoice channels;   ///< channels in addition to motion and energies
  bool keep_output = true;  ///< false: `output` is deleted after the table `csv` has been written
  bool in_memory = false;   ///< the rows are stored in LatticeOutcome::series; `output` is empty
  bool force = false;       ///< write the result regardless of its size
  std::filesystem::path output;               ///< result of a run
  std::filesystem::path csv;                  ///< the same as a table
  std::filesystem::path to_fe;                ///< FE model with K and M
  std::filesystem::path save_state;           ///< state at the end
  std::filesystem::path resume;               ///< state to start from, which save_state wrote
  std::filesystem::path branch;               ///< equilibrium path as a table
  std::optional<hamiltonian::State> initial;  ///< start state; absent: that of the model
  bool keep_held = false;                     ///< to_fe: K and M include the fixed DOFs
  std::string summary;                        ///< the command, stored in the files
};

/// Results as a JSON document, as text for the terminal, and as rows over time.
struct LatticeOutcome {
  int exit_code = 0;
  Json document = Json::object();
  std::string text;
  std::shared_ptr<ResultSeries> series;  ///< the rows of a run in memory; null if there are none
};

LatticeOutcome run_lattice(const AnyLattice& lattice,
                           const LatticeJob& job,
                           Diagnostics& diagnostics,
                           Progress& progress);

}  // namespace femflex::tools

// Computes modes of every kind (normal, constraint, attachment, static, Krylov) from the K and M of
// an FE model. Here are also the options of the sparse solvers.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "femflex/diagnostics.h"
#include "femflex/fe_model.h"
#include "femflex/mode_set.h"
#include "femflex/progress.h"

namespace femflex::modal {

/// The back end for sparse factorisation. `automatic` selects the best one that is built in.
enum class Backend : std::uint8_t { automatic, supernodal, cholmod, mumps, eigen };
/// Reads a name such as "mumps". @throws UsageError  no such back end, or not built in
Backend parse_backend(std::string_view name);
/// Names of the back ends built in, best first.
std::vector<std::string> backend_names();

/// A back end that is made for one program: see run_distributed().
class Factorisation;
using FactorMaker = std::function<std::unique_ptr<Factorisation>()>;
/// Reads a size such as "16G", "800M", "2.5 GB" [byte]: k, M, G, T are powers of 1000.
/// @throws UsageError
double parse_memory(std::string_view text);

enum class Eigensolver : std::uint8_t { automatic, block_lanczos, spectra };

/// How the sparse problems are solved; the defaults suit all but experts.
struct SolveOptions {
  Backend backend = Backend::automatic;
  FactorMaker factor_maker;  ///< makes the factorisation instead of `backend`; empty: none
  Eigensolver eigensolver = Eigensolver::automatic;
  double residual = 5e-9;       ///< largest |K phi - lambda M phi| / |K phi| of an elastic mode
  int block = 0;                ///< columns per Lanczos block; 0: chosen automatically
  bool sturm_check = true;      ///< count eigenvalues by inertia and find missed ones
  std::optional<double> shift;  ///< sigma [1/time^2]; absent: chosen automatically
  int threads = 1;
  /// memory that this process may take [byte]: the factor goes to disk if it has to; absent: no
  /// limit
  std::optional<double> memory;
};

/// Which modes to compute from K and M.
struct ModeRequest {
  enum class Boundary : std::uint8_t {
    none,       ///< only the single-point constraints of the component
    interface,  ///< interface nodes fixed as well (Craig-Bampton)
  };
  /// What "constraint mode" means: the two usual conventions.
  enum class ConstraintSense : std::uint8_t {
    unit_motion,  ///< one interface DOF moves by 1, the other interface DOFs are fixed
    all_but_one,  ///< 1993 report: every DOF but one is fixed, `unit_force` acts on that one
  };

  /// number of normal modes, including rigid ones if the component floats
  std::int64_t normal = 0;
  bool at_most = false;  ///< `normal` is an upper limit: if fewer modes exist, all are computed
  /// all normal modes up to this frequency; if `normal` is set, at most that many
  std::optional<double> fmax_hz;
  std::optional<double> fmin_hz;  ///< lower limit of the band that ends at `fmax_hz`
  bool all = false;               ///< every finite normal mode, for models of up to 12000 DOFs
  /// include all rigid modes of a floating component, even if `normal` is smaller
  bool rigid = false;
  Boundary fixed = Boundary::none;

  bool constraint = false;
  ConstraintSense constraint_sense = ConstraintSense::unit_motion;
  double unit_force = -1.0;   ///< force for all_but_one; negative as in the 1993 report
  bool static_loads = false;  ///< one static mode per load case of the model
  bool attachment = false;    ///< attachment modes: unit forces on the interface DOFs
  /// attachment modes minus the part that the kept normal modes represent
  bool residual_attachment = false;
  bool inertia_relief = false;  ///< displacements under the six unit rigid accelerations
  /// response to the part of the load cases that the normal modes do not represent
  bool modal_truncation = false;
  std::int64_t krylov = 0;  ///< moment-matching vectors per load case or interface DOF,
                            ///< after the rigid modes of a floating component
  std::vector<Dof> dofs;    ///< DOFs for constraint and attachment modes; empty: all
                            ///< of the interface nodes
  SolveOptions solve;
};

/// Figures of the computation: solvers, sizes, counts and times.
struct SolveReport {
  std::string backend;
  std::string eigensolver;
  std::int64_t unknowns = 0;
  std::int64_t factor_entries = 0;
  double factor_memory = 0.0;  ///< of one process, as the analysis foresees it [byte]
  double factor_flops = 0.0;   ///< operations of one factorisation
  std::int64_t solves = 0;     ///< number of columns that the eigensolver solved for
  int block = 1;               ///< number of columns that the eigensolver solved for at a time
  double shift = 0.0;          ///< of the factor of the search; above the modes if that counts them
                               ///< as well [1/time^2]
  /// number of eigenvalues up to the last one, proven by inertia; -1: not counted
  std::int64_t sturm_expected = -1;
  std::int64_t rigid_modes = 0;  ///< number of rigid modes, which come first
  std::int64_t zero_modes = 0;   ///< number of rigid modes and further zero-energy motions
  /// number of eigenvalues below zero by more than the last digits of K explain
  std::int64_t negative_modes = 0;
  double worst_residual = 0.0;
  double seconds_order = 0.0, seconds_factor = 0.0, seconds_modes = 0.0, seconds_check = 0.0;
};

struct ComputedModes {
  ModeSet modes;  ///< on all DOFs of the model; normal modes have unit generalised mass
  SolveReport report;
};

/// Computes modes; add them to the model by `model.modes = merged(model.modes, computed.modes)`.
/// Rows that single-point constraints fix are zero; rigid elements (RBE2) tie their dependent
/// nodes; DOFs without stiffness and mass are left out, with a warning that names them.
///
/// @throws ModelError      no K or M, K not symmetric positive semidefinite, M indefinite, an
///                         interface on dependent rows, more modes requested than exist
/// @throws NumericalError  a mechanism (names its DOFs), or no convergence
ComputedModes compute_modes(const FeModel& model,
                            const ModeRequest& request,
                            Diagnostics& diagnostics,
                            Progress& progress = no_progress());

}  // namespace femflex::modal

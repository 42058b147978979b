// reduce(): the verb reduce. Reduces an FE model, or the files of an FE code, to a flexible body
// and writes its files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/flex_body.h"
#include "femflex/importer/import_model.h"
#include "femflex/modal/reduce.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "verbs/input.h"

namespace femflex::verbs {

/// A model of the same part under a preload (the cause). Its K gives a stiffening term of the body.
struct PreloadedModel {
  GeometricStiffness::Cause cause = GeometricStiffness::Cause::spin_xx;
  double amount = 1.0;  ///< amount of the cause: m/s^2, rad/s^2, (rad/s)^2
  ModelInput model;
};

/// Input of reduce().
struct ReduceRequest {
  ModelInput model;
  /// Further files of the FE code, interface nodes and spiders. If there are any, `model` is also a
  /// file of this code, and all are imported together.
  importer::ImportRequest parts;
  std::optional<Units> units;  ///< units of models that give none
  modal::ReduceOptions options;
  bool has_krylov = false, has_tolerance = false;  ///< true: given, if only with the default value
  /// True: a model without modes is reduced with common defaults, a Craig-Bampton set that is
  /// orthogonalised and scaled.
  bool may_take_defaults = false;
  bool may_take_damping = false;  ///< true: these defaults include the damping `adams`
  /// Preloaded models in addition to those of `options`.
  std::vector<PreloadedModel> preloaded;
  std::optional<std::string> name;             ///< name of the body; absent: name of the model
  std::string provenance;                      ///< how the body was made; stored in it
  std::vector<std::filesystem::path> outputs;  ///< body files to write; empty: none
};

/// Outcome of reduce().
struct ReduceOutcome {
  FlexBody body;
  modal::ReduceReport report;
  bool took_defaults = false;  ///< true: the defaults of ReduceRequest::may_take_defaults were used
  std::string damping;         ///< the damping as text; "undamped" if there is none
  Eigen::MatrixXd energy;      ///< modal::kinetic_energy_fractions() of the body
  /// Time of each step [s].
  struct Seconds {
    double read = 0.0, reduce = 0.0, write = 0.0;
  } seconds;
};

/// Selects modes of a model, orthogonalises, rejects and scales them, and writes the body.
/// @throws UsageError  the extension of a file name belongs to no body format; an option belongs to
/// another method; see load()
/// @throws ModelError, NumericalError  see modal::reduce(); a preloaded model has other DOFs
ReduceOutcome reduce(const ReduceRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

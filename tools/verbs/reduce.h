// The verb reduce as a function: an FE model or the files of an FE code in, a flexible body and its
// files out.
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

/// A model of the same part under a preload (the cause): its K gives a stiffening term of the body.
struct PreloadedModel {
  GeometricStiffness::Cause cause = GeometricStiffness::Cause::spin_xx;
  double amount = 1.0;  ///< amount of the cause: m/s^2, rad/s^2, (rad/s)^2
  ModelInput model;
};

/// Input of reduce().
struct ReduceRequest {
  ModelInput model;
  /// Further files of the FE code, interface nodes and spiders: with any of them `model` is a file
  /// of that code, too, and all are imported together.
  importer::ImportRequest parts;
  std::optional<Units> units;  ///< units of the models, if they give none
  modal::ReduceOptions options;
  /// True: a model without modes is reduced as the trade does it, a Craig-Bampton set that is
  /// orthogonalised and scaled.
  bool may_take_defaults = false;
  bool may_take_damping = false;  ///< and with the damping `adams`
  /// Preloaded models in addition to those of `options`.
  std::vector<PreloadedModel> preloaded;
  std::optional<std::string> name;             ///< name of the body; absent: that of the model
  std::string provenance;                      ///< how it was made, stored in the body
  std::vector<std::filesystem::path> outputs;  ///< body files to write; none: no files
};

/// Outcome of reduce().
struct ReduceOutcome {
  FlexBody body;
  modal::ReduceReport report;
  bool took_defaults = false;  ///< see ReduceRequest::may_take_defaults
  std::string damping;         ///< the damping in words; "undamped" where there is none
  Eigen::MatrixXd energy;      ///< modal::kinetic_energy_fractions() of the body
  /// Time of each step [s].
  struct Seconds {
    double read = 0.0, reduce = 0.0, write = 0.0;
  } seconds;
};

/// Chooses modes of a model, orthogonalises, rejects, scales, and writes the body.
/// @throws UsageError  a file name of no known body format; see load()
/// @throws ModelError, NumericalError  see modal::reduce(); a preloaded model with other DOFs
ReduceOutcome reduce(const ReduceRequest& request, Diagnostics& diagnostics, Progress& progress);

}  // namespace femflex::verbs

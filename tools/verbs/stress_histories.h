// Histories of a run besides its peaks: stresses of chosen elements, section forces of bars and
// beams, strains of virtual gauges. Part of the verb stress.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/diagnostics.h"
#include "femflex/durability/stress_mesh.h"
#include "femflex/fe_model.h"

#include "results/results_file.h"
#include "verbs/stress.h"
#include "verbs/stress_preload.h"
#include "verbs/stress_recovery.h"

namespace femflex::verbs {

/// Collects histories as channels BODY/ELEMENT/stress/..., and their extremes in the document and
/// the text of the outcome.
class Histories {
 public:
  /// @param zeta  modal coordinates, one row per instant; must outlive the histories
  Histories(std::string body, const Eigen::VectorXd& time, const Eigen::MatrixXd& zeta);

  /// Adds the stresses of the elements in `request.histories`. Warns if they come from elsewhere
  /// than the stresses `peaks` of the run.
  void add_elements(const FeModel& model,
                    const durability::ShapeSet& shapes,
                    const StressRequest& request,
                    const Preload& preload,
                    const Recovery& peaks,
                    Diagnostics& diagnostics,
                    StressOutcome& out);

  /// Adds the section forces of the bars, beams and rods in `request.forces`.
  void add_forces(const FeModel& model,
                  const durability::ShapeSet& shapes,
                  const StressRequest& request,
                  StressOutcome& out);

  /// Adds the strains of the gauges in `request.gauges`.
  void add_gauges(const FeModel& model,
                  const durability::ShapeSet& shapes,
                  const StressRequest& request,
                  StressOutcome& out);

  /// The series; null if nothing was added.
  std::shared_ptr<tools::ResultSeries> finish(const std::string& provenance);

 private:
  void add(std::string name, std::string unit, const Eigen::VectorXd& values);

  std::string body_;
  const Eigen::MatrixXd& zeta_;
  std::shared_ptr<tools::ResultSeries> series_;
  std::vector<Eigen::VectorXd> columns_;
};

}  // namespace femflex::verbs

// Preload: a constant state of stress that the stresses of a run are added to. The verb stress uses
// it for runs and schedules.
#pragma once

#include <Eigen/Core>

#include "femflex/durability/preload.h"

#include "document/json.h"
#include "verbs/stress.h"
#include "verbs/stress_recovery.h"

namespace femflex::verbs {

/// The state of `request.preload`: stresses of one shape of a model, read or computed as `femflex
/// stress MODEL` does. Without a preload all functions change nothing.
class Preload {
 public:
  /// @param body_model  model of the body; must outlive this object
  /// @throws UsageError  the model has several shapes and none is chosen, or not the one chosen
  /// @throws ModelError  it is a model of other elements, or the shape has no stresses
  Preload(const StressRequest& request,
          const FeModel& body_model,
          Diagnostics& diagnostics,
          Progress& progress);

  /// Adds the state to the stresses of a body.
  /// @throws ModelError  it is known at none of their places
  void add_to(Recovery& recovery, Diagnostics& diagnostics) const;
  /// Modal coordinates (instants x modes), with a last column of ones for the state.
  Eigen::MatrixXd with_state(Eigen::MatrixXd zeta) const;
  /// Tells where the state comes from, in the document and the text.
  void tell(StressOutcome& out) const;

 private:
  const FeModel& body_model_;
  std::string name_;    ///< file or name of the model
  std::string shape_;   ///< label of the shape
  std::string way_;     ///< see Recovery::way()
  tools::Json source_;  ///< see Recovery::json()
  std::unique_ptr<durability::StressState> state_;
};

}  // namespace femflex::verbs

#pragma once

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/progress.h"
#include "femflex/units.h"

#include "document/json.h"

namespace femflex::tools {

/// A fault or a remark of check_model() or check_body().
struct CheckFinding {
  std::string code;
  std::string message;
  std::string where;
  std::string fix;
  bool is_error = true;  ///< false: information, not a fault
};

/// Physical properties of a model or a body, and the faults found.
struct CheckReport {
  std::optional<Units> units;                         ///< units of the figures below; SI for bodies
  double mass = 0.0;                                  ///< in the units of the file
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< in the basic system, or in the body frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about `centre`
  bool is_symmetric = true;
  double rigid_residual = -1.0;  ///< see femflex/rigid_residual.h; -1: no K
  /// Number of zero eigenvalues among the lowest eight, rigid motions or not; -1: not counted.
  std::int64_t zero_modes = -1;
  std::vector<CheckFinding> findings;
  bool passes() const;
};

/// Checks mass properties R' M R, |K R|, zero modes, DOFs without stiffness or mass, loose nodes,
/// plausible units.
CheckReport check_model(const FeModel& model, Progress& progress);

/// Checks sum rules of the invariants, symmetric matrices, positive mass.
CheckReport check_body(const FlexBody& body);

Json check_json(const CheckReport& report);
std::string check_text(const CheckReport& report, const std::string& name);

}  // namespace femflex::tools

// The checks of `femflex check`: physical properties of an FE model or a body, and detected errors.
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

/// One finding of check_model() or check_body().
struct CheckFinding {
  std::string code;
  std::string message;
  std::string where;
  std::string fix;
  bool is_error = true;  ///< false: information instead of an error
};

/// Physical properties of a model or body, and detected errors.
struct CheckReport {
  std::optional<Units> units;                         ///< units of the properties below; SI for
                                                      ///< bodies
  double mass = 0.0;                                  ///< in `units`
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();   ///< in the basic frame of a model, or in the
                                                      ///< body frame
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about `centre`
  bool is_symmetric =
      true;  ///< false: a matrix of the body is not symmetric; K and M of a model always are
  double rigid_residual = -1.0;  ///< see femflex/rigid_residual.h; -1: there is no K
  /// Number of zero eigenvalues (rigid motions or others) among the lowest eight; -1: not counted.
  std::int64_t zero_modes = -1;
  std::vector<CheckFinding> findings;
  /// True if no finding is an error.
  bool passes() const;
};

/// Checks an FE model: mass properties R' M R (R: rigid motions), force of rigid motions |K R|,
/// number of zero modes, DOFs without stiffness or mass, constraints missing in the matrices,
/// plausible units.
CheckReport check_model(const FeModel& model, Progress& progress);

/// Checks a body by flexfile::check_body(): consistent invariants, symmetric matrices, positive
/// mass.
CheckReport check_body(const FlexBody& body);

Json check_json(const CheckReport& report);
/// The report as text; `name` is the name of the model or body.
std::string check_text(const CheckReport& report, const std::string& name);

}  // namespace femflex::tools

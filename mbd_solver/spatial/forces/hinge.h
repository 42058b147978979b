// HingeLaw: the compiled force law Hinge, a moment between two lines.
#pragma once

#include <optional>
#include <vector>

#include "femflex/laws/curve.h"
#include "femflex/laws/formula.h"
#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The markers a and b of LawBase are the far ends of the lines.
struct HingeLaw : LawBase {
  std::vector<int> ends;  // markers at the start and end of both lines
  bool has_axis = false;
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  double stiffness = 0.0, damping = 0.0;
  std::optional<laws::Formula> moment;
  double length = 0.0;  // free angle [rad]
  DampingGrowth growth;
  std::optional<laws::Curve> curve;

  PairLoad load(const Model& model, const Workspace& ws) const;
  void add(const Model& model, Workspace& ws, const PairLoad& load) const;
  Eigen::Matrix<double, 6, 6> line_slope(const Workspace& ws,
                                         double velocity,
                                         double position) const;
  double angle(const Workspace& ws) const;
  std::vector<int> markers() const { return ends; }
  bool may_switch() const { return curve.has_value() || moment.has_value(); }
  bool can_let_go() const { return false; }
};

HingeLaw compile_law(const Hinge& hinge, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver

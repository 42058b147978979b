// AntiRollBarLaw: the compiled force law AntiRollBar, for a left and a right line between two
// markers each. A spring and damper resists changes of the difference of their lengths: it pulls
// the line that became longer together and pushes the other apart.
#pragma once

#include <vector>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"

namespace femflex::mbd_solver {

/// The markers a and b of LawBase are the far ends of the lines.
struct AntiRollBarLaw : LawBase {
  std::vector<int> ends;  // markers: start and end of the left line, then of the right line
  double stiffness = 0.0, damping = 0.0;  // [N/m], [N s/m]
  double difference = 0.0;  // length of the left line minus the right one, without force [m]

  PairLoad load(const Model& model, const Workspace& ws) const;
  void add(const Model& model, Workspace& ws, const PairLoad& load) const;
  Eigen::Matrix<double, 6, 6> line_slope(const Workspace& ws,
                                         double velocity,
                                         double position) const;
  std::vector<int> markers() const { return ends; }
  bool may_switch() const { return false; }
  bool can_let_go() const { return false; }

 private:
  /// The two lines and the force along them.
  struct Lines {
    Eigen::Vector3d left, right;  // unit vectors to the far ends
    double left_length = 0.0, right_length = 0.0;
    // change of the difference of lengths, left minus right; its rate; the force that follows
    double elongation = 0.0, rate = 0.0, force = 0.0;
  };
  Lines lines(const Workspace& ws) const;
};

AntiRollBarLaw compile_law(const AntiRollBar& bar, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver

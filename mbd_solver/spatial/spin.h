// Rigid bodies that spin about an axis of symmetry of their inertia, and axes that follow such a
// body except for its spin. In these axes, the inertia of the body and the constraints on it are
// constant while it spins.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// A spinning body, and the angle by which it has spun since a start.
struct Spin {
  int body = 0;
  int at = -1;           // index of its first angular velocity; -1: it moves in the plane
  Eigen::Vector3d axis;  // in B
  double cosine = 1.0, sine = 0.0;

  void set_angle(double angle);
  /// Converts the components of a vector in B to the axes of the start, and back.
  Eigen::Vector3d from_body(const Eigen::Vector3d& x) const { return turned(x, sine); }
  Eigen::Vector3d to_body(const Eigen::Vector3d& x) const { return turned(x, -sine); }
  /// Term that the spin adds to the derivative of an angular velocity w when the derivative is
  /// taken in axes that do not spin: (w.u) u x w with u the axis.
  Eigen::Vector3d drift(const Eigen::Vector3d& w) const { return w.dot(axis) * axis.cross(w); }

 private:
  Eigen::Vector3d turned(const Eigen::Vector3d& x, double s) const {
    return cosine * x + s * axis.cross(x) + ((1.0 - cosine) * axis.dot(x)) * axis;
  }
};

/// The rigid bodies of a model that can spin about an axis of symmetry, and their axes.
class SpinAxes {
 public:
  explicit SpinAxes(const Model& model);
  /// Replaces `spins` by the bodies that spin at velocities v, fast enough to matter in a step h.
  /// Allocates nothing after the first call.
  void find(const Eigen::VectorXd& v, double h, std::vector<Spin>& spins) const;

 private:
  struct Candidate {
    int body = 0, at = 0;
    std::vector<Eigen::Vector3d> axes;  // principal axes with two nearly equal moments about them
    bool is_round = false;  // all three moments are nearly equal, so any axis is one of symmetry
  };
  std::vector<Candidate> candidates_;
};

}  // namespace femflex::mbd_solver

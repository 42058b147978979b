// Spin and SpinAxes: rigid bodies that spin about an axis of symmetry of their inertia, and axes
// that follow such a body except for its spin. In these axes, the inertia of the body and the
// constraints on it stay constant. generalised-alpha, KktMatrix and the linearisation use them.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// A spinning body and its spin angle since a start.
struct Spin {
  int body = 0;
  int at = -1;           // index of its first angular velocity in State::velocity; -1: it moves in
                         // a plane
  Eigen::Vector3d axis;  // in B
  double cosine = 1.0, sine = 0.0;

  void set_angle(double angle);
  /// Convert the components of a vector in B to the axes at the start, and back.
  Eigen::Vector3d from_body(const Eigen::Vector3d& x) const { return turned(x, sine); }
  Eigen::Vector3d to_body(const Eigen::Vector3d& x) const { return turned(x, -sine); }
  /// Term (w.u) u x w that is added to the derivative of an angular velocity w if the derivative is
  /// taken in axes that do not spin; u is the spin axis.
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
  /// Sets `spins` to the bodies that spin at velocities v, if they turn enough in a step h to be
  /// relevant. Allocates nothing after the first call.
  void find(const Eigen::VectorXd& v, double h, std::vector<Spin>& spins) const;

 private:
  struct Candidate {
    int body = 0, at = 0;
    std::vector<Eigen::Vector3d> axes;  // principal axes perpendicular to two nearly equal moments
                                        // of inertia
    bool is_round = false;  // all three moments are nearly equal, so every axis is an axis of
                            // symmetry
  };
  std::vector<Candidate> candidates_;
};

}  // namespace femflex::mbd_solver

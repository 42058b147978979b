// TreeDynamics: motion of a tree in the coordinates of its joints, and its accelerations by the
// articulated-body algorithm [Featherstone 2008], without constraints. Forces are those of
// Workspace::force. Equations: docs/theory/multibody.md, section 12.
#pragma once

#include <vector>

#include "recursive/tree.h"
#include "spatial/equations.h"

namespace femflex::mbd_solver {

/// Coordinates x are zero at a chosen state and change with the rates s: angles about and
/// displacements along the axis of a joint; rotation vectors with angular velocities in B; of free
/// bodies the displacement in W with the velocity in W before these.
class TreeDynamics {
 public:
  TreeDynamics(const Model& model, Tree tree);

  const Tree& tree() const { return tree_; }
  Eigen::Index size() const { return tree_.n; }
  /// Takes x = 0 at a state; computes the rates s there. Joints that are not closed in the state
  /// are closed from then on.
  void begin(const State& state, Eigen::VectorXd& s);
  /// x' for rates s. eq. (64)
  void coordinate_rates(const Eigen::VectorXd& x,
                        const Eigen::VectorXd& s,
                        Eigen::VectorXd& x_dot) const;
  /// Computes State::position, State::velocity and the kinematics of bodies at x and s. The last of
  /// `bodies` is the ground. eq. (62, 63)
  void move(const Eigen::VectorXd& x,
            const Eigen::VectorXd& s,
            std::vector<BodyKinematics>& bodies,
            Eigen::VectorXd& q,
            Eigen::VectorXd& v);
  /// s' with the bodies and forces of ws, after move() to ws and residual(). Returns false if a
  /// number is not finite. eq. (65-68)
  bool accelerations(const Workspace& ws, Eigen::VectorXd& s_dot);
  /// State::acceleration at the last accelerations().
  void copy_accelerations(const Workspace& ws, Eigen::VectorXd& a) const;
  /// Index in Model::bodies of the body whose joint has coordinate k.
  int body_of(Eigen::Index k) const;

 private:
  struct Node {
    // set by begin()
    Eigen::Quaterniond Q0;  // attitude relative to the parent at x = 0
    Eigen::Vector3d p0;     // free: place at x = 0
    double u0 = 0.0;        // displacement along the axis at x = 0
    // set by move(); vectors in W
    Eigen::Vector3d e, e_B;    // joint axes on the parent and on the body
    Eigen::Vector3d d, rho;    // from the parent's reference point and from the joint to the body's
    Eigen::Vector3d c_v, c_w;  // acceleration if s' and the acceleration of the parent are 0
    // set by accelerations(): articulated inertia [A B; B' C] and force, in W
    Eigen::Matrix3d A, B, C;
    Eigen::Vector3d f, t;
    Eigen::Matrix<double, 3, 6> K;  // s' = g - K (acceleration of the parent, carried to the body)
    Eigen::Vector3d g;
    Eigen::Vector3d a, alpha;
  };

  /// Attitude relative to the parent.
  static Eigen::Quaterniond turned(const TreeBody& body, const Node& node, const double* x);
  static void move_free(
      Node& node, const double* x, const double* s, BodyKinematics& now, Eigen::Quaterniond& Q);
  static void move_joined(const TreeBody& body,
                          Node& node,
                          const double* x,
                          const double* s,
                          const BodyKinematics& parent,
                          BodyKinematics& now);
  /// Eliminates the coordinates of a joint whose axes are the columns of S_v and S_w, and adds the
  /// rest to the parent.
  template <int k>
  void eliminate(const TreeBody& body,
                 Node& node,
                 const Eigen::Matrix<double, 3, k>& S_v,
                 const Eigen::Matrix<double, 3, k>& S_w);
  void eliminate_joint(const TreeBody& body, Node& node, const Eigen::Matrix3d& R);
  void add_to_parent(const TreeBody& body, Node& node);
  static void accelerate_free(Node& node, const Eigen::Matrix3d& R, double* s_dot);
  void accelerate_joined(const TreeBody& body, Node& node, const Eigen::Matrix3d& R, double* s_dot);

  const Model& model_;
  Tree tree_;
  std::vector<Node> nodes_;
  std::vector<BodyKinematics> start_;  // at the state of begin()
};

}  // namespace femflex::mbd_solver

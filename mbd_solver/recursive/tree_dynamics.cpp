// Passes over a tree: outward for motion, inward for articulated inertias, outward for
// accelerations. All vectors are in W, so that moving an inertia to another point is a shift.
#include "recursive/tree_dynamics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double kClosed = 1e-14;  // half a rotation [rad]; a smaller one is round-off

/// Rotation about a unit axis.
Quaterniond turn_about(const Vector3d& axis, double angle) {
  Quaterniond q;
  q.w() = std::cos(0.5 * angle);
  q.vec() = std::sin(0.5 * angle) * axis;
  return q;
}

/// The rotation nearest to Q, from the axes on the parent to those on the body, that a joint
/// allows.
Quaterniond closed(TreeJoint joint, const Quaterniond& Q) {
  switch (joint) {
    case TreeJoint::fixed:
    case TreeJoint::prismatic:  // of the two quaternions of an attitude, that of the state
      return {Q.w() < 0.0 ? -1.0 : 1.0, 0.0, 0.0, 0.0};
    case TreeJoint::revolute:
    case TreeJoint::cylindrical:
      return Quaterniond(Q.w(), 0.0, 0.0, Q.z()).normalized();
    case TreeJoint::universal: {
      // the z axes are perpendicular: w^2 + z^2 = x^2 + y^2
      const double wz = M_SQRT2 * std::hypot(Q.w(), Q.z());
      const double xy = M_SQRT2 * std::hypot(Q.x(), Q.y());
      return {Q.w() / wz, Q.x() / xy, Q.y() / xy, Q.z() / wz};
    }
    default:
      return Q.normalized();
  }
}

}  // namespace

TreeDynamics::TreeDynamics(const Model& model, Tree tree)
    : model_(model),
      tree_(std::move(tree)),
      nodes_(tree_.bodies.size()),
      start_(model.bodies.size()) {
  BodyKinematics& ground = start_.back();
  ground.R.setIdentity();
  ground.p.setZero();
  ground.v.setZero();
  ground.w.setZero();
  ground.w_W.setZero();
}

int TreeDynamics::body_of(Eigen::Index k) const {
  std::size_t i = 0;
  while (i + 1 < tree_.bodies.size() && tree_.bodies[i].x0 + tree_.bodies[i].n <= k)
    ++i;
  return tree_.bodies[i].body;
}

void TreeDynamics::begin(const State& state, VectorXd& s) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const TreeBody& t = tree_.bodies[i];
    const BodyModel& b = model_.bodies[static_cast<std::size_t>(t.body)];
    const BodyKinematics& parent = start_[static_cast<std::size_t>(t.parent_body)];
    BodyKinematics& now = start_[static_cast<std::size_t>(t.body)];
    Node& node = nodes_[i];
    const Quaterniond Q = attitude(state.position.data() + b.q0);
    now.R = Q.toRotationMatrix();
    now.p = state.position.segment<3>(b.q0);
    now.v = state.velocity.segment<3>(b.v0);
    now.w = state.velocity.segment<3>(b.v0 + 3);
    now.w_W = now.R * now.w;
    double* to = s.data() + t.x0;
    if (t.joint == TreeJoint::free) {
      node.Q0 = Q.normalized();
      node.p0 = now.p;
      Eigen::Map<Vector3d>{to} = now.v;
      Eigen::Map<Vector3d>{to + 3} = now.w;
      continue;
    }
    const Quaterniond Q_P =
        t.parent < 0 ? Quaterniond::Identity()
                     : attitude(state.position.data() +
                                model_.bodies[static_cast<std::size_t>(t.parent_body)].q0);
    const Quaterniond relative = Q_P.conjugate() * Q;
    const Quaterniond open = t.A.conjugate() * relative * t.B;
    const Quaterniond shut = closed(t.joint, open);
    // a closed joint is kept as it is: a motion in a plane stays there without round-off
    const bool is_closed = (shut.coeffs() - open.coeffs()).lpNorm<Eigen::Infinity>() < kClosed;
    node.Q0 = is_closed ? relative : t.A * shut * t.B.conjugate();
    const Vector3d e = parent.R * t.z_A;
    const Vector3d arm = now.R * t.r_B;
    const Vector3d at = now.p + arm;
    const Vector3d spin = now.w_W - parent.w_W;
    node.u0 = e.dot(at - parent.p - parent.R * t.r_A);
    const double slide =
        e.dot(now.v + now.w_W.cross(arm) - parent.v - parent.w_W.cross(at - parent.p));
    switch (t.joint) {
      case TreeJoint::revolute:
        to[0] = e.dot(spin);
        break;
      case TreeJoint::prismatic:
        to[0] = slide;
        break;
      case TreeJoint::cylindrical:
        to[0] = e.dot(spin);
        to[1] = slide;
        break;
      case TreeJoint::universal:
        to[0] = e.dot(spin);
        to[1] = (now.R * t.z_B).dot(spin);
        break;
      case TreeJoint::spherical:
        Eigen::Map<Vector3d>{to} = now.R.transpose() * spin;
        break;
      default:
        break;
    }
  }
}

void TreeDynamics::coordinate_rates(const VectorXd& x, const VectorXd& s, VectorXd& x_dot) const {
  x_dot = s;
  for (const TreeBody& t : tree_.bodies) {
    if (t.joint != TreeJoint::free && t.joint != TreeJoint::spherical) continue;
    const int k = t.x0 + t.n - 3;
    x_dot.segment<3>(k) = inverse_tangent(x.segment<3>(k), s.segment<3>(k));
  }
}

Quaterniond TreeDynamics::turned(const TreeBody& body, const Node& node, const double* x) {
  switch (body.joint) {
    case TreeJoint::revolute:
    case TreeJoint::cylindrical:
      return node.Q0 * turn_about(body.z_B, x[0]);
    case TreeJoint::universal:
      return turn_about(body.z_A, x[0]) * node.Q0 * turn_about(body.z_B, x[1]);
    case TreeJoint::spherical:
      return node.Q0 * exp_quaternion(Vector3d(x[0], x[1], x[2]));
    default:
      return node.Q0;
  }
}

void TreeDynamics::move_free(
    Node& node, const double* x, const double* s, BodyKinematics& now, Quaterniond& Q) {
  Q = node.Q0 * exp_quaternion(Vector3d(x[3], x[4], x[5]));
  Q.normalize();
  now.R = Q.toRotationMatrix();
  now.p = node.p0 + Vector3d(x[0], x[1], x[2]);
  now.v = Vector3d(s[0], s[1], s[2]);
  now.w = Vector3d(s[3], s[4], s[5]);
  now.w_W.noalias() = now.R * now.w;
}

// eq. (62, 63)
void TreeDynamics::move_joined(const TreeBody& body,
                               Node& node,
                               const double* x,
                               const double* s,
                               const BodyKinematics& parent,
                               BodyKinematics& now) {
  const bool slides = body.joint == TreeJoint::prismatic || body.joint == TreeJoint::cylindrical;
  const int last = body.n - 1;
  Vector3d spin = Vector3d::Zero();
  node.c_w.setZero();
  node.e.noalias() = parent.R * body.z_A;
  switch (body.joint) {
    case TreeJoint::revolute:
    case TreeJoint::cylindrical:
      spin = s[0] * node.e;
      now.w_W = parent.w_W + spin;
      node.c_w = parent.w_W.cross(spin);
      break;
    case TreeJoint::universal: {
      node.e_B.noalias() = now.R * body.z_B;
      const Vector3d first = s[0] * node.e, second = s[1] * node.e_B;
      now.w_W = parent.w_W + first + second;
      node.c_w = parent.w_W.cross(first) + now.w_W.cross(second);
      break;
    }
    case TreeJoint::spherical:
      spin.noalias() = now.R * Vector3d(s[0], s[1], s[2]);
      now.w_W = parent.w_W + spin;
      node.c_w = parent.w_W.cross(spin);
      break;
    default:
      now.w_W = parent.w_W;
  }
  Vector3d to_joint = parent.R * body.r_A;
  Vector3d slide = Vector3d::Zero();
  if (slides) {
    to_joint += (node.u0 + x[last]) * node.e;
    slide = s[last] * node.e;
  }
  node.rho.noalias() = -(now.R * body.r_B);
  node.d = to_joint + node.rho;
  now.p = parent.p + node.d;
  const Vector3d carried = parent.w_W.cross(to_joint), swung = now.w_W.cross(node.rho);
  now.v = parent.v + carried + slide + swung;
  node.c_v =
      parent.w_W.cross(carried + 2.0 * slide) + now.w_W.cross(swung) + node.c_w.cross(node.rho);
  now.w.noalias() = now.R.transpose() * now.w_W;
}

void TreeDynamics::move(const VectorXd& x,
                        const VectorXd& s,
                        std::vector<BodyKinematics>& bodies,
                        VectorXd& q,
                        VectorXd& v) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const TreeBody& t = tree_.bodies[i];
    const BodyModel& b = model_.bodies[static_cast<std::size_t>(t.body)];
    BodyKinematics& now = bodies[static_cast<std::size_t>(t.body)];
    const double* x_b = x.data() + t.x0;
    const double* s_b = s.data() + t.x0;
    Quaterniond Q;
    if (t.joint == TreeJoint::free) {
      move_free(nodes_[i], x_b, s_b, now, Q);
    } else {
      const auto p = static_cast<std::size_t>(t.parent_body);
      Q = turned(t, nodes_[i], x_b);
      if (t.parent >= 0) Q = attitude(q.data() + model_.bodies[p].q0) * Q;
      Q.normalize();
      now.R = Q.toRotationMatrix();
      move_joined(t, nodes_[i], x_b, s_b, bodies[p], now);
    }
    double* to = q.data() + b.q0;
    Eigen::Map<Vector3d>{to} = now.p;
    set_attitude(Q, to);
    v.segment<3>(b.v0) = now.v;
    v.segment<3>(b.v0 + 3) = now.w;
  }
}

// eq. (67)
void TreeDynamics::add_to_parent(const TreeBody& body, Node& node) {
  if (body.parent < 0) return;
  Node& parent = nodes_[static_cast<std::size_t>(body.parent)];
  const Matrix3d shift = cross_matrix(node.d);
  const Matrix3d B = node.B - node.A * shift;
  parent.A += node.A;
  parent.B += B;
  parent.C += node.C + shift * B - node.B.transpose() * shift;
  parent.f += node.f;
  parent.t += node.t + node.d.cross(node.f);
}

// eq. (66)
template <int k>
void TreeDynamics::eliminate(const TreeBody& body,
                             Node& node,
                             const Eigen::Matrix<double, 3, k>& S_v,
                             const Eigen::Matrix<double, 3, k>& S_w) {
  using Columns = Eigen::Matrix<double, 3, k>;
  using Square = Eigen::Matrix<double, k, k>;
  using Loads = Eigen::Matrix<double, k, 1>;
  const Columns U_v = node.A * S_v + node.B * S_w;
  const Columns U_w = node.B.transpose() * S_v + node.C * S_w;
  const Square D = S_v.transpose() * U_v + S_w.transpose() * U_w;
  const Square inverse = D.inverse();
  const Loads load = S_v.transpose() * node.f + S_w.transpose() * node.t +
                     U_v.transpose() * node.c_v + U_w.transpose() * node.c_w;
  const Loads g = -(inverse * load);
  const Eigen::Matrix<double, k, 3> K_v = inverse * U_v.transpose();
  const Eigen::Matrix<double, k, 3> K_w = inverse * U_w.transpose();
  node.g.template head<k>() = g;
  node.K.template block<k, 3>(0, 0) = K_v;
  node.K.template block<k, 3>(0, 3) = K_w;
  if (body.parent < 0) return;
  node.f += node.A * node.c_v + node.B * node.c_w + U_v * g;
  node.t += node.B.transpose() * node.c_v + node.C * node.c_w + U_w * g;
  node.A -= U_v * K_v;
  node.B -= U_v * K_w;
  node.C -= U_w * K_w;
  add_to_parent(body, node);
}

void TreeDynamics::eliminate_joint(const TreeBody& body, Node& node, const Matrix3d& R) {
  const Vector3d none = Vector3d::Zero();
  switch (body.joint) {
    case TreeJoint::fixed:
      if (body.parent < 0) return;
      node.f += node.A * node.c_v + node.B * node.c_w;
      node.t += node.B.transpose() * node.c_v + node.C * node.c_w;
      add_to_parent(body, node);
      return;
    case TreeJoint::revolute:
      eliminate<1>(body, node, node.e.cross(node.rho), node.e);
      return;
    case TreeJoint::prismatic:
      eliminate<1>(body, node, node.e, none);
      return;
    case TreeJoint::cylindrical: {
      Eigen::Matrix<double, 3, 2> S_v, S_w;
      S_v << node.e.cross(node.rho), node.e;
      S_w << node.e, none;
      eliminate<2>(body, node, S_v, S_w);
      return;
    }
    case TreeJoint::universal: {
      Eigen::Matrix<double, 3, 2> S_v, S_w;
      S_v << node.e.cross(node.rho), node.e_B.cross(node.rho);
      S_w << node.e, node.e_B;
      eliminate<2>(body, node, S_v, S_w);
      return;
    }
    case TreeJoint::spherical:
      eliminate<3>(body, node, Matrix3d(-cross_matrix(node.rho) * R), R);
      return;
    case TreeJoint::free:
      return;
  }
}

void TreeDynamics::accelerate_free(Node& node, const Matrix3d& R, double* s_dot) {
  Matrix6d inertia;
  inertia << node.A, node.B, node.B.transpose(), node.C;
  Vector6d load;
  load << -node.f, -node.t;
  const Vector6d a = inertia.llt().solve(load);
  node.a = a.head<3>();
  node.alpha = a.tail<3>();
  Eigen::Map<Vector3d>{s_dot} = node.a;
  Eigen::Map<Vector3d>{s_dot + 3} = R.transpose() * node.alpha;
}

// eq. (68)
void TreeDynamics::accelerate_joined(const TreeBody& body,
                                     Node& node,
                                     const Matrix3d& R,
                                     double* s_dot) {
  node.a = node.c_v;
  node.alpha = node.c_w;
  const bool moves = body.parent >= 0;
  Vector3d s = node.g;
  if (moves) {
    const Node& parent = nodes_[static_cast<std::size_t>(body.parent)];
    const Vector3d carried = parent.a + parent.alpha.cross(node.d);
    node.a += carried;
    node.alpha += parent.alpha;
    for (int k = 0; k < body.n; ++k)
      s(k) -= node.K.row(k).head<3>().dot(carried) + node.K.row(k).tail<3>().dot(parent.alpha);
  }
  std::copy_n(s.data(), body.n, s_dot);
  Vector3d turn = Vector3d::Zero();
  switch (body.joint) {
    case TreeJoint::prismatic:
      node.a += s(0) * node.e;
      return;
    case TreeJoint::cylindrical:
      node.a += s(1) * node.e;
      [[fallthrough]];
    case TreeJoint::revolute:
      turn = s(0) * node.e;
      break;
    case TreeJoint::universal:
      turn = s(0) * node.e + s(1) * node.e_B;
      break;
    case TreeJoint::spherical:
      turn.noalias() = R * s;
      break;
    default:
      return;
  }
  node.alpha += turn;
  node.a += turn.cross(node.rho);
}

bool TreeDynamics::accelerations(const Workspace& ws, VectorXd& s_dot) {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {  // eq. (65)
    const auto k = static_cast<std::size_t>(tree_.bodies[i].body);
    const BodyModel& b = model_.bodies[k];
    const Matrix3d& R = ws.bodies[k].R;
    Node& node = nodes_[i];
    node.A = b.mass * Matrix3d::Identity();
    node.B.setZero();
    node.C.noalias() = R * b.inertia * R.transpose();
    node.f = ws.force.segment<3>(b.v0);
    node.t.noalias() = R * ws.force.segment<3>(b.v0 + 3);
  }
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const TreeBody& t = tree_.bodies[i];
    eliminate_joint(t, nodes_[i], ws.bodies[static_cast<std::size_t>(t.body)].R);
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const TreeBody& t = tree_.bodies[i];
    const Matrix3d& R = ws.bodies[static_cast<std::size_t>(t.body)].R;
    double* to = s_dot.data() + t.x0;
    if (t.joint == TreeJoint::free)
      accelerate_free(nodes_[i], R, to);
    else
      accelerate_joined(t, nodes_[i], R, to);
  }
  return s_dot.allFinite();
}

void TreeDynamics::copy_accelerations(const Workspace& ws, VectorXd& a) const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const auto k = static_cast<std::size_t>(tree_.bodies[i].body);
    const int v0 = model_.bodies[k].v0;
    a.segment<3>(v0) = nodes_[i].a;
    a.segment<3>(v0 + 3) = ws.bodies[k].R.transpose() * nodes_[i].alpha;
  }
}

}  // namespace femflex::mbd_solver

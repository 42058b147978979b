// Residual of the stabilised index-2 form, its Newton step by two solves with block matrices, and
// the choice of independent constraint rows. docs/theory/multibody.md eq. (36-40).
#include "integrators/stabilised_form.h"

#include <algorithm>
#include <cmath>

#include "femflex/dense.h"

#include "spatial/rotation.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Map = Eigen::Map<VectorXd>;
using ConstMap = Eigen::Map<const VectorXd>;

// a row is redundant if its pivot is below this share of the largest pivot of G with unit rows
constexpr double kDependentPivot = 1e-5;
// rows are chosen anew if a pivot falls below this share of the weakest one at the last choice
constexpr double kMinPivotRatio = 1e-3;
// maximum number of rows for which a dense QR chooses the rows to use
constexpr Index kMaxDenseRows = 1500;

int slot(int d) {  // index of a velocity component in (position, quaternion)
  return d < 3 ? d : d + 1;
}

bool has_quaternion(const BodyModel& b) {
  return b.nr > 0 && b.dof[static_cast<std::size_t>(b.nr - 1)] >= 3;
}

/// Computes 1/2 p w, the rate of the quaternion p in the coordinates q of a body, at angular
/// velocity w.
void turn(const double* q, const Vector3d& w, double* rates) {
  Eigen::Quaterniond rate = attitude(q) * Eigen::Quaterniond(0.0, w.x(), w.y(), w.z());
  rate.coeffs() *= 0.5;
  set_attitude(rate, rates);
}

}  // namespace

StabilisedForm::StabilisedForm(Engine& engine) : engine_(engine), position_kkt_(engine.model) {
  const Model& m = engine.model;
  states_at_ = m.nq + m.nv + 2 * m.nl;
  size_ = states_at_ + m.state_count + 1;
  q_ = m.initial.position;
  for (VectorXd* x : {&v_, &twist_, &a_, &x_, &w_, &dv_, &base_, &r1_})
    x->setZero(m.nv);
  for (VectorXd* y : {&lambda_, &dl_, &c_})
    y->setZero(m.nl);
}

void StabilisedForm::set(const State& state, double* y, double* y_dot) {
  const Model& m = engine_.model;
  engine_.set_all(state);
  choose_rows();
  lambda_ = state.multipliers;
  if (!left_out_.empty()) {  // computes multipliers of the rows in use that give the same loads
    VectorXd load = VectorXd::Zero(m.nv), zero = VectorXd::Zero(m.nl);
    add_jacobian_transposed_times(m, engine_.ws, state.multipliers, load);
    mbd_solver::residual(m, engine_.ws, engine_.zero_v, nullptr);
    if (position_kkt_.factor(m, engine_.ws, 0.0, 0.0))
      position_kkt_.solve(m, engine_.ws, load, zero, x_, lambda_);
  }
  Map(y, m.nq) = state.position;
  Map(y + m.nq, m.nv) = state.velocity;
  Map(y + m.nq + m.nv, m.nl) = lambda_;
  Map(y + m.nq + m.nv + m.nl, m.nl).setZero();
  std::fill(y_dot, y_dot + size_, 0.0);
  Map(y_dot + m.nq, m.nv) = state.acceleration;
  engine_.set_all(state);  // the choice of rows has changed the loads
  Map(y + states_at_, m.state_count) = state.force_states;
  Map(y_dot + states_at_, m.state_count) = engine_.ws.state_rates;
  rates_of(state.position, state.velocity, y_dot);
  y_dot[size_ - 1] = input_power(m, engine_.ws);
}

// Multipliers of redundant rows are not determined, so BDF's history would accumulate their noise.
// Therefore a set of independent rows is used until it becomes nearly dependent. eq. (40)
void StabilisedForm::choose_rows() {
  const Model& m = engine_.model;
  left_out_.clear();
  position_kkt_.leave_out({});
  position_kkt_.regularise(KktMatrix::kRegularisation);
  mbd_solver::residual(m, engine_.ws, engine_.zero_v, nullptr);
  if (m.nl == 0 || !position_kkt_.factor(m, engine_.ws, 0.0, 0.0)) return;
  position_kkt_.regularise(KktMatrix::kProjection);
  const std::vector<int> repeated = position_kkt_.repeated_rows(m);
  if (repeated.empty()) return;
  left_out_.assign(static_cast<std::size_t>(m.nl), 0);
  if (m.nl <= kMaxDenseRows) {
    Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(m.nv, m.nl);
    for (Index r = 0; r < m.nl; ++r) {
      x_.setZero();
      add_jacobian_transposed_times(m, engine_.ws, VectorXd::Unit(m.nl, r), x_);
      for (const BodyModel& b : m.bodies)
        for (int c = 0; c < b.nr; ++c)
          if (b.dof[static_cast<std::size_t>(c)] < 3) x_(b.v0 + c) *= m.local_length;
      const double length = x_.norm();
      if (length > 0.0) transposed.col(r) = x_ / length;
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed);
    qr.setThreshold(kDependentPivot);
    for (Index k = qr.rank(); k < m.nl; ++k)
      left_out_[static_cast<std::size_t>(qr.colsPermutation().indices()(k))] = 1;
  } else {
    for (const int row : repeated)
      left_out_[static_cast<std::size_t>(row)] = 1;
  }
  position_kkt_.leave_out(left_out_);
  if (position_kkt_.factor(m, engine_.ws, 0.0, 0.0))
    weakest_at_choice_ = weakest_ = position_kkt_.weakest_row(m);
}

bool StabilisedForm::wants_other_rows(double t, const double* y, double limit) {
  if (left_out_.empty()) return false;
  if (weakest_ < kMinPivotRatio * weakest_at_choice_) return true;
  normalise(y);
  engine_.set_position(t, q_);
  for (Index r = 0; r < engine_.model.nl; ++r)
    if (!is_used(r) && std::abs(engine_.ws.phi(r)) > limit) return true;
  return false;
}

void StabilisedForm::normalise(const double* y) {
  const Model& m = engine_.model;
  q_ = ConstMap(y, m.nq);
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k)
    q_.segment<4>(m.bodies[k].q0 + 3).normalize();
}

void StabilisedForm::get(const double* y, State& state) {
  normalise(y);
  state.position = q_;
  state.velocity = ConstMap(y + engine_.model.nq, engine_.model.nv);
  state.force_states = ConstMap(y + states_at_, engine_.model.state_count);
}

// Computes q' from velocities v. eq. (1)
void StabilisedForm::rates_of(const VectorXd& q, const VectorXd& v, double* rates) const {
  const Model& m = engine_.model;
  std::fill(rates, rates + m.nq, 0.0);
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
    const BodyModel& b = m.bodies[k];
    Vector3d w = Vector3d::Zero();
    for (int c = 0; c < b.nr; ++c) {
      const int d = b.dof[static_cast<std::size_t>(c)];
      (d < 3 ? rates[b.q0 + d] : w(d - 3)) = v(b.v0 + c);
    }
    turn(q.data() + b.q0, w, rates + b.q0);
    for (int c = 0; c < b.n; ++c)
      rates[b.q0 + 7 + c] = v(b.v0 + b.nr + c);
  }
}

void StabilisedForm::set_tolerances(double unit, double* tol, double* id) const {
  const Model& m = engine_.model;
  std::fill(tol, tol + size_, 1e30);  // multipliers and work are not controlled
  std::fill(id, id + size_, 0.0);
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
    const BodyModel& b = m.bodies[k];
    for (int c = 0; c < 7 + b.n; ++c)
      tol[b.q0 + c] = unit * (c < 3 ? m.local_length : (c < 7 ? 1.0 : m.unit_of(b, b.nr + c - 7)));
    for (int c = 0; c < b.nr + b.n; ++c)
      tol[m.nq + b.v0 + c] = unit * m.unit_of(b, c);
  }
  std::fill(id, id + m.nq + m.nv, 1.0);
  Map(tol + states_at_, m.state_count) = unit * m.state_unit;
  std::fill(id + states_at_, id + states_at_ + m.state_count, 1.0);
}

void StabilisedForm::weigh(double relative,
                           const double* tol,
                           const double* y,
                           double* weight) const {
  const Model& m = engine_.model;
  for (Eigen::Index i = 0; i < size_; ++i)
    weight[i] = 1.0 / (relative * std::abs(y[i]) + tol[i]);
  const double farthest = m.largest_coordinate();
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k)
    for (int i = m.bodies[k].q0; i < m.bodies[k].q0 + 3; ++i)
      if (std::abs(y[i]) > farthest) weight[i] = 1.0 / (relative * farthest + tol[i]);
}

// eq. (36-38). The rows of a body's q' are: those of its free velocities; one that keeps the length
// of the quaternion; q' = 0 for components that cannot move.
bool StabilisedForm::residual(double t, const double* y, const double* y_dot, double* r) {
  const Model& m = engine_.model;
  if (!ConstMap(y, m.nq + m.nv).allFinite()) return false;
  normalise(y);
  v_ = ConstMap(y + m.nq, m.nv);
  lambda_ = ConstMap(y + m.nq + m.nv, m.nl);
  VectorXd& mu = dl_;
  mu = ConstMap(y + m.nq + m.nv + m.nl, m.nl);
  for (Index k = 0; k < m.nl; ++k)
    if (!is_used(k)) lambda_(k) = mu(k) = 0.0;
  engine_.ws.state_constants = ConstMap(y + states_at_, m.state_count);
  set_kinematics(t);
  constraint_rates(m, engine_.ws, false);
  std::fill(r, r + m.nq, 0.0);
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
    const BodyModel& b = m.bodies[k];
    const double* q = y + b.q0;
    const double* q_dot = y_dot + b.q0;
    const Eigen::Quaterniond p = attitude(q), p_dot = attitude(q_dot);
    const Vector3d w = (2.0 / p.squaredNorm()) * (p.conjugate() * p_dot).vec();
    bool free[7] = {};
    for (int c = 0; c < b.nr; ++c) {
      const int d = b.dof[static_cast<std::size_t>(c)];
      twist_(b.v0 + c) = (d < 3 ? q_dot[d] : w(d - 3)) - v_(b.v0 + c);
      free[slot(d)] = true;
    }
    for (int c = 0; c < b.n; ++c)
      twist_(b.v0 + b.nr + c) = q_dot[7 + c] - v_(b.v0 + b.nr + c);
    for (int c = 0; c < 7; ++c)
      if (!free[c]) r[b.q0 + c] = q_dot[c];
    if (has_quaternion(b)) r[b.q0 + 3] = p.dot(p_dot) + (p.squaredNorm() - 1.0);
  }
  a_ = ConstMap(y_dot + m.nq, m.nv);
  mbd_solver::residual(m, engine_.ws, engine_.zero_v, nullptr);
  base_ = engine_.ws.force;
  mbd_solver::residual(m, engine_.ws, twist_, nullptr);
  r1_ = engine_.ws.force - base_;  // M (q' - v)
  mbd_solver::residual(m, engine_.ws, a_, &lambda_);
  add_jacobian_transposed_times(m, engine_.ws, mu, r1_);
  scatter(r1_, r);
  Map(r + m.nq, m.nv) = engine_.ws.force;
  Map r_phi(r + m.nq + m.nv, m.nl), r_rate(r + m.nq + m.nv + m.nl, m.nl);
  r_phi = engine_.ws.phi;
  c_ = engine_.ws.phi_t;
  add_jacobian_times(m, engine_.ws, v_, c_);
  r_rate = c_;
  for (Index k = 0; k < m.nl; ++k)
    if (!is_used(k)) {
      r_phi(k) = y[m.nq + m.nv + k];
      r_rate(k) = y[m.nq + m.nv + m.nl + k];
    }
  Map(r + states_at_, m.state_count) =
      ConstMap(y_dot + states_at_, m.state_count) - engine_.ws.state_rates;
  engine_.ws.multipliers = lambda_;
  r[size_ - 1] = y_dot[size_ - 1] - input_power(m, engine_.ws);
  return Map(r, size_).allFinite();
}

void StabilisedForm::scatter(const VectorXd& x, double* rows) const {
  for (std::size_t k = 0; k + 1 < engine_.model.bodies.size(); ++k) {
    const BodyModel& b = engine_.model.bodies[k];
    for (int c = 0; c < b.nr; ++c)
      rows[b.q0 + slot(b.dof[static_cast<std::size_t>(c)])] = x(b.v0 + c);
    for (int c = 0; c < b.n; ++c)
      rows[b.q0 + 7 + c] = x(b.v0 + b.nr + c);
  }
}

void StabilisedForm::gather(const double* rows, VectorXd& x) const {
  for (std::size_t k = 0; k + 1 < engine_.model.bodies.size(); ++k) {
    const BodyModel& b = engine_.model.bodies[k];
    for (int c = 0; c < b.nr; ++c)
      x(b.v0 + c) = rows[b.q0 + slot(b.dof[static_cast<std::size_t>(c)])];
    for (int c = 0; c < b.n; ++c)
      x(b.v0 + b.nr + c) = rows[b.q0 + 7 + c];
  }
}

void StabilisedForm::set_kinematics(double t) {
  engine_.set_position(t, q_);
  engine_.set_velocity(v_);
}

// The system splits into two halves with the same G: positions with [M G'; G 0], velocities with
// [cj M + C + K / cj, G'; G 0]. eq. (39). residual() was called at this point before, so
// kinematics, G and forces are set.
bool StabilisedForm::newton_step(
    double t, double cj, const double* y, const double* b, double* out) {
  const Model& m = engine_.model;
  gather(b, r1_);
  dv_ = ConstMap(b + m.nq, m.nv);
  b_phi_ = ConstMap(b + m.nq + m.nv, m.nl);
  b_rate_ = ConstMap(b + m.nq + m.nv + m.nl, m.nl);
  if (!position_kkt_.factor(m, engine_.ws, 0.0, 0.0)) return false;
  weakest_ = position_kkt_.weakest_row(m);
  engine_.kkt.leave_out(left_out_);
  engine_.kkt.regularise(KktMatrix::kProjection);
  // z = c + z' / cj holds for the force states z at this point. After their part of b, divided by
  // cj, is added to c, it holds at the solution.
  z_ = engine_.ws.states;
  engine_.ws.state_gain = 1.0 / cj;
  engine_.ws.state_constants = z_ - engine_.ws.state_rates / cj;
  if (m.network.drives_motions) follow_blocks(t, ConstMap(b + states_at_, m.state_count) / cj);
  const bool factored = engine_.kkt.factor(m, engine_.ws, 1.0 / cj, 1.0 / (cj * cj));
  if (factored) {
    c_ = cj * b_phi_;
    position_kkt_.solve(m, engine_.ws, r1_, c_, w_, dl_);
    // effect of this change of positions on the forces
    base_ = engine_.ws.force;
    x_ = w_ / cj;
    engine_.ws.state_constants += ConstMap(b + states_at_, m.state_count) / cj;
    saved_ = q_;
    move(m, saved_, x_, q_);
    set_kinematics(t);
    mbd_solver::residual(m, engine_.ws, a_, &lambda_);
    dv_ -= engine_.ws.force - base_;
    q_ = saved_;
    set_kinematics(t);
    dv_ /= cj;
    c_ = b_rate_;
    engine_.kkt.solve(m, engine_.ws, dv_, c_, x_, dl_);
  }
  engine_.kkt.leave_out({});
  engine_.kkt.regularise(KktMatrix::kRegularisation);
  if (!factored) {
    engine_.ws.state_gain = 0.0;
    engine_.ws.state_constants = z_;
    return false;
  }
  dv_ = x_;
  Map(out + m.nq, m.nv) = dv_;
  Map out_lambda(out + m.nq + m.nv, m.nl), out_mu(out + m.nq + m.nv + m.nl, m.nl);
  out_lambda = cj * dl_;
  c_ = cj * b_phi_ - b_rate_;
  position_kkt_.solve(m, engine_.ws, r1_, c_, w_, dl_);
  out_mu = dl_;
  for (Index k = 0; k < m.nl; ++k)
    if (!is_used(k)) {
      out_lambda(k) = b_phi_(k);
      out_mu(k) = b_rate_(k);
    }
  x_ = (dv_ + w_) / cj;
  step_states(t, out);
  for (std::size_t k = 0; k + 1 < m.bodies.size(); ++k) {
    const BodyModel& body = m.bodies[k];
    double* to = out + body.q0;
    for (int c = 0; c < 7; ++c)
      to[c] = b[body.q0 + c] / cj;
    Vector3d w = Vector3d::Zero();
    for (int c = 0; c < body.nr; ++c) {
      const int d = body.dof[static_cast<std::size_t>(c)];
      (d < 3 ? to[d] : w(d - 3)) = x_(body.v0 + c);
    }
    if (has_quaternion(body)) {
      const double* q = y + body.q0;
      const double stretch = b[body.q0 + 3] / (cj + 2.0);
      turn(q, w, to);
      for (int c = 3; c < 7; ++c)
        to[c] += stretch * q[c];
    }
    for (int c = 0; c < body.n; ++c)
      to[7 + c] = x_(body.v0 + body.nr + c);
  }
  out[size_ - 1] = b[size_ - 1] / cj;
  return Map(out, size_).allFinite();
}

// Motions may follow block states, which change in the same Newton step. The right-hand sides of
// these motions are reduced by that change; the coordinates provide the rest.
void StabilisedForm::follow_blocks(double t, const VectorXd& change) {
  const Model& m = engine_.model;
  const VectorXd phi = engine_.ws.phi, phi_t = engine_.ws.phi_t;
  engine_.ws.state_constants += change;
  set_kinematics(t);
  constraint_rates(m, engine_.ws, false);
  for (Index k = 0; k < m.nl; ++k)
    if (is_used(k)) {
      b_phi_(k) -= engine_.ws.phi(k) - phi(k);
      b_rate_(k) -= engine_.ws.phi_t(k) - phi_t(k);
    }
  engine_.ws.state_constants -= change;
  set_kinematics(t);
  constraint_rates(m, engine_.ws, false);
}

void StabilisedForm::step_states(double t, double* out) {
  const Model& m = engine_.model;
  if (m.state_count == 0) {
    engine_.ws.state_gain = 0.0;
    return;
  }
  saved_ = q_;
  base_ = v_;
  move(m, saved_, x_, q_);
  v_ += dv_;
  set_kinematics(t);
  mbd_solver::residual(m, engine_.ws, a_, nullptr);
  Map(out + states_at_, m.state_count) = engine_.ws.states - z_;
  q_ = saved_;
  v_ = base_;
  engine_.ws.state_gain = 0.0;
  engine_.ws.state_constants = z_;
  set_kinematics(t);
}

std::string StabilisedForm::fastest(const double* y) {
  x_ = ConstMap(y + engine_.model.nq, engine_.model.nv);
  std::string who;
  engine_.size_of(x_, &who);
  return who;
}

}  // namespace femflex::mbd_solver

// Computes the coefficients of generalised-alpha from the spectral radius, and the positions at the
// end of a step (place_step()).
#include "integrators/alpha_rule.h"

#include <algorithm>

#include "spatial/equations.h"
#include "spatial/rotation.h"

namespace femflex::mbd_solver {

using Eigen::Vector3d;
using Eigen::VectorXd;

AlphaRule::AlphaRule(double rho)
    : alpha_m((2.0 * rho - 1.0) / (rho + 1.0)),
      alpha_f(rho / (rho + 1.0)),
      gamma(0.5 + alpha_f - alpha_m),
      beta(0.25 * (gamma + 0.5) * (gamma + 0.5)),
      delta_m(0.5 * (3.0 * rho - 1.0) / (rho + 1.0)),
      theta(1.0 / (1.0 + rho)) {}

double remaining_error(double size, bool is_first, double rate, double worst) {
  // with a smaller rate of a first correction, the estimate would be meaningless
  constexpr double kMinExpectedRate = 1e-3;
  const double expected =
      !is_first ? rate : (worst > 0.0 ? std::max(worst, kMinExpectedRate) : 1.0);
  return expected < 1.0 ? size * expected / (1.0 - expected) : size;
}

void AlphaRule::predict(double h,
                        const StepStart& start,
                        const StepBefore* before,
                        const StepUnknowns& out) const {
  if (before != nullptr) {
    out.vdot = 2.0 * start.vdot - before->vdot;
    out.lambda = 2.0 * start.lambda - before->lambda;
  } else {
    out.vdot = start.vdot;
    out.lambda = start.lambda;
  }
  out.a = algorithmic(out.vdot, start.vdot, start.a);
  out.dq = h * start.velocity + (h * h * (0.5 - beta)) * start.a + beta * h * h * out.a;
  out.v = start.velocity + (h * (1.0 - gamma)) * start.a + (h * gamma) * out.a;
}

void AlphaRule::correct(double h,
                        const VectorXd& x,
                        const VectorXd& y,
                        const StepUnknowns& out) const {
  const double by_x = beta_prime(h);
  out.dq += x;
  out.v += gamma_prime(h) * x;
  out.vdot += by_x * x;
  out.lambda += by_x * y;
}

void AlphaRule::state_constants(const State& from, double h, VectorXd& out) const {
  const double alpha_w = theta * h / (1.0 - delta_m);
  out = from.force_states + (h * (1.0 - theta) - alpha_w * delta_m) * from.algorithmic_rates +
        alpha_w * alpha_f * from.force_state_rates;
}

void AlphaRule::state_rates(const State& from, const VectorXd& rates, VectorXd& out) const {
  out = ((1.0 - alpha_f) * rates + alpha_f * from.force_state_rates -
         delta_m * from.algorithmic_rates) /
        (1.0 - delta_m);
}

void start_in_still_axes(const std::vector<Spin>& spins,
                         const State& state,
                         VectorXd& vdot,
                         VectorXd& a) {
  vdot = state.acceleration;
  a = state.algorithmic_acceleration;
  for (const Spin& spin : spins) {
    if (spin.at < 0) continue;
    const Vector3d drift = spin.drift(state.velocity.segment<3>(spin.at));
    vdot.segment<3>(spin.at) += drift;
    a.segment<3>(spin.at) += drift;
  }
}

void turn_to_still_axes(const std::vector<Spin>& spins, VectorXd& x) {
  for (const Spin& spin : spins)
    if (spin.at >= 0) x.segment<3>(spin.at) = spin.from_body(x.segment<3>(spin.at));
}

void place_step(const Model& model,
                const State& from,
                const VectorXd& dq,
                std::vector<Spin>& spins,
                PlacedStep& out) {
  move(model, from.position, dq, out.q);
  for (Spin& spin : spins) {
    if (spin.at < 0) continue;
    const Vector3d turn = dq.segment<3>(spin.at);
    const double angle = turn.dot(spin.axis);
    spin.set_angle(angle);
    const BodyModel& b = model.bodies[static_cast<std::size_t>(spin.body)];
    const Eigen::Quaterniond turned =
        (attitude(from.position.data() + b.q0) * exp_quaternion(turn - angle * spin.axis) *
         exp_quaternion(angle * spin.axis))
            .normalized();
    set_attitude(turned, out.q.data() + b.q0);
    const Vector3d w = out.v.segment<3>(spin.at), w_dot = out.vdot.segment<3>(spin.at);
    out.v.segment<3>(spin.at) = spin.to_body(w);
    out.vdot.segment<3>(spin.at) = spin.to_body(w_dot - spin.drift(w));
  }
}

}  // namespace femflex::mbd_solver

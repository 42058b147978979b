// Finds the body, joint or force behind a failed step, and puts it in a sentence.
#include "integrators/failure_reasons.h"

#include <cmath>

#include <fmt/format.h>

#include "femflex/mbd_solver/simulate.h"

namespace femflex::mbd_solver {

using Eigen::VectorXd;

namespace {

/// A row of G that turns by more than this times 1 - rho in a step makes the index-3 form unstable:
/// measured on a mass that a joint holds on a circle, for rho from 0.5 to 0.98.
constexpr double kMaxTurnPerDamping = 0.75;

}  // namespace

std::string newton_failure(const Engine& engine,
                           const VectorXd& correction,
                           double t,
                           double h,
                           const std::string& cause) {
  std::string who;
  engine.size_of(correction, &who);
  return fmt::format(
      "Newton's method did not converge at t = {:.9g} s with a step of {:.3g} s{}{}{}",
      t,
      h,
      who.empty() ? "" : "; worst: ",
      who,
      cause);
}

std::string likely_cause(const Model& model,
                         const DynamicOptions& options,
                         const State& state,
                         bool has_grips) {
  const BodyModel* fastest = nullptr;
  double turn = kMaxTurnPerDamping * (1.0 - options.rho);
  for (const BodyModel& b : model.bodies) {
    double square = 0.0;
    for (int c = 0; c < b.nr; ++c)
      if (b.dof[static_cast<std::size_t>(c)] >= 3)
        square += state.velocity(b.v0 + c) * state.velocity(b.v0 + c);
    if (!(std::sqrt(square) * options.step > turn)) continue;
    turn = std::sqrt(square) * options.step;
    fastest = &b;
  }
  if (fastest != nullptr && model.nl > 0)
    return fmt::format(
        "; body {} turns by {:.3g} rad in a step of {:.3g} s: with joints off its axis steps are "
        "unstable above {:.2g} rad at rho {:.3g}",
        fastest->name,
        turn,
        options.step,
        kMaxTurnPerDamping * (1.0 - options.rho),
        options.rho);
  if (has_grips)
    return "; several points of a body with set-valued friction may lock it: regularised or lugre "
           "friction goes on";
  return {};
}

std::string contradiction(const Engine& engine, double t) {
  Eigen::Index row = 0;
  const double violation = engine.ws.phi.cwiseAbs().maxCoeff(&row);
  return fmt::format(
      "joints and motions contradict each other at t = {:.9g} s: {} stays open by {:.3g}",
      t,
      engine.joint_name_of_row(row),
      violation);
}

std::string short_step(const Engine& engine, const VectorXd& error, double min_step, double t) {
  std::string who;
  engine.size_of(error, &who);
  return fmt::format(
      "the step fell below {:.3g} s at t = {:.9g} s because of {}", min_step, t, who);
}

std::string chatter(const std::string& force, int transitions, double t) {
  return fmt::format(
      "force {}: set-valued friction changes between sticking and sliding more than {} times in "
      "the step that ends at t = {:.9g} s, and the rest of that step is taken without further "
      "changes; a shorter step follows them",
      force,
      transitions,
      t);
}

}  // namespace femflex::mbd_solver

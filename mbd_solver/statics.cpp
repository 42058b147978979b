#include "femflex/mbd_solver/statics.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <fmt/format.h>

#include "femflex/errors.h"

#include "integrators/tangent.h"
#include "spatial/spring.h"

namespace femflex::mbd_solver {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Forces of a state at rest, their multipliers, and what is left on the free directions.
struct Balance {
  VectorXd force, lambda, rest;
  MatrixXd N;
  double scale = 1.0;  // of the forces
};

Balance balance(Engine& engine, State& state) {
  Balance b;
  state.velocity.setZero();
  state.acceleration.setZero();
  engine.set_position(state.time, state.position);
  engine.set_velocity(state.velocity);
  residual(engine.model, engine.ws, state.acceleration, nullptr);
  b.force = engine.ws.force;
  const MatrixXd G = dense_jacobian(engine);
  b.N = null_space(G);
  if (G.rows() > 0) {
    const Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(G.transpose());
    b.lambda = solver.solve(-b.force);
  } else {
    b.lambda.setZero(0);
  }
  b.rest = b.N.transpose() * b.force;
  double scale = b.force.size() > 0 ? b.force.cwiseAbs().maxCoeff() : 0.0;
  for (const PairLoad& load : engine.ws.loads)
    scale = std::max(scale, load.force_b.norm());
  for (const BodyModel& body : engine.model.bodies)
    scale = std::max(scale, body.mass * engine.ws.gravity.norm());
  b.scale = std::max(scale, 1e-30);
  state.multipliers = b.lambda;
  return b;
}

/// Potential energy, that of dead loads included.
double potential(const Engine& engine) {
  const Energy e = energy(engine.model, engine.ws);
  double sum = e.gravity + e.strain + e.stored;
  for (std::size_t k = 0; k < engine.model.forces.size(); ++k) {
    const ForceModel& f = engine.model.forces[k];
    if (f.kind == ForceModel::Kind::point_force && f.a < 0 && !f.in_body_frame)
      sum -= engine.ws.loads[k].force_b.dot(engine.ws.markers[static_cast<std::size_t>(f.b)].p);
  }
  return sum;
}

}  // namespace

StaticSummary solve_statics(const System& system,
                            const StaticOptions& options,
                            ResultSink& sink,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  const Model model = compile(system, diagnostics);
  Engine engine(model);
  StaticSummary summary;
  State state = model.initial;
  state.time = options.time;
  if (options.assemble) {
    engine.ws.turns = state.joint_angles;
    summary.assembly.constraint_before = engine.project_position(options.time, state.position, 0);
    summary.assembly.constraint_after = engine.project_position(options.time, state.position, 100);
    if (!(summary.assembly.constraint_after < 1e-9 * std::max(1.0, model.length_scale)))
      throw NumericalError("does-not-close",
                           fmt::format("the joints do not close: {:.3g} stays open",
                                       summary.assembly.constraint_after),
                           {},
                           "check positions, axes and lengths in the initial state");
    update_turns(model, engine.ws, state.joint_angles);
    engine.ws.turns = state.joint_angles;
  }
  progress.begin("equilibrium", options.max_iterations, "iterations");
  Balance now = balance(engine, state);
  double last_step = 1e300;
  for (; summary.iterations < options.max_iterations; ++summary.iterations) {
    progress.step(summary.iterations);
    summary.residual = now.rest.size() > 0 ? now.rest.cwiseAbs().maxCoeff() / now.scale : 0.0;
    if (!std::isfinite(summary.residual)) break;
    if (now.rest.size() == 0) {
      summary.converged = true;
      break;
    }
    const Tangent tan = tangent(engine, state, false);
    const MatrixXd H = now.N.transpose() * tan.K * now.N;
    const MatrixXd S = 0.5 * (H + H.transpose());
    // where S is well positive definite a factorisation says so, for much less than eigenvalues
    const double bound = S.cwiseAbs().rowwise().sum().maxCoeff();
    const MatrixXd margin = 1e-9 * bound * MatrixXd::Identity(S.rows(), S.cols());
    const bool is_positive = Eigen::LLT<MatrixXd>(S - margin).info() == Eigen::Success;
    Eigen::SelfAdjointEigenSolver<MatrixXd> eigen;
    double largest = bound;
    summary.stable = true;
    if (!is_positive) {
      eigen.compute(S);
      largest = std::max(eigen.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
      summary.stable = eigen.eigenvalues()(0) > -1e-9 * largest;
    }
    if (summary.residual < options.tolerance && (last_step < 1e-9 || summary.residual < 1e-13)) {
      engine.set_all(state);
      if (!break_springs(model, engine.ws, state.joint_angles)) {
        summary.converged = true;
        break;
      }
      engine.ws.turns = state.joint_angles;  // what forces look at: without the broken ones
      now = balance(engine, state);
      last_step = 1e300;
      continue;
    }
    VectorXd p;
    if (is_positive || eigen.eigenvalues()(0) > 1e-9 * largest) {
      p = -H.partialPivLu().solve(now.rest);
    } else {  // saddle-free: away from an unstable state, nowhere in directions without stiffness
      VectorXd along = eigen.eigenvectors().transpose() * now.rest;
      for (Eigen::Index k = 0; k < along.size(); ++k) {
        const double stiffness = std::abs(eigen.eigenvalues()(k));
        along(k) =
            stiffness > 1e-11 * largest
                ? -along(k) / stiffness
                : (std::abs(along(k)) > 1e-9 * now.scale ? -along(k) / (1e-6 * largest) : 0.0);
      }
      p = eigen.eigenvectors() * along;
    }
    VectorXd dq = now.N * p;
    const double size = engine.size_of(dq);
    if (size > 0.3) dq *= 0.3 / size;
    engine.set_all(state);
    const double energy_before = potential(engine);
    const double rest_before = now.rest.norm();
    State trial = state;
    for (int halving = 0; halving < 12; ++halving) {
      trial = state;
      move(model, state.position, dq, trial.position);
      // second-order gaps of large turns close by moving bodies: bending them would cost the step
      engine.project_position(options.time, trial.position, 30, 1e-13, 1.0);
      if (model.turns > 0) {
        engine.ws.turns = state.joint_angles;
        update_turns(model, engine.ws, trial.joint_angles);
        engine.ws.turns = trial.joint_angles;
      }
      const Balance then = balance(engine, trial);
      const double drop = energy_before - potential(engine);
      if (then.rest.norm() < rest_before || drop > 1e-12 * std::abs(energy_before) ||
          halving == 11) {
        now = then;
        break;
      }
      dq *= 0.5;
    }
    last_step = engine.size_of(dq);
    state = trial;
  }
  progress.end();
  const auto broken = [&](const VectorXd& memory) {
    return std::count_if(model.forces.begin(), model.forces.end(), [&](const ForceModel& f) {
      return f.broken >= 0 && memory(f.broken) > 0.5;
    });
  };
  if (const auto count = broken(state.joint_angles) - broken(model.initial.joint_angles); count > 0)
    diagnostics.warn(
        "broken-springs",
        fmt::format(
            "{} {} broke on the way to the equilibrium", count, count == 1 ? "spring" : "springs"));
  if (!summary.converged)
    summary.reason =
        fmt::format("no equilibrium within {} iterations; unbalanced force {:.3g} of the largest",
                    summary.iterations,
                    summary.residual);
  engine.set_all(state);
  sink.begin(model.outputs.channels);
  std::vector<double> row;
  for (const Probe& probe : model.outputs.probes)
    row.push_back(read(model, engine.ws, probe));
  sink.append(state.time, row);
  summary.state = std::move(state);
  return summary;
}

}  // namespace femflex::mbd_solver

// Sentences that say why a step of generalised-alpha failed, with the body or joint to look at.
#pragma once

#include <string>

#include "integrators/engine.h"

namespace femflex::mbd_solver {

struct DynamicOptions;

/// Newton's method did not converge in a step h to t.
/// @param correction  the last one
/// @param cause  likely_cause()
std::string newton_failure(const Engine& engine,
                           const Eigen::VectorXd& correction,
                           double t,
                           double h,
                           const std::string& cause);

/// Names what makes steps fail that a spring or a mass does not explain; empty without such.
/// @param has_grips  there is set-valued friction
std::string likely_cause(const Model& model,
                         const DynamicOptions& options,
                         const State& state,
                         bool has_grips);

/// Redundant constraints are inconsistent at the kinematics of the workspace.
std::string contradiction(const Engine& engine, double t);

/// Adaptive steps became too short.
/// @param error  the last local error of positions
std::string short_step(const Engine& engine,
                       const Eigen::VectorXd& error,
                       double min_step,
                       double t);

/// Set-valued friction changes its mode too often in the step that ends at t.
std::string chatter(const std::string& force, int transitions, double t);

}  // namespace femflex::mbd_solver

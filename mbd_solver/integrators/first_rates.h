// The rates of the states of a linear system at the state of linearisation, which are zero in
// equilibrium. linear_system() carries them, so that nothing moves or stands still silently.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/mbd_solver/state.h"

#include "spatial/model.h"

namespace femflex::mbd_solver {

/// Rates of a state that is not one of equilibrium.
struct FirstRates {
  Eigen::VectorXd rates;            // of modes, of their rates, of the force states
  std::vector<std::string> movers;  // what moves, with its rate; empty in equilibrium
};

/// @param loads  generalised forces at the state, followed by the rates of the force states
/// @param N      motions of the modes, with unit generalised mass
/// @param A      matrix of the linear system
/// @param names  names of its states
FirstRates first_rates(const Model& model,
                       const State& at,
                       const Eigen::VectorXd& loads,
                       const Eigen::MatrixXd& N,
                       const Eigen::MatrixXd& A,
                       const std::vector<std::string>& names);

/// Whether loads along a direction exceed the round-off of a balance.
/// @param along     sum of the terms
/// @param strength  sum of their magnitudes
bool is_unbalanced(const Eigen::VectorXd& along, const Eigen::VectorXd& strength);

}  // namespace femflex::mbd_solver

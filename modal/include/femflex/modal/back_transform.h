// Recovers the coordinates of the modes that the user chose, and nodal displacements, from the
// modal coordinates of a simulation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include "femflex/fe_model.h"
#include "femflex/flex_body.h"
#include "femflex/modal/selection.h"

namespace femflex::modal {

/// The three ways from the coordinates zeta of a simulation back to eta, the coordinates of the
/// modes that the user chose.  docs/theory/modal.md section "From reduced coordinates back".
enum class BackRoute : std::uint8_t {
  direct,         ///< eta = V diag(alpha) zeta; no equation is solved
  inverse,        ///< q = Phi zeta on as many rows as modes, eta = U^-1 q; U must be complete
  least_squares,  ///< eta = argmin |U eta - q| with weighted rows
};
std::string_view name_of(BackRoute route);
/// direct, inverse, least-squares.  @throws UsageError
BackRoute parse_back_route(std::string_view name);
std::vector<std::string> back_route_names();

/// The recommended route, and the numbers that decide.
struct BackAdvice {
  BackRoute recommended = BackRoute::direct;
  bool direct_known = false;  ///< the body carries V and alpha
  bool complete = false;      ///< U has as many independent rows as columns, and no more
  /// 2-norm condition of D V diag(alpha), D: lengths of the columns of U
  double condition_V = 0.0;
  double condition_U = 0.0;    ///< 2-norm condition of U on the rows that move, unit columns
  double direct_error = 0.0;   ///< expected relative error of eta by each route
  double inverse_error = 0.0;  ///< infinite if U is not complete
  double least_squares_error = 0.0;
  std::string why;
};

/// @throws ModelError  the body carries no back-transformation at all
BackAdvice advise_back_transformation(const FlexBody& body);

/// Takes U, the modes that a body was made of, from its model. This is for bodies from files that
/// hold processed shapes only, such as FLEX files of DADS. V and alpha of the body become unknown,
/// so that only the routes `inverse` and `least_squares` remain.
/// @param select  the modes chosen in `model`; empty: all of them
/// @throws ModelError  the model has no modes or no units, or lacks a node of the body; a shape of
///                     the body is not a combination of these modes
/// @throws NumericalError  the chosen shapes are dependent
void take_chosen_modes(FlexBody& body,
                       const FeModel& model,
                       const std::vector<ModeSelection>& select);

/// Returns eta (n_eta x samples) for zeta (n_zeta x samples).
/// @throws ModelError      the body carries no back-transformation, or not V and alpha for
///                         `direct`; sizes differ
/// @throws NumericalError  `inverse` of a U that is not complete, or columns that are dependent
Eigen::MatrixXd chosen_coordinates(const FlexBody& body,
                                   const Eigen::MatrixXd& zeta,
                                   BackRoute route = BackRoute::direct);

/// Elastic motion of one node in the body frame, (6 x samples): translations [m], rotations [rad].
/// @throws ModelError  no such node, or sizes differ
Eigen::MatrixXd node_motion(const FlexBody& body, std::int64_t node, const Eigen::MatrixXd& zeta);

}  // namespace femflex::modal

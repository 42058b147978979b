// Gives a flexible body damping by the rules that a user may state, and computes the damping ratio
// of each eigenmode and the damped poles that result.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::modal {

/// How the modes of a body are damped. The kinds `uniform`, `per_mode` and `adams` give each mode a
/// ratio beta_i and the body a diagonal damping matrix b_ii = 2 beta_i sqrt(k_ii m_ii), even if m
/// and k are not diagonal (docs/theory/modal.md eq. 12).
struct DampingRule {
  enum class Kind : std::uint8_t {
    none,     ///< apply_damping() leaves the body as it is
    uniform,  ///< `ratio` on every mode
    /// `ratio` on every eigenmode of the reduced body: b = m V diag(2 ratio omega) V' m is full
    true_modes,
    per_mode,  ///< `by_mode`, zero for the other modes
    adams,     ///< 1 % below 100 Hz, 10 % up to 1000 Hz, critical (100 %) above
    matrix,    ///< the damping matrix D of the FE model, projected: b = Phi' D Phi
  };
  Kind kind = Kind::none;
  double ratio = 0.0;
  /// mode number in the body, 1-based, and its beta
  std::vector<std::pair<std::int64_t, double>> by_mode;
};

/// Reads `none`, `0.01`, `1%`, `true:0.01`, `1:0.35,2:0.25` (also ranges, `1-6:0.02`), `adams`, or
/// `file` (Kind::matrix).
/// @throws UsageError
DampingRule parse_damping(std::string_view text);

/// Applies `rule` to a body: `uniform`, `per_mode` and `adams` set the ratios of its mode table,
/// `true_modes` its damping matrix. `matrix` has no effect here; reduce() applies it.
/// @throws UsageError  a mode number beyond the table
/// @throws ModelError  `true_modes` with an m that is not positive definite
void apply_damping(FlexBody& body, const DampingRule& rule);

/// The damping ratio of every eigenmode of (k, m) of a body. If the shapes of the body are not
/// orthogonal in m and k, they are not its eigenmodes, and the mode table has other ratios.
/// docs/theory/modal.md eq. (35)
struct TrueDamping {
  Eigen::VectorXd frequency_hz;
  Eigen::VectorXd ratio;  ///< v' b v / (2 omega) with v' m v = 1; NaN for rigid motions
  /// largest |v_i' b v_j| / sqrt(v_i' b v_i v_j' b v_j): 0 if b does not couple the eigenmodes
  double coupling = 0.0;
};
/// @throws ModelError  m is not positive definite
TrueDamping true_damping(const FlexBody& body);

/// Damping of the rigid motions that the shapes of a body combine, as a ratio of critical damping
/// at the lowest elastic frequency: the largest v' b v / (2 omega_1) with v' m v = 1. It is 0 if
/// the damping leaves rigid motions free, as it must in a part that nothing else holds. Ratios on
/// shapes that are not eigenmodes, such as constraint modes, resist them. 0 also if the shapes
/// contain no rigid motion, or if m is not positive definite.
double damping_of_rigid_motions(const FlexBody& body);

/// The poles s [1/s] of the reduced body with its frame held: det(m s^2 + b s + k) = 0. Returns all
/// real poles, and of each conjugate pair the pole with positive imaginary part, in ascending order
/// of |s|, without the zero poles of rigid motions. If damping couples the eigenmodes, the body
/// decays by these poles and not by the ratios of true_damping(). docs/theory/modal.md eq. (35b)
/// @return  empty for coupled sets of more than 400 modes, whose poles would take too long
/// @throws ModelError  m is not positive definite
Eigen::VectorXcd damped_poles(const FlexBody& body);

}  // namespace femflex::modal

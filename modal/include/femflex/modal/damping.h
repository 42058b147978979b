// Damping of a flexible body: the rules that a user may give, and the ratio of each eigenmode that
// results from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/flex_body.h"

namespace femflex::modal {

/// How the modes of a body are damped. Ratios beta act as b_ii = 2 beta_i sqrt(k_ii m_ii), also on
/// sets that are not orthogonal. Then b is diagonal although m and k are not (the rule of 1993,
/// docs/theory/modal.md eq. 12).
struct DampingRule {
  enum class Kind : std::uint8_t {
    none,     ///< no damping stated: ratios stay NaN
    uniform,  ///< `ratio` on every mode
    /// `ratio` on every eigenmode of the reduced body: b = m V diag(2 ratio omega) V' m
    true_modes,
    per_mode,  ///< `by_mode`, zero for the other modes
    adams,     ///< 1 % below 100 Hz, 10 % to 1000 Hz, critical above
    matrix,    ///< projected D of the FE model: d = Phi' D Phi
  };
  Kind kind = Kind::none;
  double ratio = 0.0;
  /// mode number in the body, 1-based, and its beta
  std::vector<std::pair<std::int64_t, double>> by_mode;
};

/// Reads `none`, `0.01`, `true:0.01`, `1:0.35,2:0.25` (also ranges, `1-6:0.02`), `adams`, `file`.
/// @throws UsageError
DampingRule parse_damping(std::string_view text);

/// Writes the ratios of `rule` into the mode table of a body, or into its damping matrix; the rule
/// `matrix` is applied by reduce().
/// @throws UsageError  a mode number beyond the table
/// @throws ModelError  `true_modes` with an m that is not positive definite
void apply_damping(FlexBody& body, const DampingRule& rule);

/// The physical effect of a body's damping: a ratio for every eigenmode of (k, m); if the set is
/// not orthogonal, the eigenmodes differ from its shapes. eq. (35)
struct TrueDamping {
  Eigen::VectorXd frequency_hz;
  Eigen::VectorXd ratio;  ///< v' b v / (2 omega) with v' m v = 1; NaN for rigid motions
  /// largest |v_i' b v_j| / sqrt(v_i' b v_i v_j' b v_j): 0 if b does not couple the eigenmodes
  double coupling = 0.0;
};
/// @throws ModelError  m is not positive definite
TrueDamping true_damping(const FlexBody& body);

/// The damped motions of the reduced body alone, its frame held: s of det(m s^2 + b s + k) = 0
/// [1/s]. Of each conjugate pair the one with imaginary part > 0, and all real poles, in ascending
/// order of |s|; rigid motions that nothing damps are left out. Where damping couples the
/// eigenmodes, these are the motions that decay, and not the ratios of true_damping(). eq. (35b)
/// @return  empty for coupled sets of more than 400 modes, whose poles would take too long
/// @throws ModelError  m is not positive definite
Eigen::VectorXcd damped_poles(const FlexBody& body);

}  // namespace femflex::modal

// Factors K - sigma M with sigma just above the wanted modes, so that one factor finds them and
// counts them.
#pragma once

#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "solve/shifted_factor.h"

namespace femflex::modal {

/// Largest number of eigenvalues below a shift above the `count` lowest ones. All that lie below it
/// have to be found.
std::int64_t most_below(std::int64_t count);

/// Factors K - sigma M in single precision with sigma just above the `count` lowest eigenvalues.
/// If more than most_below(count) lie below sigma, a second, lower one is tried.
/// @param bounds  upper bounds of the lowest eigenvalues, in ascending order, more than `count`
/// @param rigid   number of zero eigenvalues among them
/// @return        number of eigenvalues below sigma, proven. Fewer than `count`: sigma lies among
///                the wanted ones. nullopt: no such factor, because it is too rough or too many
///                eigenvalues lie below.
std::optional<std::int64_t> factor_above(ShiftedFactor& factor,
                                         const Eigen::VectorXd& bounds,
                                         std::int64_t count,
                                         std::int64_t rigid);

}  // namespace femflex::modal

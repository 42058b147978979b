// Limit below which a pivot of a factorisation counts as zero.
#pragma once

namespace femflex::modal {

/// Pivots below this share of the diagonal entry from which they are left are lost in round-off.
inline constexpr double kZeroPivot = 1e-13;

}  // namespace femflex::modal

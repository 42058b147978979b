// Limit below which a pivot of a factorisation counts as zero.
#pragma once

namespace femflex::modal {

/// A pivot below this share of the diagonal entry of its matrix is only round-off; for MUMPS, below
/// this share of the norm of the scaled matrix.
inline constexpr double kZeroPivot = 1e-13;

}  // namespace femflex::modal

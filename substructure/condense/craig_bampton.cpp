// Condenses a part (a dynamic stiffness R(s) on ports) to its ports and a few inner modes by the
// Craig-Bampton method, with a bound of the error. docs/theory/substructures.md eq. (17), (18).
#include <algorithm>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/substructure/condense.h"

#include "blocks.h"

namespace femflex::substructure {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

// number of inner modes computed first; doubled until they reach beyond the band
constexpr Index kFirstModes = 20;

/// The lowest modes, including at least one beyond `omega_max` if there is one.
InnerModes modes_beyond(const Blocks& blocks, double omega_max) {
  Index count = kFirstModes;
  for (;;) {
    InnerModes modes = inner_modes(blocks, count);
    const Index found = modes.omega.size();
    if (modes.complete || (found > 0 && modes.omega(found - 1) > omega_max)) return modes;
    count *= 2;
  }
}

/// Bound of eq. (18) for the first `kept` modes: the most that the neglected modes add to R up to
/// `band`.
double neglected(const StaticReduction& reduced,
                 const MatrixXd& couplings,
                 const InnerModes& modes,
                 Index kept,
                 double mass_damping,
                 double band) {
  if (kept >= modes.omega.size() && modes.complete) return 0.0;
  MatrixXd remainder = reduced.static_sum;
  for (Index k = 0; k < kept; ++k) {
    remainder -=
        couplings.col(k) * couplings.col(k).transpose() / (modes.omega(k) * modes.omega(k));
  }
  const double next = modes.omega(kept);
  const double w2 = band * band;
  return (w2 * w2 + mass_damping * mass_damping * w2) / (1.0 - w2 / (next * next)) *
         symmetric_norm(0.5 * (remainder + remainder.transpose()));
}

/// The part on its ports and the first `kept` modes, with the bound of its error up to `band`.
Condensed kept_modes(const DynamicStiffness& part,
                     const Blocks& blocks,
                     const StaticReduction& reduced,
                     const InnerModes& modes,
                     Index kept,
                     double band) {
  const Index b = part.port_count();
  const MatrixXd shapes = modes.shapes.leftCols(kept);
  const MatrixXd couplings = reduced.L.transpose() * modes.shapes;
  MatrixXd K = MatrixXd::Zero(b + kept, b + kept);
  MatrixXd C = K;
  MatrixXd M = K;
  K.topLeftCorner(b, b) = reduced.K;
  C.topLeftCorner(b, b) = reduced.C;
  M.topLeftCorner(b, b) = reduced.M;
  K.diagonal().tail(kept) = modes.omega.head(kept).array().square();
  M.diagonal().tail(kept).setOnes();
  M.topRightCorner(b, kept) = couplings.leftCols(kept);
  M.bottomLeftCorner(kept, b) = couplings.leftCols(kept).transpose();
  const Rayleigh damping = rayleigh_damping(part);
  if (damping.holds) {
    // exact zeros off the diagonal if damping does not couple the modes
    C.diagonal().tail(kept) =
        damping.mass + damping.stiffness * modes.omega.head(kept).array().square();
    C.topRightCorner(b, kept) = damping.mass * couplings.leftCols(kept);
  } else {
    const MatrixXd damped = blocks.C_ii * shapes;
    const MatrixXd inner = shapes.transpose() * damped;
    C.bottomRightCorner(kept, kept) = 0.5 * (inner + inner.transpose());
    C.topRightCorner(b, kept) = reduced.G.transpose() * shapes;
  }
  C.bottomLeftCorner(kept, b) = C.topRightCorner(b, kept).transpose();
  Condensed out{part_like(part, {K, C, M})};
  out.band = band;
  out.scale = symmetric_norm(reduced.K) + band * band * symmetric_norm(reduced.M);
  out.fixed_interface.assign(modes.omega.data(), modes.omega.data() + kept);
  if (damping.holds && (kept >= modes.omega.size() || modes.omega(kept) > band)) {
    out.error_bound = neglected(reduced, couplings, modes, kept, damping.mass, band);
  }
  return out;
}

}  // namespace

Condensed craig_bampton(const DynamicStiffness& part, double omega_max) {
  check_band(omega_max);
  const Blocks blocks = blocks_of(part);
  const StaticReduction reduced = static_reduction(blocks);
  const InnerModes modes = modes_beyond(blocks, omega_max);
  const Index kept = (modes.omega.array() <= omega_max).count();
  return kept_modes(part, blocks, reduced, modes, kept, omega_max);
}

Condensed band_limited(const DynamicStiffness& part, double band, double tolerance) {
  check_band(band);
  if (!(tolerance > 0.0)) {
    throw ModelError("tolerance",
                     fmt::format("the tolerance is {}, but must be positive", tolerance));
  }
  const Blocks blocks = blocks_of(part);
  const StaticReduction reduced = static_reduction(blocks);
  const double scale = symmetric_norm(reduced.K) + band * band * symmetric_norm(reduced.M);
  const Rayleigh damping = rayleigh_damping(part);
  if (!damping.holds) {
    Condensed all = balanced_truncation(part, part.inner_count() * 2, band);
    // with sigma_1 >= sigma_2 >= ..., the fewest states are kept whose remaining sum is small
    // enough
    double neglected_sum = 0.0;
    auto states = static_cast<Index>(all.hankel.size());
    while (states > 0) {
      const double next = neglected_sum + all.hankel[static_cast<std::size_t>(states) - 1];
      if (2.0 * band * band * next > tolerance * scale) break;
      neglected_sum = next;
      --states;
    }
    return balanced_truncation(part, states, band);
  }
  for (Index count = kFirstModes;; count *= 2) {
    const InnerModes modes = inner_modes(blocks, count);
    const MatrixXd couplings = reduced.L.transpose() * modes.shapes;
    for (Index kept = (modes.omega.array() <= band).count(); kept <= modes.omega.size(); ++kept) {
      if (kept == modes.omega.size() && !modes.complete) break;
      if (neglected(reduced, couplings, modes, kept, damping.mass, band) <= tolerance * scale) {
        return kept_modes(part, blocks, reduced, modes, kept, band);
      }
    }
  }
}

}  // namespace femflex::substructure

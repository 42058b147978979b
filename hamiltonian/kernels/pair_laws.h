// Computes the force divided by the length of eight springs at a time from their squared lengths,
// for the kernels of networks.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/vectors.h"

namespace femflex::hamiltonian::tiles {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wpedantic"

/// The laws of laws/spring.h that need two constants, alpha and beta. With L^2 = r2 and s = F / L:
/// quartic  s = alpha r2 - beta,  alpha = 2 k, beta = 2 k d^2
/// linear   s = alpha - beta / L, alpha = k,   beta = k d
/// `taut_` laws are 0 where the spring is shorter than d, that is, where s and alpha differ in
/// sign.
/// curve    s by a function of the caller, lane by lane: alpha = d, beta = which curve
/// damper   s = alpha (r . v) / r2, where v is the velocity of the far end minus that of this end
enum class PairLaw : std::uint8_t { quartic, linear, taut_quartic, taut_linear, curve, damper };
inline constexpr int kPairLaws = 6;
inline constexpr int kBlockLaws = 4;  ///< the first ones, which the kernel of blocks knows too

constexpr bool is_for_blocks(PairLaw law) {
  return static_cast<int>(law) < kBlockLaws;
}

/// The caller's function for PairLaw::curve: force divided by length of one bond.
struct CurveLaws {
  double (*over_length)(const void* owner, double alpha, double beta, double r2) = nullptr;
  const void* owner = nullptr;
};

constexpr bool has_root(PairLaw law) {
  return law == PairLaw::linear || law == PairLaw::taut_linear;
}
constexpr bool is_taut(PairLaw law) {
  return law == PairLaw::taut_quartic || law == PairLaw::taut_linear;
}

/// The bits of as many numbers.
template <typename V>
struct BitsOf;
template <>
struct BitsOf<Vector> {
  using Type = unsigned long long __attribute__((vector_size(64)));
};
template <>
struct BitsOf<Four> {
  using Type = unsigned long long __attribute__((vector_size(32)));
};

/// 1 / sqrt(r2) to a rounding or two; 0 where r2 is 0, because a force without a direction is 0.
///
/// First guess y: the bits of r2, halved as an integer and subtracted from a constant, are within
/// 3.5 % of the result. With e = 1 - r2 y^2, 1 / sqrt(r2) = y / sqrt(1 - e) is a series in e. Four
/// of its terms leave an error of 35/128 e^4: 6e-6 after the first pass, round-off after the
/// second.
template <typename V>
[[gnu::always_inline]] inline V inverse_root(const V& r2) {
  constexpr unsigned long long kMagic = 0x5fe6eb50c7b537a9;  // least error of the first guess
  typename BitsOf<V>::Type bits;
  std::memcpy(&bits, &r2, sizeof bits);
  bits = kMagic - (bits >> 1U);
  V y;
  std::memcpy(&y, &bits, sizeof y);
  for (int i = 0; i < 2; ++i) {
    const V e = 1.0 - r2 * y * y;
    y += y * e * (0.5 + e * (0.375 + e * 0.3125));
  }
  constexpr double kSmallest = 1e-290;  // below it r2 y^2 loses digits
  return r2 > kSmallest ? y : V{};
}

/// Force divided by length of eight springs.
template <PairLaw Law, typename V>
[[gnu::always_inline]] inline V over_length(const V& alpha, const V& beta, const V& r2) {
  if constexpr (std::is_same_v<V, Halves>) {
    return {over_length<Law>(alpha.low, beta.low, r2.low),
            over_length<Law>(alpha.high, beta.high, r2.high)};
  } else {
    V s;
    if constexpr (has_root(Law))
      s = alpha - beta * inverse_root(r2);
    else
      s = alpha * r2 - beta;
    if constexpr (is_taut(Law)) s = (s < 0.0) == (alpha < 0.0) ? s : V{};
    return s;
  }
}

#pragma GCC diagnostic pop

}  // namespace femflex::hamiltonian::tiles

// Random roads: independent Gaussian harmonics at n_k = k/L, each with variance G(n_k)/L, summed by
// a fast Fourier transform. The right track is a mixture of the left track's harmonics and new
// ones. See docs/theory/roads.md.
#include "femflex/roads/iso8608.h"

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::roads {
namespace {

using Complex = std::complex<double>;

constexpr std::size_t kMostPoints = 1U << 24U;  // 256 MB for the spectra of both tracks

/// Gaussian numbers that do not depend on distributions of the standard library: pairs by Box and
/// Muller from a Mersenne twister.
class Gaussian {
 public:
  explicit Gaussian(std::uint64_t seed) : bits_(seed) {}
  Complex pair() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    return std::polar(radius, angle);
  }

 private:
  /// A number in (0, 1): the leading 53 bits plus half a unit, so that 0 does not occur.
  double uniform() { return (static_cast<double>(bits_() >> 11U) + 0.5) * 0x1p-53; }
  std::mt19937_64 bits_;
};

/// a_m <- sum_k a_k exp(2 pi i k m / N) in place; N is a power of two.
void transform(std::vector<Complex>& a) {
  const std::size_t n = a.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1U;
    for (; (j & bit) != 0; bit >>= 1U)
      j ^= bit;
    j ^= bit;
    if (i < j) std::swap(a[i], a[j]);
  }
  std::vector<Complex> roots(n / 2);
  for (std::size_t k = 0; k < roots.size(); ++k)
    roots[k] =
        std::polar(1.0, 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const Complex odd = a[start + k + half] * roots[k * (n / (2 * half))];
        a[start + k + half] = a[start + k] - odd;
        a[start + k] += odd;
      }
}

void require(bool is_right, const std::string& message) {
  if (!is_right) throw ModelError("random-road", "random road: " + message);
}

/// Number of points: the smallest power of two that covers the length.
std::size_t checked_size(const RandomRoad& road) {
  require(road.roughness >= 0.0 && std::isfinite(road.roughness), "the roughness is negative");
  require(std::isfinite(road.exponent), "the exponent is not finite");
  require(road.lowest > 0.0 && road.highest > road.lowest && std::isfinite(road.highest),
          "spatial frequencies must rise from above 0");
  require(road.spacing > 0.0 && road.length > road.spacing && std::isfinite(road.length),
          "spacing and length must be positive");
  require(road.spacing * road.highest <= 0.5,
          fmt::format("a spacing of {} m does not resolve {} 1/m; it must be {} m or less",
                      road.spacing,
                      road.highest,
                      0.5 / road.highest));
  require(road.length / road.spacing <= static_cast<double>(kMostPoints),
          fmt::format("more than {} points; shorten the road or widen the spacing", kMostPoints));
  std::size_t n = 2;
  while (static_cast<double>(n) * road.spacing < road.length)
    n *= 2;
  return n;
}

std::vector<double> real_parts(const std::vector<Complex>& a) {
  std::vector<double> out;
  out.reserve(a.size());
  for (const Complex& c : a)
    out.push_back(c.real());
  return out;
}

}  // namespace

std::function<double(double)> exponential_coherency(double decay, double track) {
  return [decay, track](double n) { return std::exp(-decay * track * n); };
}

TwoTracks generate_tracks(const RandomRoad& road) {
  const std::size_t n = checked_size(road);
  const double length = static_cast<double>(n) * road.spacing;
  std::vector<Complex> left(n), right(n);
  Gaussian gaussian(road.seed);
  for (std::size_t k = 1; k < n / 2; ++k) {
    const double frequency = static_cast<double>(k) / length;
    if (frequency < road.lowest || frequency > road.highest) continue;
    const double density =
        road.roughness * std::pow(frequency / laws::kIso8608Reference, -road.exponent);
    const double share = road.coherency ? road.coherency(frequency) : 1.0;
    require(share >= 0.0 && share <= 1.0,
            fmt::format("coherency {} at {} 1/m; it must be from 0 to 1", share, frequency));
    const double scale = std::sqrt(density / length);
    const Complex common = gaussian.pair();
    const Complex own = gaussian.pair();
    left[k] = scale * common;
    right[k] = scale * (share * common + std::sqrt(1.0 - share * share) * own);
  }
  transform(left);
  transform(right);
  return {road.spacing, real_parts(left), real_parts(right)};
}

Tracks random_road(const RandomRoad& road, double start) {
  const TwoTracks tracks = generate_tracks(road);
  std::vector<double> x(tracks.left.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    x[k] = start + static_cast<double>(k) * tracks.spacing;
  constexpr auto kKind = laws::Curve::Kind::linear;
  constexpr auto kBeyond = laws::Curve::Beyond::hold;
  return {laws::Curve(x, tracks.left, kKind, kBeyond, "random road, left track"),
          laws::Curve(x, tracks.right, kKind, kBeyond, "random road, right track"),
          road.track};
}

}  // namespace femflex::roads

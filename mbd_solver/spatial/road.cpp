// Random road profiles by ISO 8608: a sum of cosines with random phases, one per band of wave
// numbers.
#include "femflex/mbd_solver/road.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/laws/iso8608.h"

namespace femflex::mbd_solver {
namespace {

constexpr double kWaviness = 2.0;  // w of the spectrum
constexpr double kLowest = 0.01;   // lowest wave number [cycles/m], of a wave of 100 m
// the highest wave number is kLowest * kRange; its wave is 0.1 m long, like a tyre's footprint
constexpr double kRange = 1000.0;
constexpr int kWaves = 400;         // number of waves, evenly spaced in log n, 133 per decade
constexpr double kSpacing = 0.02;   // distance of points [m], five per shortest wave
constexpr double kMaxLength = 1e5;  // [m], five million points

}  // namespace

Table iso8608_profile(char iso_class, std::uint64_t seed, double length) {
  const double reference = laws::iso8608_roughness(iso_class);
  if (!(length > 0.0) || length > kMaxLength)
    throw ModelError(
        "road-length",
        fmt::format(
            "the road is {} m long; expected more than 0 and at most {} m", length, kMaxLength));
  std::mt19937_64 engine(seed);
  std::vector<double> number(kWaves), amplitude(kWaves), phase(kWaves);
  for (int k = 0; k < kWaves; ++k) {
    const auto u = static_cast<std::size_t>(k);
    const double low = kLowest * std::pow(kRange, static_cast<double>(k) / kWaves);
    const double high = kLowest * std::pow(kRange, static_cast<double>(k + 1) / kWaves);
    number[u] = std::sqrt(low * high);
    amplitude[u] = std::sqrt(
        2.0 * reference * std::pow(number[u] / laws::kIso8608Reference, -kWaviness) * (high - low));
    // a random number with 53 bits, equal on every platform
    phase[u] = 2.0 * std::numbers::pi * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  Table table;
  table.interpolation = Table::Interpolation::akima;
  const auto points = static_cast<std::size_t>(length / kSpacing) + 2;
  table.x.resize(points);
  table.y.assign(points, 0.0);
  for (std::size_t p = 0; p < points; ++p)
    table.x[p] = kSpacing * static_cast<double>(p);
  // cos(a + b) = cos a cos b - sin a sin b; the angles b within a block are the same for all blocks
  constexpr std::size_t kBlock = 128;
  std::array<double, kBlock> cosine{}, sine{};
  for (std::size_t k = 0; k < kWaves; ++k) {
    const double turn = 2.0 * std::numbers::pi * number[k];
    for (std::size_t p = 0; p < kBlock; ++p) {
      cosine[p] = std::cos(turn * kSpacing * static_cast<double>(p));
      sine[p] = std::sin(turn * kSpacing * static_cast<double>(p));
    }
    for (std::size_t from = 0; from < points; from += kBlock) {
      const double angle = turn * table.x[from] + phase[k];
      const double c = amplitude[k] * std::cos(angle), s = amplitude[k] * std::sin(angle);
      const std::size_t count = std::min(kBlock, points - from);
      double* y = table.y.data() + from;
      for (std::size_t p = 0; p < count; ++p)
        y[p] += c * cosine[p] - s * sine[p];
    }
  }
  return table;
}

}  // namespace femflex::mbd_solver

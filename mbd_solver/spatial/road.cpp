#include "spatial/road.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::mbd_solver {

Table iso8608_profile(char iso_class, std::uint64_t seed, double length) {
  if (iso_class < 'A' || iso_class > 'H')
    throw ModelError("road-class",
                     fmt::format("'{}' is not an ISO 8608 class (A to H)", iso_class));
  if (!(length > 0.0) || length > 1e5)
    throw ModelError("road-length",
                     fmt::format("a road of {} m; 0 to 100000 m can be made", length));
  // geometric mean of class A is Gd(n0) = 16e-6 m^3 at n0 = 0.1 cycles/m, times 4 a class; w = 2
  const double reference = 16e-6 * std::pow(4.0, iso_class - 'A');
  std::mt19937_64 engine(seed);
  constexpr int kWaves = 400;
  std::vector<double> number(kWaves), amplitude(kWaves), phase(kWaves);
  for (int k = 0; k < kWaves; ++k) {
    const auto u = static_cast<std::size_t>(k);
    const double low = 0.01 * std::pow(1000.0, static_cast<double>(k) / kWaves);
    const double high = 0.01 * std::pow(1000.0, static_cast<double>(k + 1) / kWaves);
    number[u] = std::sqrt(low * high);
    amplitude[u] = std::sqrt(2.0 * reference * std::pow(number[u] / 0.1, -2.0) * (high - low));
    // 53 bits, the same on every platform
    phase[u] = 2.0 * std::numbers::pi * static_cast<double>(engine() >> 11) * 0x1.0p-53;
  }
  Table table;
  table.interpolation = Table::Interpolation::akima;
  constexpr double kSpacing = 0.02;
  const auto points = static_cast<std::size_t>(length / kSpacing) + 2;
  table.x.resize(points);
  table.y.assign(points, 0.0);
  for (std::size_t p = 0; p < points; ++p)
    table.x[p] = kSpacing * static_cast<double>(p);
  // cos(a + b) = cos a cos b - sin a sin b: the angles within a block are the same in each block
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

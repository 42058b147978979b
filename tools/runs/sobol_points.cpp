// Sobol' points from the direction numbers of Joe and Kuo, extended by their recurrence, with a
// random digital shift per dimension.
#include "runs/sobol_points.h"

#include <array>
#include <bit>
#include <cmath>
#include <random>

#include <fmt/format.h>

#include "femflex/errors.h"

namespace femflex::tools {
namespace {

constexpr int kBits = SobolPoints::kBits;

/// A primitive polynomial modulo 2, written as a binary number with the highest power first, and
/// the odd numbers m_1, m_2, ... that start the recurrence; their number is the degree.
struct Direction {
  std::uint32_t polynomial;
  std::array<std::uint32_t, 9> first;
};

// Dimensions 2 to 64 of new-joe-kuo-6 [Joe 2008]; in the first dimension all m are 1.
constexpr std::array<Direction, SobolPoints::kMaxDimensions - 1> kDirections = {{
    {3, {1}},
    {7, {1, 3}},
    {11, {1, 3, 1}},
    {13, {1, 1, 1}},
    {19, {1, 1, 3, 3}},
    {25, {1, 3, 5, 13}},
    {37, {1, 1, 5, 5, 17}},
    {41, {1, 1, 5, 5, 5}},
    {47, {1, 1, 7, 11, 19}},
    {55, {1, 1, 5, 1, 1}},
    {59, {1, 1, 1, 3, 11}},
    {61, {1, 3, 5, 5, 31}},
    {67, {1, 3, 3, 9, 7, 49}},
    {91, {1, 1, 1, 15, 21, 21}},
    {97, {1, 3, 1, 13, 27, 49}},
    {103, {1, 1, 1, 15, 7, 5}},
    {109, {1, 3, 1, 15, 13, 25}},
    {115, {1, 1, 5, 5, 19, 61}},
    {131, {1, 3, 7, 11, 23, 15, 103}},
    {137, {1, 3, 7, 13, 13, 15, 69}},
    {143, {1, 1, 3, 13, 7, 35, 63}},
    {145, {1, 3, 5, 9, 1, 25, 53}},
    {157, {1, 3, 1, 13, 9, 35, 107}},
    {167, {1, 3, 1, 5, 27, 61, 31}},
    {171, {1, 1, 5, 11, 19, 41, 61}},
    {185, {1, 3, 5, 3, 3, 13, 69}},
    {191, {1, 1, 7, 13, 1, 19, 1}},
    {193, {1, 3, 7, 5, 13, 19, 59}},
    {203, {1, 1, 3, 9, 25, 29, 41}},
    {211, {1, 3, 5, 13, 23, 1, 55}},
    {213, {1, 3, 7, 3, 13, 59, 17}},
    {229, {1, 3, 1, 3, 5, 53, 69}},
    {239, {1, 1, 5, 5, 23, 33, 13}},
    {241, {1, 1, 7, 7, 1, 61, 123}},
    {247, {1, 1, 7, 9, 13, 61, 49}},
    {253, {1, 3, 3, 5, 3, 55, 33}},
    {285, {1, 3, 1, 15, 31, 13, 49, 245}},
    {299, {1, 3, 5, 15, 31, 59, 63, 97}},
    {301, {1, 3, 1, 11, 11, 11, 77, 249}},
    {333, {1, 3, 1, 11, 27, 43, 71, 9}},
    {351, {1, 1, 7, 15, 21, 11, 81, 45}},
    {355, {1, 3, 7, 3, 25, 31, 65, 79}},
    {357, {1, 3, 1, 1, 19, 11, 3, 205}},
    {361, {1, 1, 5, 9, 19, 21, 29, 157}},
    {369, {1, 3, 7, 11, 1, 33, 89, 185}},
    {391, {1, 3, 3, 3, 15, 9, 79, 71}},
    {397, {1, 3, 7, 11, 15, 39, 119, 27}},
    {425, {1, 1, 3, 1, 11, 31, 97, 225}},
    {451, {1, 1, 1, 3, 23, 43, 57, 177}},
    {463, {1, 3, 7, 7, 17, 17, 37, 71}},
    {487, {1, 3, 1, 5, 27, 63, 123, 213}},
    {501, {1, 1, 3, 5, 11, 43, 53, 133}},
    {529, {1, 3, 5, 5, 29, 17, 47, 173, 479}},
    {539, {1, 3, 3, 11, 3, 1, 109, 9, 69}},
    {545, {1, 1, 1, 5, 17, 39, 23, 5, 343}},
    {557, {1, 3, 1, 5, 25, 15, 31, 103, 499}},
    {563, {1, 1, 1, 11, 11, 17, 63, 105, 183}},
    {601, {1, 1, 5, 11, 9, 29, 97, 231, 363}},
    {607, {1, 1, 5, 15, 19, 45, 41, 7, 383}},
    {617, {1, 3, 7, 7, 31, 19, 83, 137, 221}},
    {623, {1, 1, 1, 3, 23, 15, 111, 223, 83}},
    {631, {1, 1, 5, 13, 31, 15, 55, 25, 161}},
    {637, {1, 1, 3, 13, 25, 47, 39, 87, 257}},
}};

using DirectionRow = std::array<std::uint32_t, kBits>;

DirectionRow first_dimension() {
  DirectionRow row{};
  for (int bit = 0; bit < kBits; ++bit)
    row[static_cast<std::size_t>(bit)] = 1U << (kBits - 1 - bit);
  return row;
}

/// m_k = 2 a_1 m_(k-1) ^ 4 a_2 m_(k-2) ^ ... ^ 2^s m_(k-s) ^ m_(k-s), stored as m_k 2^(kBits - k).
DirectionRow row_of(const Direction& direction) {
  const auto degree = static_cast<std::size_t>(std::bit_width(direction.polynomial)) - 1;
  DirectionRow row{};
  for (std::size_t k = 0; k < kBits; ++k) {
    if (k < degree) {
      row[k] = direction.first[k] << (kBits - 1 - k);
      continue;
    }
    row[k] = row[k - degree] ^ (row[k - degree] >> degree);
    for (std::size_t j = 1; j < degree; ++j)
      if ((direction.polynomial >> (degree - j)) & 1U) row[k] ^= row[k - j];
  }
  return row;
}

}  // namespace

SobolPoints::SobolPoints(int dimensions, std::uint64_t seed) {
  if (dimensions > kMaxDimensions)
    throw UsageError(
        "sample",
        fmt::format(
            "Sobol' points of {} dimensions; at most {} are known", dimensions, kMaxDimensions),
        {},
        "take --sample lhs:N");
  std::mt19937_64 random(seed);
  for (int d = 0; d < dimensions; ++d) {
    directions_.push_back(d == 0 ? first_dimension()
                                 : row_of(kDirections[static_cast<std::size_t>(d) - 1]));
    shifts_.push_back(static_cast<std::uint32_t>(random() >> kBits));
  }
}

double SobolPoints::at(std::uint64_t point, int dimension) const {
  const auto d = static_cast<std::size_t>(dimension);
  std::uint32_t digits = shifts_[d];
  for (std::size_t bit = 0; point != 0; ++bit, point >>= 1)
    if (point & 1U) digits ^= directions_[d][bit];
  return std::ldexp(static_cast<double>(digits) + 0.5, -kBits);  // never 0 or 1
}

}  // namespace femflex::tools

// quantile() and ascending_order(): order statistics of histories and of many runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace femflex::tools {

/// The value below which a share, 0 to 1, of the sorted values lies, interpolated between two of
/// them.
/// @param values  at least one, in the order that counts
inline double quantile(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

/// Indices of the values from the least to the largest; equal values keep their order.
inline std::vector<std::size_t> ascending_order(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] < values[b];
  });
  return order;
}

}  // namespace femflex::tools

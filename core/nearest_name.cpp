// Compares names by edit distance (insert, delete, replace, swap of neighbours).
#include "femflex/nearest_name.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace femflex {
namespace {

/// Distance of two texts: the number of letters to insert, delete, replace or swap with a neighbour
/// (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> above2(b.size() + 1);  // row i - 2 of the table of distances
  std::vector<std::size_t> above(b.size() + 1);   // row i - 1
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], above2[j - 2] + 1);
    }
    above2 = above;
    above = row;
  }
  return above[b.size()];
}

}  // namespace

std::string nearest_name(std::string_view wanted, const std::vector<std::string>& names) {
  std::string best;
  // at least one letter stays
  std::size_t fewest =
      std::min(std::max<std::size_t>(1, (wanted.size() + 1) / 3) + 1, wanted.size());
  for (const std::string& name : names) {
    const std::size_t distance = edits(wanted, name);
    if (distance < fewest) {
      fewest = distance;
      best = name;
    }
  }
  // a text that only one name begins with is taken as its abbreviation
  if (best.empty() && wanted.size() >= 2) {
    for (const std::string& name : names) {
      if (name.compare(0, wanted.size(), wanted) != 0) continue;
      if (!best.empty()) return {};
      best = name;
    }
  }
  return best;
}

std::string suggestion(std::string_view wanted, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(wanted, names);
  if (!nearest.empty()) return fmt::format("did you mean '{}'?", nearest);
  if (names.empty()) return "there are no names to choose from";
  constexpr std::size_t kMaxListed = 12;
  const std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMaxListed)));
  return fmt::format(
      "known: {}{}", fmt::join(shown, ", "), names.size() > kMaxListed ? ", ..." : "");
}

}  // namespace femflex

// Finds the matrix row of a DOF by binary search in a list of rows sorted by (node, component), and
// checks that no DOF appears twice.
#include "femflex/dof_map.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/number.h"

namespace femflex {

std::string to_string(const Dof& dof) {
  if (dof.component == 0) return fmt::format("{}/S", dof.node);
  if (dof.component <= 3) return fmt::format("{}/T{}", dof.node, dof.component);
  return fmt::format("{}/R{}", dof.node, dof.component - 3);
}

std::optional<Dof> parse_dof(std::string_view text) {
  constexpr std::array<std::string_view, 7> kLabels{"S", "T1", "T2", "T3", "R1", "R2", "R3"};
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<std::int64_t> node = parse_integer(text.substr(0, slash));
  const auto label = std::find(kLabels.begin(), kLabels.end(), text.substr(slash + 1));
  if (!node || *node < 1 || label == kLabels.end()) return std::nullopt;
  return Dof{*node, static_cast<std::int8_t>(label - kLabels.begin())};
}

DofMap::DofMap(std::vector<Dof> rows) : rows_(std::move(rows)), by_dof_(rows_.size()) {
  if (rows_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
    throw ModelError("too-large", fmt::format("{} DOFs exceed 32-bit row numbers", rows_.size()));
  for (const Dof& dof : rows_)
    if (dof.component < 0 || dof.component > 6)
      throw ModelError(
          "component-range",
          fmt::format("node {}: component {} is outside 0..6", dof.node, dof.component));
  std::iota(by_dof_.begin(), by_dof_.end(), 0);
  const auto at = [&](std::int32_t row) -> const Dof& {
    return rows_[static_cast<std::size_t>(row)];
  };
  const auto less = [&](std::int32_t a, std::int32_t b) { return at(a) < at(b); };
  if (!std::is_sorted(by_dof_.begin(), by_dof_.end(), less))
    std::sort(by_dof_.begin(), by_dof_.end(), less);
  for (std::size_t k = 1; k < by_dof_.size(); ++k)
    if (at(by_dof_[k - 1]) == at(by_dof_[k]))
      throw ModelError("duplicate-dof",
                       fmt::format("DOF {} is in rows {} and {}",
                                   to_string(at(by_dof_[k])),
                                   std::min(by_dof_[k - 1], by_dof_[k]) + 1,
                                   std::max(by_dof_[k - 1], by_dof_[k]) + 1),
                       {},
                       "name each DOF of the rows once");
}

DofMap DofMap::all_six(const std::vector<std::int64_t>& nodes) {
  std::vector<Dof> rows;
  rows.reserve(nodes.size() * 6);
  for (const std::int64_t node : nodes)
    for (std::int8_t component = 1; component <= 6; ++component)
      rows.push_back({node, component});
  return DofMap(std::move(rows));
}

std::int64_t DofMap::find(const Dof& dof) const {
  const auto it =
      std::lower_bound(by_dof_.begin(), by_dof_.end(), dof, [&](std::int32_t row, const Dof& d) {
        return rows_[static_cast<std::size_t>(row)] < d;
      });
  if (it == by_dof_.end() || rows_[static_cast<std::size_t>(*it)] != dof) return -1;
  return *it;
}

}  // namespace femflex

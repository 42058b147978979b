// Collects element stresses of punch, print and HDF5 files in the word order of OUTPUT2, and joins
// the shapes that have the same places to one table.
#include "nastran/stress_entries.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace femflex::importer {
namespace {

/// Strains of a shell given as those of its middle surface and curvatures have the distances 0 and
/// -1 instead of those of its faces.
bool are_curvatures(const Op2StressLayout& layout, std::span<const double> words) {
  const std::size_t bottom = layout.places.front().values.front().first - 1;
  const std::size_t top = layout.places[1].values.front().first - 1;
  return words[bottom] == 0.0 && words[top] == -1.0;
}

bool have_same_places(const std::vector<FeStressPlace>& a, const std::vector<FeStressPlace>& b) {
  const auto key = [](const FeStressPlace& place) {
    return std::tuple(place.element, place.level, place.index, place.kind, place.face, place.axes);
  };
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [&](const FeStressPlace& x, const FeStressPlace& y) {
        return key(x) == key(y);
      });
}

bool is_same_table(const StressColumn& a, const StressColumn& b) {
  return a.layout == b.layout && a.shape.source == b.shape.source &&
         a.shape.is_strain == b.shape.is_strain && a.shape.kind == b.shape.kind &&
         a.shape.subcase == b.shape.subcase && have_same_places(a.places, b.places);
}

}  // namespace

StressEntries::Added StressEntries::add(const StressShape& shape,
                                        std::int64_t element_type,
                                        std::span<const double> words,
                                        bool in_material_axes) {
  const Op2StressLayout* layout = op2_stress_layout(element_type, words.size());
  if (layout == nullptr) return Added::unknown_layout;
  if (layout->is_shell && shape.is_strain && are_curvatures(*layout, words))
    return Added::curvature;
  const auto integer_at = [&](std::size_t k) {
    constexpr double kLargest = 9e15;  // integers in doubles are exact below 2^53
    return static_cast<std::int64_t>(std::clamp(words[k], -kLargest, kLargest));
  };
  const std::int64_t element = integer_at(0);
  const std::pair<std::int64_t, std::int32_t> place{
      element, layout->ply == 0 ? 0 : static_cast<std::int32_t>(integer_at(layout->ply))};
  auto found = std::lower_bound(seen_.begin(), seen_.end(), place);
  if (columns_.empty() || columns_.back().layout != layout || columns_.back().shape != shape ||
      (found != seen_.end() && *found == place)) {
    columns_.push_back({shape, layout, {}, {}});
    seen_.clear();
    found = seen_.end();
  }
  seen_.insert(found, place);
  StressColumn& column = columns_.back();
  append_stress_places(*layout, element, integer_at, in_material_axes, column.places);
  for (const Op2StressPlace& each : layout->places)
    for (const Op2ValueWords& value : each.values)
      column.values.push_back(words[value.first] + (value.second == 0 ? 0.0 : words[value.second]));
  return Added::yes;
}

void StressEntries::finish(FileContents& contents) {
  std::vector<std::vector<std::size_t>> tables;
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const auto table = std::find_if(tables.begin(), tables.end(), [&](const auto& members) {
      return is_same_table(columns_[members.front()], columns_[k]);
    });
    if (table == tables.end())
      tables.push_back({k});
    else
      table->push_back(k);
  }
  for (const std::vector<std::size_t>& members : tables) {
    const StressColumn& first = columns_[members.front()];
    RawStress stress;
    stress.source = first.shape.source;
    stress.type = first.layout->type;
    stress.is_strain = first.shape.is_strain;
    stress.kind = first.shape.kind;
    stress.subcase = first.shape.subcase;
    stress.places = first.places;
    stress.values.resize(static_cast<Eigen::Index>(first.values.size()),
                         static_cast<Eigen::Index>(members.size()));
    for (std::size_t j = 0; j < members.size(); ++j) {
      StressColumn& column = columns_[members[j]];
      stress.numbers.push_back(column.shape.number);
      stress.values.col(static_cast<Eigen::Index>(j)) = Eigen::Map<const Eigen::VectorXd>(
          column.values.data(), static_cast<Eigen::Index>(column.values.size()));
      if (j > 0) column = {};
    }
    contents.stresses.push_back(std::move(stress));
  }
  columns_.clear();
}

}  // namespace femflex::importer

// Joins the stress tables of all element types of an import to one table with a column per shape. A
// place at which some shape has no stress is left out.
#include "model/stresses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace femflex::importer {
namespace {

/// Identifies a place: element, node (only for means at nodes), index, level, kind, face.
using StressKey = std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t, int, int>;

StressKey key_of(const FeStressPlace& place) {
  return {place.element,
          place.kind == FeStressPlace::Kind::node ? place.node : 0,
          place.index,
          place.level,
          static_cast<int>(place.kind),
          static_cast<int>(place.face)};
}

/// Joins the tables of stresses, or those of strains.
class StressJoiner {
 public:
  explicit StressJoiner(bool is_strain) : is_strain_(is_strain) {}

  void add_shape(std::int64_t shape, const ShapeOrigin& origin) {
    if (origin.table == nullptr) return;
    const RawModes& modes = *origin.table;
    const auto at = static_cast<std::size_t>(origin.column);
    if (at >= modes.numbers.size()) return;
    std::vector<Part> parts;
    for (const RawStress& raw : origin.file->stresses) {
      if (raw.is_strain != is_strain_ || raw.kind != modes.kind || raw.subcase != modes.subcase)
        continue;
      const auto number = std::find(raw.numbers.begin(), raw.numbers.end(), modes.numbers[at]);
      if (number == raw.numbers.end()) continue;
      parts.push_back({&raw, number - raw.numbers.begin()});
      sources_.insert(fmt::format("{}:{}", short_name(origin.file->path), raw.source));
    }
    if (!parts.empty()) shapes_.emplace_back(shape, std::move(parts));
  }

  bool empty() const { return shapes_.empty(); }
  std::size_t left_out() const { return left_out_; }

  FeStressTable finish() {
    for (const auto& [shape, parts] : shapes_)
      count_places(parts);
    FeStressTable out;
    out.sources.assign(sources_.begin(), sources_.end());
    std::vector<Eigen::Index> row_of(places_.size(), -1);
    Eigen::Index rows = 0;
    std::map<std::string, std::int32_t> types;
    for (std::size_t k = 0; k < places_.size(); ++k) {
      if (places_[k].shapes != shapes_.size()) {
        ++left_out_;
        continue;
      }
      row_of[k] = rows;
      rows += component_count(places_[k].place);
      const auto [type, is_new] = types.try_emplace(places_[k].type, types.size());
      if (is_new) out.types.push_back(places_[k].type);
      out.places.push_back(places_[k].place);
      out.places.back().type = type->second;
    }
    out.values.resize(rows, static_cast<Eigen::Index>(shapes_.size()));
    for (std::size_t j = 0; j < shapes_.size(); ++j) {
      out.shapes.push_back(shapes_[j].first);
      fill_column(shapes_[j].second, row_of, out.values.col(static_cast<Eigen::Index>(j)));
    }
    return out;
  }

 private:
  struct Part {
    const RawStress* raw = nullptr;
    Eigen::Index column = 0;
  };
  struct JoinedPlace {
    FeStressPlace place;
    std::string type;
    std::size_t shapes = 0;  ///< number of shapes that have finite values there
    std::size_t last = 0;    ///< number (from 1) of the last shape that was counted
  };

  /// For each place of a table its index in `places_`; computed once per table.
  const std::vector<std::size_t>& numbers_of(const RawStress& raw) {
    const auto [found, is_new] = numbers_.try_emplace(&raw);
    if (is_new)
      for (const FeStressPlace& place : raw.places) {
        const auto [at, is_new_place] = index_.try_emplace(key_of(place), places_.size());
        if (is_new_place) places_.push_back({place, raw.type});
        found->second.push_back(at->second);
      }
    return found->second;
  }

  /// Counts a shape, whose tables are `parts`, at all places where it has finite values. If two
  /// tables hold the same place, the first one is taken.
  void count_places(const std::vector<Part>& parts) {
    ++shape_number_;
    for (const Part& part : parts) {
      const std::vector<std::size_t>& numbers = numbers_of(*part.raw);
      const auto values = part.raw->values.col(part.column);
      Eigen::Index from = 0;
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        JoinedPlace& place = places_[numbers[k]];
        const FeStressPlace& raw = part.raw->places[k];
        const int count = component_count(raw);
        const bool is_finite = values.segment(from, count).allFinite();
        from += count;
        if (place.last == shape_number_ || place.place.components != raw.components) continue;
        place.last = shape_number_;
        if (is_finite) ++place.shapes;
      }
    }
  }

  void fill_column(const std::vector<Part>& parts,
                   const std::vector<Eigen::Index>& row_of,
                   Eigen::Ref<Eigen::VectorXd> column) {
    std::vector<bool> is_filled(places_.size(), false);
    for (const Part& part : parts) {
      const std::vector<std::size_t>& numbers = numbers_of(*part.raw);
      Eigen::Index from = 0;
      for (std::size_t k = 0; k < numbers.size(); ++k) {
        const FeStressPlace& place = part.raw->places[k];
        const int count = component_count(place);
        const Eigen::Index to = row_of[numbers[k]];
        if (to >= 0 && !is_filled[numbers[k]] &&
            places_[numbers[k]].place.components == place.components) {
          is_filled[numbers[k]] = true;
          column.segment(to, count) = part.raw->values.col(part.column).segment(from, count);
        }
        from += count;
      }
    }
  }

  bool is_strain_ = false;
  std::vector<std::pair<std::int64_t, std::vector<Part>>> shapes_;
  std::set<std::string> sources_;
  std::map<StressKey, std::size_t> index_;
  std::map<const RawStress*, std::vector<std::size_t>> numbers_;
  std::vector<JoinedPlace> places_;
  std::size_t shape_number_ = 0;
  std::size_t left_out_ = 0;
};

/// True for names of element stresses in OUTPUT2, HDF5, punch and print files.
bool is_stress_name(const std::string& what) {
  const bool is_op2 = what.starts_with("OES") || what.starts_with("OSTR");
  if (is_op2) return what.find(' ') != std::string::npos;
  for (const char* begin : {"STRESS/",
                            "STRAIN/",
                            "$ELEMENT STRESSES",
                            "$ELEMENT STRAINS",
                            "STRESSES IN",
                            "STRAINS IN",
                            "ELEMENT STRESSES",
                            "ELEMENT STRAINS"})
    if (what.starts_with(begin)) return true;
  return false;
}

/// Warns of element types of stress tables that are not read.
void tell_unread(const Gathered& gathered, Diagnostics& diagnostics) {
  for (const FileContents& file : gathered.files) {
    std::string text;
    for (const Unread& unread : file.unread) {
      if (!is_stress_name(unread.what)) continue;
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", unread.what, unread.count);
    }
    if (!text.empty())
      diagnostics.warn("stress-unread", "stresses that are not read: " + text, {file.path});
  }
}

}  // namespace

FeStresses stresses_of(const Gathered& gathered,
                       const std::vector<ShapeOrigin>& origins,
                       Diagnostics& diagnostics) {
  FeStresses out;
  tell_unread(gathered, diagnostics);
  for (const bool is_strain : {false, true}) {
    StressJoiner joiner(is_strain);
    for (std::size_t k = 0; k < origins.size(); ++k)
      joiner.add_shape(static_cast<std::int64_t>(k), origins[k]);
    if (joiner.empty()) continue;
    (is_strain ? out.strain : out.stress) = joiner.finish();
    if (joiner.left_out() > 0)
      diagnostics.warn(
          "stress-places",
          fmt::format("{} places of {} are left out: some shapes have no finite values there",
                      joiner.left_out(),
                      is_strain ? "strains" : "stresses"));
  }
  return out;
}

}  // namespace femflex::importer

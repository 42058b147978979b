// Sources of stresses of shapes. Groups the stresses from an FE program's file by element, and
// combines them for other shapes block by block.
#include "femflex/durability/stress_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/model_units.h"

#include "shape_fit.h"

namespace femflex::durability {
namespace {

/// Largest accepted remainder of a shape, relative to its norm. Bodies in text files have only
/// seven digits.
constexpr double kMisfit = 1e-5;
/// A combination of shapes that moves no node of the body must have no stress. This is the largest
/// accepted stress, relative to the largest stress of all shapes.
constexpr double kUnseenStress = 1e-4;
constexpr const char* kAskForStresses =
    "ask for stresses of all shapes in the FE run (also in the static subcases of constraint and "
    "attachment shapes), or import the deck with its materials and sections";

bool is_wanted_place(const FeStressPlace& place, StressPlaces places) {
  using Kind = FeStressPlace::Kind;
  if (place.kind == Kind::end || place.kind == Kind::node) return true;
  return place.kind == (places == StressPlaces::corners ? Kind::corner : Kind::centre);
}

StressLocation location_of(const FeStressPlace& place, std::size_t element) {
  StressLocation out;
  out.element = element;
  out.node = place.node;
  elements::StressPoint& point = out.point;
  switch (place.kind) {
    case FeStressPlace::Kind::centre:
      point.place = elements::Place::centre;
      break;
    case FeStressPlace::Kind::corner:
      point.place = elements::Place::corner;
      break;
    case FeStressPlace::Kind::end:
      point.place = elements::Place::end;
      break;
    case FeStressPlace::Kind::node:
      point.place = elements::Place::node;
      break;
  }
  point.index = place.index;
  if (place.face == FeStressPlace::Face::fibre) point.fibre = place.level;
  if (place.face == FeStressPlace::Face::ply) out.ply = place.level;
  if (place.face == FeStressPlace::Face::bottom) point.layer = elements::Layer::bottom;
  if (place.face == FeStressPlace::Face::top) point.layer = elements::Layer::top;
  out.axes = place.axes == FeStressPlace::Axes::basic     ? elements::Axes::basic
             : place.axes == FeStressPlace::Axes::element ? elements::Axes::element
                                                          : elements::Axes::material;
  return out;
}

double unit_of_stress(const FeModel& model) {
  const Units& units = units_of(model);
  return units.force() / (units.length * units.length);
}

}  // namespace

std::size_t ComputedStress::most_rows() const {
  std::set<std::string> types;
  std::size_t most = 1;
  for (std::size_t k = 0; k < size(); ++k)
    if (types.insert(type(k)).second)
      most = std::max(most, static_cast<std::size_t>(stress(k, k + 1).S.rows()));
  return most;
}

ReadShapes read_shapes_of(const FeModel& model) {
  const FeStressTable& table = model.stresses.stress;
  if (table.empty())
    throw ModelError("no-stress-read",
                     "the model holds no stresses of an FE code for its shapes",
                     {},
                     kAskForStresses);
  ReadShapes out;
  const ShapeSet all = shapes_of(model);
  out.given.nodes = all.nodes;
  out.labels = table.shapes;
  out.given.shapes.resize(all.shapes.rows(), static_cast<Eigen::Index>(table.shapes.size()));
  for (std::size_t k = 0; k < table.shapes.size(); ++k)
    out.given.shapes.col(static_cast<Eigen::Index>(k)) = all.shapes.col(table.shapes[k]);
  return out;
}

ReadStress::ReadStress(const FeModel& model,
                       StressPlaces places,
                       std::span<const std::int64_t> wanted)
    : model_(model), table_(model.stresses.stress) {
  if (table_.empty()) static_cast<void>(read_shapes_of(model));  // throws an error with the reason
  const auto count = static_cast<Eigen::Index>(table_.shapes.size());
  combination_ = unit_of_stress(model) * Eigen::MatrixXd::Identity(count, count);
  build(places, wanted);
}

ReadStress::ReadStress(const FeModel& model,
                       const ShapeSet& shapes,
                       StressPlaces places,
                       std::span<const std::int64_t> wanted)
    : model_(model), table_(model.stresses.stress) {
  combine(read_shapes_of(model).given, shapes);
  build(places, wanted);
}

void ReadStress::combine(const ShapeSet& given, const ShapeSet& shapes) {
  const ShapeFit fit = fit_shapes(given, shapes);
  Eigen::Index worst = 0;
  misfit_ = fit.misfit.maxCoeff(&worst);
  if (misfit_ > kMisfit)
    throw ModelError(
        "not-in-span",
        fmt::format(
            "shape {} of the body is not a combination of the {} shapes with stresses: {:.2g} "
            "of it is left over",
            worst + 1,
            given.shapes.cols(),
            misfit_),
        {},
        kAskForStresses);
  if (fit.unseen.cols() > 0) {
    const double largest = table_.values.cwiseAbs().maxCoeff() * fit.unseen.cwiseAbs().maxCoeff();
    if ((table_.values * fit.unseen).cwiseAbs().maxCoeff() > kUnseenStress * largest)
      throw ModelError("not-in-span",
                       "the nodes of the body do not tell the shapes of the model apart",
                       {},
                       "keep more nodes in the body");
  }
  combination_ = unit_of_stress(model_) * fit.combination;
}

void ReadStress::build(StressPlaces places, std::span<const std::int64_t> wanted) {
  if (places == StressPlaces::integration_points)
    throw UsageError("no-such-place",
                     "the FE code's file has no stresses at integration points",
                     {},
                     "choose --at centre or corners, or --source computed");
  for (const ElementBlock& block : model_.elements)
    for (std::size_t k = 0; k < block.ids.size(); ++k)
      elements_.emplace(block.ids[k],
                        std::pair(&block, k * static_cast<std::size_t>(block.nodes_per_element)));
  const std::set<std::int64_t> chosen(wanted.begin(), wanted.end());
  std::unordered_map<std::int64_t, std::size_t> entry_of;
  std::vector<std::size_t> rows_of_entry;
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < table_.places.size(); ++k) {
    const FeStressPlace& place = table_.places[k];
    row_of_.push_back(row);
    row += component_count(place);
    if (!is_wanted_place(place, places)) continue;
    const bool is_mean = place.kind == FeStressPlace::Kind::node;
    if (!chosen.empty() && (is_mean || !chosen.contains(place.element))) continue;
    if (!position_of(place).allFinite()) continue;
    // means at nodes have negative keys, to distinguish them from elements
    const auto [at, is_new] =
        entry_of.try_emplace(is_mean ? -1 - place.node : place.element, entries_.size());
    if (is_new) {
      entries_.push_back({is_mean ? place.node : place.element, place.type, {}});
      rows_of_entry.push_back(0);
    }
    entries_[at->second].places.push_back(static_cast<std::uint32_t>(k));
    rows_of_entry[at->second] += static_cast<std::size_t>(component_count(place));
  }
  for (const std::size_t rows : rows_of_entry)
    most_rows_ = std::max(most_rows_, rows);
  leave_out_others(wanted);
  if (entries_.empty() && chosen.empty())
    throw UsageError("no-such-place",
                     "the FE code's file has no stresses at these places",
                     {},
                     "choose --at centre or corners, or --source computed");
}

void ReadStress::leave_out_others(std::span<const std::int64_t> wanted) {
  for (const std::int64_t id : wanted)
    if (!elements_.contains(id))
      throw UsageError("no-such-element",
                       fmt::format("the model has no element {}", id),
                       {},
                       "`femflex info` lists the elements of the model");
  std::set<std::int64_t> present;
  for (const Entry& entry : entries_) {
    if (table_.places[entry.places.front()].element == 0 && wanted.empty())
      return;  // means at nodes stand for all elements
    present.insert(entry.id);
  }
  const std::set<std::int64_t> chosen(wanted.begin(), wanted.end());
  for (const ElementBlock& block : model_.elements) {
    if (block.type == "PLOTEL") continue;
    LeftOut out{block.type, "the FE code's file has no stresses of it", 0, 0};
    for (const std::int64_t id : block.ids)
      if (!present.contains(id) && (chosen.empty() || chosen.contains(id)) && out.count++ == 0)
        out.first = id;
    if (out.count > 0) left_out_.push_back(out);
  }
}

const std::string& ReadStress::type(std::size_t k) const {
  return table_.types[static_cast<std::size_t>(entries_[k].type)];
}

Eigen::Vector3d ReadStress::position_of(const FeStressPlace& place) const {
  const double length = model_.units->length;
  const auto node_at = [&](std::int64_t id) -> Eigen::Vector3d {
    const Node* node = find_node(model_, id);
    if (node == nullptr) return Eigen::Vector3d::Constant(FeProperty::kNone);
    return length * node->position;
  };
  if (place.node != 0) return node_at(place.node);
  const auto found = elements_.find(place.element);
  if (found == elements_.end()) return Eigen::Vector3d::Constant(FeProperty::kNone);
  const auto& [block, first] = found->second;
  const int corners = topology_of(shape_of(block->type, block->nodes_per_element)).corner_count;
  const int count = corners > 0 ? corners : block->nodes_per_element;
  if (place.kind == FeStressPlace::Kind::end)
    return node_at(block->connectivity[first + static_cast<std::size_t>(place.index)]);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (int c = 0; c < count; ++c)
    sum += node_at(block->connectivity[first + static_cast<std::size_t>(c)]);
  return sum / count;
}

int ReadStress::corner_of(const FeStressPlace& place) const {
  const auto found = elements_.find(place.element);
  if (place.node == 0 || found == elements_.end()) return place.index;
  const auto& [block, first] = found->second;
  for (int c = 0; c < block->nodes_per_element; ++c)
    if (block->connectivity[first + static_cast<std::size_t>(c)] == place.node) return c;
  return place.index;
}

ModalStress ReadStress::stress(std::size_t first, std::size_t last) const {
  ModalStress out;
  std::vector<std::pair<Eigen::Index, int>> from;
  std::int32_t row = 0;
  for (std::size_t k = first; k < last; ++k)
    for (const std::uint32_t at : entries_[k].places) {
      const FeStressPlace& place = table_.places[at];
      StressLocation location = location_of(place, k);
      location.point.index = corner_of(place);
      location.point.position = position_of(place);
      for (std::size_t c = 0; c < 6; ++c)
        if ((place.components >> c & 1U) != 0) location.rows[c] = row++;
      out.locations.push_back(std::move(location));
      from.emplace_back(row_of_[at], component_count(place));
    }
  Eigen::MatrixXd values(row, table_.values.cols());
  Eigen::Index to = 0;
  for (const auto& [begin, count] : from) {
    values.middleRows(to, count) = table_.values.middleRows(begin, count);
    to += count;
  }
  out.S.noalias() = values * combination_;
  return out;
}

}  // namespace femflex::durability

// Values at corners and ends are assigned to the node there; values at centres and integration
// points to all nodes of the element.
#include "results/stress_fields.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace femflex::tools {
namespace {

using durability::StressLocation;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

void raise_to(double value, double& number) {
  if (!(number >= value)) number = value;
}

std::int64_t node_of(const ElementBlock& block, std::size_t index, std::size_t k) {
  return block.connectivity[index * static_cast<std::size_t>(block.nodes_per_element) + k];
}

}  // namespace

PictureOfPlaces::PictureOfPlaces(const FlexBody& picture, const durability::StressSource& source)
    : picture_(picture), source_(source) {
  for (const ElementBlock& block : picture.elements)
    for (std::size_t k = 0; k < block.ids.size(); ++k)
      elements_.emplace(block.ids[k], Drawn{&block, k, element_count_++});
  for (std::size_t k = 0; k < picture.nodes.size(); ++k)
    nodes_.emplace(picture.nodes[k].id, k);
}

StressField PictureOfPlaces::make(std::string name, std::string unit) const {
  return {std::move(name),
          std::move(unit),
          std::vector<double>(picture_.nodes.size(), kNoNumber),
          std::vector<double>(element_count_, kNoNumber)};
}

const PictureOfPlaces::Drawn* PictureOfPlaces::find(const StressLocation& at) const {
  if (at.point.place == elements::Place::node) return nullptr;
  const auto found = elements_.find(source_.id(at.element));
  return found == elements_.end() ? nullptr : &found->second;
}

std::vector<std::int64_t> PictureOfPlaces::nodes_at(const StressLocation& at,
                                                    const Drawn& in) const {
  if (at.node != 0) return {at.node};
  const auto width = static_cast<std::size_t>(in.block->nodes_per_element);
  const bool is_at_node =
      at.point.place == elements::Place::corner || at.point.place == elements::Place::end;
  if (is_at_node && at.point.index >= 0 && static_cast<std::size_t>(at.point.index) < width)
    return {node_of(*in.block, in.index, static_cast<std::size_t>(at.point.index))};
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < width; ++k)
    out.push_back(node_of(*in.block, in.index, k));
  return out;
}

void PictureOfPlaces::raise(std::int64_t node, double value, StressField& field) const {
  const auto found = nodes_.find(node);
  if (found != nodes_.end()) raise_to(value, field.at_nodes[found->second]);
}

void PictureOfPlaces::put(const StressLocation& at, double value, StressField& field) const {
  if (at.point.place == elements::Place::node) {
    raise(at.node, value, field);
    return;
  }
  const Drawn* in = find(at);
  if (in == nullptr) return;
  raise_to(value, field.at_elements[in->number]);
  for (const std::int64_t node : nodes_at(at, *in))
    raise(node, value, field);
}

void PictureOfPlaces::complete(StressField& field) const {
  const std::vector<double> given = field.at_nodes;
  for (const auto& [id, in] : elements_) {
    const double value = field.at_elements[in.number];
    if (std::isnan(value)) continue;
    for (std::size_t k = 0; k < static_cast<std::size_t>(in.block->nodes_per_element); ++k) {
      const auto node = nodes_.find(node_of(*in.block, in.index, k));
      if (node != nodes_.end() && std::isnan(given[node->second]))
        raise_to(value, field.at_nodes[node->second]);
    }
  }
}

std::int64_t PictureOfPlaces::node_at(const StressLocation& at) const {
  if (at.point.place == elements::Place::node) return at.node;
  const Drawn* in = find(at);
  return in == nullptr ? 0 : nodes_at(at, *in).front();
}

}  // namespace femflex::tools

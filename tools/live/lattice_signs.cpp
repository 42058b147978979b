// Computes the positions of the brackets and arrows of a lattice in each picture.
#include "live/lattice_signs.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "live/signs.h"

namespace femflex::live {

using Eigen::Vector3d;
using hamiltonian::Lattice;
using hamiltonian::Spring;

namespace {

std::int32_t add_item(Drawing& drawing, const char* name, const char* list, std::size_t index) {
  drawing.items.push_back(
      {fmt::format("{} {}", name, index + 1), fmt::format("{}/{}", list, index), {}});
  return static_cast<std::int32_t>(drawing.items.size()) - 1;
}

Vector3d place_of(const std::vector<float>& places, std::size_t node) {
  return {places[3 * node], places[3 * node + 1], places[3 * node + 2]};
}

}  // namespace

LatticeSigns::LatticeSigns(const Lattice& lattice, Drawing& drawing) : size_(drawing.size) {
  drawing.grips = drawing.vertices;
  drawing.first_sign_line = drawing.item_of_line.size();
  for (std::size_t h = 0; h < lattice.hinges.size() && lattice.hinges.size() <= kMostSigns; ++h) {
    const Spring& a = lattice.springs[static_cast<std::size_t>(lattice.hinges[h].a)];
    const Spring& b = lattice.springs[static_cast<std::size_t>(lattice.hinges[h].b)];
    const bool begins = a.a == b.a || a.a == b.b;  // the shared node is the first node of a
    const std::int32_t middle = begins ? a.a : a.b;
    if (middle != b.a && middle != b.b) continue;  // the springs have no common node
    const auto node = [](std::int32_t index) { return static_cast<std::size_t>(index); };
    const std::int32_t item = add_item(drawing, "hinge", "rotational_springs", h);
    corners_.push_back({add_bracket(drawing, item),
                        node(middle),
                        node(begins ? a.b : a.a),
                        node(middle == b.a ? b.b : b.a)});
  }
  for (std::size_t l = 0; l < lattice.loads.size() && lattice.loads.size() <= kMostSigns; ++l) {
    const std::int32_t item = add_item(drawing, "load", "loads", l);
    pulls_.push_back({add_arrow(drawing, item), static_cast<std::size_t>(lattice.loads[l].node)});
    largest_ = std::max(largest_, lattice.loads[l].force.norm());
  }
}

void LatticeSigns::places(const hamiltonian::LatticeSystem& system,
                          const hamiltonian::State& state,
                          std::vector<float>& out) {
  for (const Corner& each : corners_)
    put_places(
        bracket(place_of(out, each.middle), place_of(out, each.end_a), place_of(out, each.end_b)),
        each.vertex,
        out);
  if (pulls_.empty()) return;
  loads_.assign(system.dof_count(), 0.0);
  system.add_load({state.time, state.time, 0}, loads_);
  const auto dim = static_cast<std::size_t>(system.lattice().dimension);
  for (const Pull& each : pulls_) {
    Vector3d load = Vector3d::Zero();
    for (std::size_t axis = 0; axis < dim; ++axis)
      load(static_cast<Eigen::Index>(axis)) = loads_[each.node * dim + axis];
    largest_ = std::max(largest_, load.norm());
    put_places(arrow(place_of(out, each.node), load, largest_, size_), each.vertex, out);
  }
}

}  // namespace femflex::live

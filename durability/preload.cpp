// Adds the stresses of a constant state to those of shapes, place by place.
#include "femflex/durability/preload.h"

#include <algorithm>
#include <utility>

namespace femflex::durability {
namespace {

/// Number of elements whose stresses are in memory at once.
constexpr std::size_t kStateBlock = 256;

/// Calls `each` with every location of a source and the block that it belongs to.
template <class Each>
void for_each_location(const StressSource& source, const Each& each) {
  for (std::size_t first = 0; first < source.size(); first += kStateBlock) {
    const ModalStress block = source.stress(first, std::min(source.size(), first + kStateBlock));
    for (const StressLocation& at : block.locations)
      each(at, block);
  }
}

}  // namespace

StressState::Key StressState::key_of(std::int64_t element, const StressLocation& at) {
  const bool is_mean = at.point.place == elements::Place::node;
  return {is_mean ? 0 : element,
          static_cast<std::int64_t>(at.point.place),
          is_mean ? at.node : at.point.index,
          static_cast<std::int64_t>(at.point.layer),
          at.point.fibre,
          at.ply,
          static_cast<std::int64_t>(at.axes)};
}

StressState::StressState(const StressSource& source, Eigen::Index shape) {
  for_each_location(source, [&](const StressLocation& at, const ModalStress& block) {
    std::array<double, 6> values{};
    for (std::size_t c = 0; c < 6; ++c)
      if (at.rows[c] >= 0) values[c] = block.S(at.rows[c], shape);
    values_.insert_or_assign(key_of(source.id(at.element), at), values);
  });
}

const std::array<double, 6>* StressState::find(std::int64_t element,
                                               const StressLocation& at,
                                               std::int64_t corner) const {
  if (const auto found = values_.find(key_of(element, at)); found != values_.end())
    return &found->second;
  if (at.point.place != elements::Place::corner || corner == 0) return nullptr;
  StressLocation mean = at;
  mean.point.place = elements::Place::node;
  mean.node = corner;
  const auto found = values_.find(key_of(element, mean));
  return found == values_.end() ? nullptr : &found->second;
}

PreloadedStress::PreloadedStress(std::unique_ptr<StressSource> source,
                                 const FeModel& model,
                                 const StressState& state)
    : source_(std::move(source)), state_(state) {
  for (const ElementBlock& block : model.elements)
    for (std::size_t k = 0; k < block.ids.size(); ++k)
      nodes_.emplace(
          block.ids[k],
          block.connectivity.data() + k * static_cast<std::size_t>(block.nodes_per_element));
}

const std::array<double, 6>* PreloadedStress::state_at(const StressLocation& at) const {
  const std::int64_t id = source_->id(at.element);
  std::int64_t corner = 0;
  if (const auto found = nodes_.find(id);
      found != nodes_.end() && at.point.place == elements::Place::corner)
    corner = found->second[at.point.index];
  return state_.find(id, at, corner);
}

ModalStress PreloadedStress::stress(std::size_t first, std::size_t last) const {
  ModalStress out = source_->stress(first, last);
  const Eigen::Index shapes = out.S.cols();
  // The state of each row, and the row from which each new row is copied; -1: the shapes have no
  // such component. Places may share a row (torsion of a beam), but not their states.
  std::vector<double> state(static_cast<std::size_t>(out.S.rows()), 0.0);
  std::vector<bool> is_taken(state.size(), false);
  std::vector<std::int32_t> copies;
  for (StressLocation& at : out.locations) {
    const std::array<double, 6>* values = state_at(at);
    for (std::size_t c = 0; c < 6; ++c) {
      const double value = values == nullptr ? 0.0 : (*values)[c];
      if (at.rows[c] < 0 && value == 0.0) continue;
      if (at.rows[c] < 0 || is_taken[static_cast<std::size_t>(at.rows[c])]) {
        copies.push_back(at.rows[c]);
        at.rows[c] = static_cast<std::int32_t>(state.size());
        state.push_back(0.0);
        is_taken.push_back(false);
      }
      state[static_cast<std::size_t>(at.rows[c])] = value;
      is_taken[static_cast<std::size_t>(at.rows[c])] = true;
    }
  }
  const Eigen::Index own = out.S.rows();
  out.S.conservativeResizeLike(
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(state.size()), shapes + 1));
  for (std::size_t k = 0; k < copies.size(); ++k)
    if (copies[k] >= 0) out.S.row(own + static_cast<Eigen::Index>(k)) = out.S.row(copies[k]).eval();
  out.S.col(shapes) =
      Eigen::Map<const Eigen::VectorXd>(state.data(), static_cast<Eigen::Index>(state.size()));
  return out;
}

PreloadedStress::Unknown PreloadedStress::unknown() const {
  Unknown out;
  std::size_t last = source_->size();
  for_each_location(*source_, [&](const StressLocation& at, const ModalStress& /*block*/) {
    if (at.element == last || state_at(at) != nullptr) return;
    last = at.element;
    if (out.count++ == 0) out.first = source_->id(at.element);
  });
  return out;
}

}  // namespace femflex::durability

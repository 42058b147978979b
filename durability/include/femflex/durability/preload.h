// Stresses with a constant state, such as that of tightened bolts or of a press fit: the run of a
// body adds its own stresses to it. Used by the stress commands.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "femflex/durability/stress_source.h"

namespace femflex::durability {

/// Stresses of one shape at all its places, to be looked up.
class StressState {
 public:
  /// @param source  stresses of the shape `shape` (index of a column of its S)
  StressState(const StressSource& source, Eigen::Index shape);

  /// The stress at a place of an element [Pa], in the axes of the place; null if it is not known.
  /// Where the state has means at nodes alone, a corner of an element with stresses in basic axes
  /// takes that of its node.
  /// @param element  id
  /// @param corner   node at the place; 0: none
  const std::array<double, 6>* find(std::int64_t element,
                                    const StressLocation& at,
                                    std::int64_t corner) const;
  std::size_t size() const { return values_.size(); }

 private:
  /// Element id (0: a mean at a node), place, index (of a mean: the node), layer, fibre, ply, axes.
  using Key = std::array<std::int64_t, 7>;
  static Key key_of(std::int64_t element, const StressLocation& at);
  std::map<Key, std::array<double, 6>> values_;
};

/// Stresses of shapes and, as one more column of S, of a constant state. The coordinate of this
/// column is 1.
class PreloadedStress final : public StressSource {
 public:
  /// @param model  holds the elements of `source`; must outlive this object
  /// @param state  must outlive this object
  PreloadedStress(std::unique_ptr<StressSource> source,
                  const FeModel& model,
                  const StressState& state);

  std::size_t size() const override { return source_->size(); }
  std::int64_t id(std::size_t k) const override { return source_->id(k); }
  const std::string& type(std::size_t k) const override { return source_->type(k); }
  Eigen::Index shape_count() const override { return source_->shape_count() + 1; }
  /// The state may have components that the shapes do not have.
  std::size_t most_rows() const override { return 2 * source_->most_rows(); }
  ModalStress stress(std::size_t first, std::size_t last) const override;
  const std::vector<LeftOut>& left_out() const override { return source_->left_out(); }

  /// Elements with places at which the state is not known: number and first id.
  struct Unknown {
    std::int64_t count = 0;
    std::int64_t first = 0;
  };
  Unknown unknown() const;

 private:
  const std::array<double, 6>* state_at(const StressLocation& at) const;

  std::unique_ptr<StressSource> source_;
  const StressState& state_;
  /// per element id: its first node in the list of its block
  std::unordered_map<std::int64_t, const std::int64_t*> nodes_;
};

}  // namespace femflex::durability

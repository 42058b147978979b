// IdPlaces: where the node or spring with an id of the file stands in the list of all of them. The
// lattice reader uses it.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace femflex::tools {

/// Ids and places in a list. Ids that count on from that of the first place, as programs write
/// them, need no table.
class IdPlaces {
 public:
  /// Returns false, without a change, if the id is known.
  bool insert(std::int64_t id, std::int32_t place) {
    if (find(id)) return false;
    if (place == 0 && run_ == 0) first_ = id;
    if (place == run_ && table_.empty() && id == first_ + run_)
      ++run_;
    else
      table_.emplace(id, place);
    return true;
  }
  std::optional<std::int32_t> find(std::int64_t id) const {
    if (id >= first_ && id - first_ < run_) return static_cast<std::int32_t>(id - first_);
    const auto found = table_.find(id);
    return found == table_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::int64_t first_ = 0;
  std::int32_t run_ = 0;  // number of ids from first_ on whose places are 0, 1, 2, ...
  std::unordered_map<std::int64_t, std::int32_t> table_;
};

}  // namespace femflex::tools

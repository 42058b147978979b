// KeptSteps: copies of the states after the last steps of a run, between two output rows.
// Integrators add to them; LeftOutWatch reads them where the rows lie too far apart for it.
#pragma once

#include <cstddef>
#include <vector>

#include "femflex/mbd_solver/state.h"

namespace femflex::mbd_solver {

/// The states after the steps since the last clear(), in their order. Of many steps every second,
/// fourth, ... is kept, so that memory stays bounded.
class KeptSteps {
 public:
  void add(const State& state) {
    if (++since_ < stride_) return;
    since_ = 0;
    if (states_.size() == kMost) {
      for (std::size_t k = 0; 2 * k + 1 < kMost; ++k)
        states_[k] = std::move(states_[2 * k + 1]);
      states_.resize(kMost / 2);
      stride_ *= 2;
    }
    states_.push_back(state);
  }
  void clear() {
    states_.clear();
    stride_ = 1;
    since_ = 0;
  }
  const std::vector<State>& states() const { return states_; }

 private:
  static constexpr std::size_t kMost = 64;  // even
  std::vector<State> states_;
  std::size_t stride_ = 1, since_ = 0;  // steps from one kept state to the next, and since the last
};

}  // namespace femflex::mbd_solver

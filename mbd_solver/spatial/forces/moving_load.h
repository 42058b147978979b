// MovingLoadLaw: the compiled force law MovingLoad, a prescribed force that moves along a line
// through markers.
#pragma once

#include <array>

#include "femflex/mbd_solver/system.h"

#include "spatial/forces/law.h"
#include "spatial/forces/path.h"

namespace femflex::mbd_solver {

struct MovingLoadLaw : LawBase {
  Path path;
  Signal distance;              // [m] along the path, from its first marker
  std::array<Signal, 3> force;  // [N] in W

  PairLoad load(const Model& model, const Workspace& ws) const;
  void add(const Model& model, Workspace& ws, const PairLoad& load) const;
  std::vector<int> markers() const { return path.markers; }
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    visit(distance);
    for (const Signal& component : force)
      visit(component);
  }
  bool may_switch() const { return true; }
  bool can_let_go() const { return false; }
};

MovingLoadLaw compile_law(const MovingLoad& load, const std::string& user, Compiler& compiler);

}  // namespace femflex::mbd_solver

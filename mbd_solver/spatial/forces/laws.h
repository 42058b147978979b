// The list of force laws. A new law needs a pair of files in this folder and a line in each list.
#pragma once

#include <string>
#include <variant>

#include "spatial/forces/bump_stop.h"
#include "spatial/forces/bushing.h"
#include "spatial/forces/contact.h"
#include "spatial/forces/drag.h"
#include "spatial/forces/hinge.h"
#include "spatial/forces/modal_force.h"
#include "spatial/forces/point_load.h"
#include "spatial/forces/spring_damper.h"
#include "spatial/forces/torsional_spring.h"
#include "spatial/forces/tyre.h"

namespace femflex::mbd_solver {

using CompiledLaw = std::variant<PointForceLaw,
                                 PointTorqueLaw,
                                 SpringLaw,
                                 TorsionalLaw,
                                 HingeLaw,
                                 DragLaw,
                                 BushingLaw,
                                 BumpStopLaw,
                                 ContactLaw,
                                 TyreLaw,
                                 ModalLaw>;

struct ForceModel {
  std::string name;
  CompiledLaw law;

  const LawBase& base() const {
    return std::visit([](const auto& own) -> const LawBase& { return own; }, law);
  }
  std::vector<int> markers() const {
    return std::visit([](const auto& own) { return own.markers(); }, law);
  }
  template <typename Visit>
  void for_each_signal(const Visit& visit) const {
    std::visit([&](const auto& own) { own.for_each_signal(visit); }, law);
  }
  bool has_energy_balance() const {
    return std::visit([](const auto& own) { return own.has_energy_balance(); }, law);
  }
  bool is_dead_load() const {
    return std::visit([](const auto& own) { return own.is_dead_load(); }, law);
  }
};

}  // namespace femflex::mbd_solver

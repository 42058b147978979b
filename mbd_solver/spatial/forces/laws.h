// CompiledLaw: any compiled force law. ForceModel: a force with its name and law, as Model stores
// it. The headers of the laws come from the list in mbd_solver/CMakeLists.txt.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "femflex/mbd_solver/system.h"

#include "force_laws.h"

namespace femflex::mbd_solver {

/// The laws that compile_law() returns for the alternatives of ForceLaw, in the same order.
template <typename... Forces>
std::variant<decltype(compile_law(std::declval<const Forces&>(),
                                  std::declval<const std::string&>(),
                                  std::declval<Compiler&>()))...>
laws_of(const std::variant<Forces...>& forces);
using CompiledLaw = decltype(laws_of(std::declval<const ForceLaw&>()));

/// A named force, ready for evaluation. Its members forward to the law.
struct ForceModel {
  std::string name;
  CompiledLaw law;
  bool follows_blocks = false;  // true: a number of the law reads a block of control

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

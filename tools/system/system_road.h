// Reads roads of a system file ("road" of the system or of a wheel) for rolling wheels.
#pragma once

#include <memory>
#include <optional>

#include "femflex/diagnostics.h"
#include "femflex/mbd_solver/system.h"
#include "femflex/roads/road.h"

#include "system/system_reader.h"

namespace femflex::tools {

/// Reads a road for rolling wheels: one surface ("file", "slope", "height", "profile", "iso8608"),
/// or "layers", a list of surfaces and obstacles whose heights are added; also "friction" and
/// "patches".
/// @throws ParseError, ModelError  the value, or a file that it refers to, is invalid
std::shared_ptr<const roads::Road> read_wheel_road(const Json& value, const SystemReader& in);

/// The "road" of a system, used by tyres without their own road.
class SystemRoad {
 public:
  SystemRoad() = default;
  SystemRoad(const Json& value, const SystemReader& in);

  bool is_given() const { return value_ != nullptr; }
  /// Warns if there are tyres, and none of them takes this road.
  void tell_if_unused(const mbd_solver::System& system, Diagnostics& notes) const;
  /// The road for vertical tyres.
  /// @throws ParseError  only rolling wheels support this kind of road
  const mbd_solver::Road& vertical() const;
  /// The road for rolling wheels; they share one object.
  std::shared_ptr<const roads::Road> rolling(const SystemReader& in) const;

 private:
  const Json* value_ = nullptr;
  mutable bool is_used_ = false;  // set by vertical() and rolling()
  std::optional<mbd_solver::Road> vertical_;
  mutable std::shared_ptr<const roads::Road> rolling_;  // created by the first call of rolling()
};

}  // namespace femflex::tools

// Roads of a system file: "road" of the system or of a wheel, read for rolling wheels.
#pragma once

#include <memory>
#include <optional>

#include "femflex/mbd_solver/system.h"
#include "femflex/roads/road.h"

#include "system/system_reader.h"

namespace femflex::tools {

/// Reads a road for rolling wheels: one surface ("file", "slope", "height", "profile", "iso8608"),
/// or "layers", a list of surfaces and obstacles whose heights add; with "friction" and "patches".
/// @throws ParseError, ModelError  the value or a file that it names is wrong
std::shared_ptr<const roads::Road> read_wheel_road(const Json& value, const SystemReader& in);

/// The "road" of a system, for tyres that have none of their own.
class SystemRoad {
 public:
  SystemRoad() = default;
  SystemRoad(const Json& value, const SystemReader& in);

  bool is_given() const { return value_ != nullptr; }
  /// For vertical tyres.
  /// @throws ParseError  only rolling wheels take this road
  const mbd_solver::Road& vertical() const;
  /// For rolling wheels, which share it.
  std::shared_ptr<const roads::Road> rolling(const SystemReader& in) const;

 private:
  const Json* value_ = nullptr;
  std::optional<mbd_solver::Road> vertical_;
  mutable std::shared_ptr<const roads::Road> rolling_;  // made when it is first asked for
};

}  // namespace femflex::tools

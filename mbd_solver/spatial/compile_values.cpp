// Compiles values (numbers, formulas and curves) of a system into signals.
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/mbd_solver/road.h"

#include "spatial/compiler.h"

namespace femflex::mbd_solver {

void check_number(double value, const std::string& user, const char* what) {
  if (!std::isfinite(value))
    throw ModelError("not-finite", fmt::format("{}: {} is not finite", user, what));
}

void check_finite(const Eigen::MatrixXd& value, const std::string& what) {
  if (!value.allFinite()) throw ModelError("not-finite", fmt::format("{} is not finite", what));
}

laws::Curve curve_of(const Table& table, const std::string& user) {
  return {table.x, table.y, table.interpolation, laws::Curve::Beyond::extrapolate, user};
}

std::shared_ptr<const laws::Curve> Compiler::profile(const Road& road, const std::string& user) {
  if (road.kind == Road::Kind::profile)
    return std::make_shared<laws::Curve>(curve_of(road.profile, user));
  std::shared_ptr<const laws::Curve>& made = made_roads_[{road.iso_class, road.seed, road.length}];
  if (!made)
    made = std::make_shared<laws::Curve>(
        curve_of(road.profile.x.empty() ? iso8608_profile(road.iso_class, road.seed, road.length)
                                        : road.profile,
                 user));
  return made;
}

Signal Compiler::signal(const Value& value, const std::string& user) {
  check_number(value.factor, user, "the factor of a value");
  check_number(value.offset, user, "the offset of a value");
  if (const auto* number = std::get_if<double>(&value.f)) check_number(*number, user, "a value");
  Signal s;
  if (value.is_number()) {
    s.number = value.number();
    return s;
  }
  for (const std::string& name : value.variables())
    s.probes.push_back(s.probes.empty() ? Probe{} : probe(name, user));
  s.function = value;
  return s;
}

}  // namespace femflex::mbd_solver

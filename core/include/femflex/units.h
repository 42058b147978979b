// Defines consistent sets of units (mm-t-s, m-kg-s, ...) as factors to SI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace femflex {

/// A consistent set of units, as factors to SI: a length of 1 in these units is `length` metres.
/// FE models keep the units of their source; flexible bodies and multibody systems are SI.
struct Units {
  std::string name = "m-kg-s";
  double length = 1.0;  ///< [m]
  double mass = 1.0;    ///< [kg]
  double time = 1.0;    ///< [s]

  double force() const { return mass * length / (time * time); }  ///< [N]
  double stiffness() const { return force() / length; }           ///< [N/m]
  double moment() const { return force() * length; }              ///< [N m]
  double inertia() const { return mass * length * length; }       ///< [kg m^2]
  double eigenvalue() const { return 1.0 / (time * time); }       ///< [rad^2/s^2]

  friend bool operator==(const Units&, const Units&) = default;
};

/// The set called `name`: m-kg-s, mm-t-s, mm-kg-s, mm-kg-ms, mm-g-ms, cm-g-s, in-lbf-s, ft-lbf-s.
/// @throws UsageError  no such set; the message lists all
Units parse_units(std::string_view name);

/// Names that parse_units() knows.
std::vector<std::string> unit_names();

}  // namespace femflex

// Lattice: point masses, springs, hinges, loads and supports, as the user gives them. SI units; L
// is the length of a spring, d its rest length, e = L - d its elongation.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/errors.h"
#include "femflex/hamiltonian/time_function.h"
#include "femflex/laws/damper.h"

namespace femflex::hamiltonian {

/// Viscous damping F = -c v (1 + c2 |v| + c3 v^2), on a mass, along a spring or in a hinge.
/// docs/theory/hamiltonian.md eq. (6).
struct Damping {
  double c = 0.0;         ///< [N s/m]; [N m s] in a hinge; [1/s] if `per_mass`
  double c2 = 0.0;        ///< [s/m]
  double c3 = 0.0;        ///< [s^2/m^2]
  bool per_mass = false;  ///< true: c is multiplied by the mass of the node

  bool is_active() const { return c != 0.0; }
  double linear(double mass) const { return per_mass ? c * mass : c; }
  laws::DampingGrowth growth() const { return {c2, c3}; }
  /// The factor in F = -factor v at a speed |v|; `mass` is used if `per_mass`.
  double factor(double mass, double speed) const { return linear(mass) * growth().factor(speed); }
  /// d|F| / d|v|
  double slope(double mass, double speed) const { return linear(mass) * growth().slope(speed); }
  friend bool operator==(const Damping&, const Damping&) = default;
};

struct LatticeNode {
  std::int64_t id = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< start position [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< start velocity [m/s]
  double mass = 0.0;                                   ///< [kg], without the mass of springs
  /// true for each DOF that is fixed at the start position
  std::array<bool, 3> fixed = {false, false, false};
  Damping damping;
};

/// Where a rest length or a reference angle comes from.
enum class Reference : std::uint8_t {
  value,    ///< the given number
  initial,  ///< computed from the nodes' start positions
  current,  ///< computed from the state in which the first run begins (its start or equilibrium)
};

enum class SpringLaw : std::uint8_t {
  quartic,     ///< V = k/2 (L^2 - d^2)^2
  linear,      ///< V = k/2 (L - d)^2
  table,       ///< force as a table over elongation, linear between points and beyond
  expression,  ///< force as an expression of e = L - d, L and d
};

struct Spring {
  std::int32_t a = 0;  ///< index into Lattice::nodes
  std::int32_t b = 0;
  SpringLaw law = SpringLaw::quartic;
  double stiffness = 0.0;  ///< k: [N/m^3] quartic, [N/m] linear
  Reference reference = Reference::value;
  double rest_length = std::numeric_limits<double>::quiet_NaN();  ///< d [m]
  std::int32_t force = -1;    ///< index into Lattice::functions, for table and expression
  bool tension_only = false;  ///< true: the spring never pushes
  double break_force = std::numeric_limits<double>::infinity();       ///< limit of |force| [N]
  double break_elongation = std::numeric_limits<double>::infinity();  ///< limit of L - d [m]
  double break_stress = std::numeric_limits<double>::infinity();  ///< limit of |force| / area [Pa]
  Damping damping;                                                ///< damping along the spring
  double area = 0.0;  ///< area of the section [m^2]; 0: unknown
  /// Young's modulus E [Pa]; a linear spring without stiffness gets k = E A / d
  double modulus = 0.0;
  double density = 0.0;  ///< [kg/m^3]; half of density * area * d goes to each end
};

/// Rotational spring between the springs `a` and `b`: V = k/2 (phi_b - phi_a - phi_ref)^2 where
/// phi_a and phi_b are the springs' angles in the plane, counted over any number of turns. In 3D
/// phi_b - phi_a is the angle between the two directions, 0 .. pi.
struct RotationalSpring {
  std::int32_t a = 0;  ///< index into Lattice::springs
  std::int32_t b = 0;
  double stiffness = 0.0;  ///< [N m/rad]
  Reference reference = Reference::value;
  double angle = 0.0;      ///< phi_ref [rad]
  std::int32_t turns = 0;  ///< whole turns already made at the start: phi = principal + 2 pi turns
  /// moment [N m] as a function of phi_b - phi_a - phi_ref; used if it is not constant
  Function moment;
  Damping damping;               ///< damping of the rate of the angle
  double mass = 0.0;             ///< [kg], at the node where the two springs meet
  double section_modulus = 0.0;  ///< W of the bending stress M / W [m^3]; 0: unknown
};

/// The load force * history(t), while from <= t < until and step < until_step.
struct Load {
  std::int32_t node = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();  ///< [N]
  Function history;                                 ///< factor over time; constant 1 by default
  double from = -std::numeric_limits<double>::infinity();  ///< time at which the load begins [s]
  double until = std::numeric_limits<double>::infinity();  ///< time at which the load ends [s]
  /// 301 means that the load acts in the first 301 steps
  std::int64_t until_step = std::numeric_limits<std::int64_t>::max();
};

/// One DOF of prescribed motion: position = start + displacement(t).
struct PrescribedMotion {
  std::int32_t node = 0;
  std::int8_t axis = 0;   ///< 0..2
  Function displacement;  ///< displacement [m] as a function of time
};

/// The massless point R (the "hub"), connected to every node by a spring; all these springs have
/// the same constant.
struct Hub {
  double stiffness = 0.0;
  SpringLaw law = SpringLaw::quartic;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< start position [m]
  std::optional<double> rest_length;  ///< default: computed from the start positions
};

/// Point masses and springs in 1, 2 or 3 dimensions. SI units.
struct Lattice {
  std::string name;
  int dimension = 3;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
  /// c of a force -c v on every node [N s/m]; called "friction %" in the 2007 program
  double friction = 0.0;
  std::vector<LatticeNode> nodes;
  std::vector<Spring> springs;
  std::vector<Function> functions;  ///< forces of springs [N] as functions of their elongation
  std::vector<RotationalSpring> hinges;
  std::vector<Load> loads;
  std::vector<PrescribedMotion> motions;
  std::optional<Hub> hub;
  /// true: the run begins at the equilibrium under gravity alone, before any load
  bool start_at_equilibrium = false;
  double step = 0.0;  ///< advised step [s]; 0: none
};

/// Checks the whole lattice and computes derived values: rest lengths and angles with reference
/// `initial`, and stiffnesses E A / d. References `current` stay undefined until a run or
/// equilibrium begins.
/// @throws ModelError  unknown or repeated node, a spring with both ends on one node, no mass on
///                     a free DOF, numbers that are not finite or have the wrong sign
Lattice make_lattice(Lattice lattice);

/// Index of the node where the two springs of a hinge meet, -1 if they share no node. If they share
/// both nodes, it is end b of the first spring.
std::int32_t hinge_node(const Lattice& lattice, const RotationalSpring& hinge);

/// Nodal masses including those of springs and hinges: node mass plus half of density * area * d of
/// each spring at the node plus the mass of each hinge there.
std::vector<double> nodal_masses(const Lattice& lattice);

/// Name for messages such as "spring 3 (7-9)": its number in the list, from 1, and its nodes.
/// @param spring  one of lattice.springs
std::string name_of(const Lattice& lattice, const Spring& spring);

/// Index of the node with this id, -1 if there is none. Linear search.
std::int32_t find_node(const Lattice& lattice, std::int64_t id);

}  // namespace femflex::hamiltonian

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
  double c = 0.0;         ///< [N s/m], [N m s] in a hinge; [1/s] where `per_mass`
  double c2 = 0.0;        ///< [s/m]
  double c3 = 0.0;        ///< [s^2/m^2]
  bool per_mass = false;  ///< c is multiplied by the mass of the node

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
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< at the start [m]
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  ///< at the start [m/s]
  double mass = 0.0;                                   ///< [kg], without the mass of springs
  std::array<bool, 3> fixed = {false, false, false};   ///< DOFs held at the start position
  Damping damping;
};

/// Where a rest length or a reference angle comes from.
enum class Reference : std::uint8_t {
  value,    ///< the number given
  initial,  ///< the nodes' start positions
  current,  ///< the state in which the run begins (a resumed one, an equilibrium)
};

enum class SpringLaw : std::uint8_t {
  quartic,     ///< V = k/2 (L^2 - d^2)^2
  linear,      ///< V = k/2 (L - d)^2
  table,       ///< force by elongation, linear between points and beyond
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
  bool tension_only = false;  ///< never pushes
  double break_force = std::numeric_limits<double>::infinity();       ///< |force| [N]
  double break_elongation = std::numeric_limits<double>::infinity();  ///< L - d [m]
  double break_stress = std::numeric_limits<double>::infinity();      ///< |force| / area [Pa]
  Damping damping;                                                    ///< along the spring
  double area = 0.0;     ///< of the section [m^2]; 0: not known
  double modulus = 0.0;  ///< Young's [Pa]; a linear spring without stiffness takes E A / d
  double density = 0.0;  ///< [kg/m^3]; half of density * area * d goes to each end
};

/// Rotational spring between the springs `a` and `b`: V = k/2 (phi_b - phi_a - phi_ref)^2 with the
/// springs' angles in the plane, followed through any number of turns. In 3D phi_b - phi_a is the
/// angle between the two directions, 0 .. pi.
struct RotationalSpring {
  std::int32_t a = 0;  ///< index into Lattice::springs
  std::int32_t b = 0;
  double stiffness = 0.0;  ///< [N m/rad]
  Reference reference = Reference::value;
  double angle = 0.0;      ///< phi_ref [rad]
  std::int32_t turns = 0;  ///< whole turns already made at the start: phi = principal + 2 pi turns
  Function moment;         ///< [N m] of phi_b - phi_a - phi_ref; used if not constant
  Damping damping;         ///< acts on the rate of the angle
};

/// force(t) = direction * history(t) while from <= t < until and step < until_step.
struct Load {
  std::int32_t node = 0;
  Eigen::Vector3d force = Eigen::Vector3d::Zero();         ///< [N]
  Function history;                                        ///< of time; constant 1 by default
  double from = -std::numeric_limits<double>::infinity();  ///< [s]
  double until = std::numeric_limits<double>::infinity();  ///< [s]
  /// 301: acts in the first 301 steps
  std::int64_t until_step = std::numeric_limits<std::int64_t>::max();
};

/// One DOF of prescribed motion: position = start + displacement(t).
struct PrescribedMotion {
  std::int32_t node = 0;
  std::int8_t axis = 0;   ///< 0..2
  Function displacement;  ///< [m] of time
};

/// The massless point R ("bowl"), connected to every node by a spring of the same constant.
struct Bowl {
  double stiffness = 0.0;
  SpringLaw law = SpringLaw::quartic;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< at the start [m]
  std::optional<double> rest_length;                   ///< default: from the start positions
};

/// Point masses and springs in 1, 2 or 3 dimensions. SI units.
struct Lattice {
  std::string name;
  int dimension = 3;
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< [m/s^2]
  double friction = 0.0;  ///< c of a force -c v on every node [N s/m]; "friction %" of 2007
  std::vector<LatticeNode> nodes;
  std::vector<Spring> springs;
  std::vector<Function> functions;  ///< forces of springs [N] by their elongation
  std::vector<RotationalSpring> hinges;
  std::vector<Load> loads;
  std::vector<PrescribedMotion> motions;
  std::optional<Bowl> bowl;
  bool start_at_equilibrium = false;  ///< under gravity alone, before any load
  double step = 0.0;                  ///< advised [s]; 0: none
};

/// Checks the whole lattice and computes derived values: rest lengths and angles `initial`,
/// stiffness E A / d. References `current` stay open until a run or equilibrium begins.
/// @throws ModelError  unknown or repeated node, a spring with both ends on one node, no mass on
///                     a free DOF, numbers that are not finite or have the wrong sign
Lattice make_lattice(Lattice lattice);

/// Nodal masses including those of springs: node mass + half of each spring's density * area * d.
std::vector<double> nodal_masses(const Lattice& lattice);

/// Index of the node with this id, -1 if there is none. Linear search.
std::int32_t find_node(const Lattice& lattice, std::int64_t id);

}  // namespace femflex::hamiltonian

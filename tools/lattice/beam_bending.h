// Evaluates a lattice as a bent beam: deflections along its load, and the bending stiffness from
// the formulas of slender beams, as in tables 4 to 7 of the document of 2007
// (docs/bibliography.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/lattice_system.h"

#include "document/json.h"

namespace femflex::tools {

enum class BeamKind : std::uint8_t {
  cantilever,   ///< fixed at one end, loaded at the other
  two_supports  ///< on two supports, loaded in the middle
};

/// "cantilever", "two-supports"
std::vector<std::string> beam_names();
/// @throws UsageError  another name
BeamKind parse_beam(const std::string& name);

/// The instant whose loads bend the beam: in statics that of the loads without an end, to which the
/// equilibrium belongs.
hamiltonian::Instant beam_instant(const hamiltonian::State& state, bool statics);

/// Finds the supports and loads of a lattice along the beam, and evaluates the formulas [Gere
/// 2012]:
///
///   cantilever of length L, load P at its end, 0 < x <= L:
///       EI = P x^2 (3 L - x) / (6 v)
///   two supports at distance L, P in the middle, 0 < x <= L/2:
///       EI = P x (3 L^2 - 4 x^2) / (48 v)
///
/// x is the distance along the beam, perpendicular to the load, from the fixed end or the nearer
/// support; v is the displacement along the load from the start position.
class BeamBending {
 public:
  /// @throws UsageError  there is no support or load; loads in several places or directions;
  /// supports or a load at places for which the formula does not hold
  BeamBending(const hamiltonian::LatticeSystem& system, BeamKind kind);

  double length() const { return length_; }  ///< L [m]
  /// P at this instant, along the direction of the model's loads [N].
  double load(const hamiltonian::Instant& instant, double load_factor) const;
  /// x of a node [m].
  double place(std::size_t node) const;
  /// v of a node [m].
  double deflection(std::size_t node, const std::vector<double>& q) const;
  /// EI [N m^2] of a node at position x with deflection v under load P; NaN where the formula does
  /// not hold, or if P or v is 0.
  double bending_stiffness(double load, double place, double deflection) const;

 private:
  void find_cantilever(const std::vector<Eigen::Vector3d>& held, const Eigen::Vector3d& loaded);
  void find_two_supports(const std::vector<Eigen::Vector3d>& held, const Eigen::Vector3d& loaded);

  const hamiltonian::LatticeSystem& system_;
  BeamKind kind_;
  Eigen::Vector3d direction_ = Eigen::Vector3d::Zero();  // of the load
  Eigen::Vector3d axis_ = Eigen::Vector3d::Zero();       // along the beam
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();     // x = 0
  double length_ = 0.0;                                  // [m]
};

/// Deflections and bending stiffnesses of nodes in one state, with relative differences in per
/// cent: EI / EI of the first node - 1, and EI / EI of the previous node - 1.
Json beam_json(const BeamBending& beam,
               const hamiltonian::LatticeSystem& system,
               const std::vector<std::size_t>& nodes,
               const hamiltonian::State& state,
               const hamiltonian::Instant& instant,
               double load_factor);
/// The numbers of beam_json() as a text table.
std::string beam_text(const Json& beam);

}  // namespace femflex::tools

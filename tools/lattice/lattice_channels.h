// LatticeChannels: optional channels of a lattice's result: energies of single springs and nodes,
// polar coordinates, mass from energy, bending stiffness of a beam. run_lattice() uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "femflex/hamiltonian/integrate.h"
#include "femflex/hamiltonian/lattice_system.h"
#include "femflex/mbd_solver/results.h"

#include "lattice/beam_bending.h"

namespace femflex::tools {

/// Content of a result besides motion and total energies: docs/formats/lattice.md, "Result".
struct ChannelChoice {
  bool springs = false;  ///< for each spring: length, force, potential energy
  bool nodes = false;    ///< for each shown node: kinetic and potential energy
  bool parts = false;    ///< potential energy of all springs, of all hinges, of each hinge, of
                         ///< gravity
  bool polar = false;    ///< for each shown node: radius, angle, radial and tangential velocity
  /// for each shown node: mass that would have the energy of the whole lattice at its speed
  bool mass = false;
  /// numbers of the springs to show, counted from 1; empty: all
  std::vector<std::int64_t> spring_numbers;
  /// names and springs of groups; the potential energy of each group is shown
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> groups;
  /// [m] centre of the polar coordinates; default: the only node fixed in all directions
  std::optional<std::vector<double>> centre;
  std::optional<BeamKind> beam;  ///< for each shown node: deflection and bending stiffness

  bool any() const {
    return springs || nodes || parts || polar || mass || !groups.empty() || beam.has_value();
  }
};

/// The accepted words: "springs", "nodes", "parts", "polar", "mass".
const std::vector<std::string>& channel_words();
/// Sets the members with these names.
/// @throws UsageError  another word
void choose_channels(const std::vector<std::string>& words, ChannelChoice& choice);
/// Reads a group such as "shear=1-9,12": its name and its spring numbers.
/// @throws UsageError  no '=', an empty name, not a list of numbers
std::pair<std::string, std::vector<std::int64_t>> parse_group(const std::string& text);

class LatticeChannels {
 public:
  /// @param nodes        the shown nodes
  /// @param load_factor  factor of all loads
  /// @param statics      whether only the loads without an end act, as at an equilibrium
  /// @throws UsageError  a spring does not exist, there are too many springs, or there is no
  /// centre; see BeamBending
  LatticeChannels(const hamiltonian::LatticeSystem& system,
                  ChannelChoice choice,
                  std::vector<std::size_t> nodes,
                  double load_factor,
                  bool statics);

  std::vector<mbd_solver::Channel> channels() const;
  /// Appends the values of one sample. Angles continue those of the previous sample without jumps.
  void append(const hamiltonian::Sample& sample, std::vector<double>& row);

 private:
  std::size_t spring_index(std::int64_t number) const;
  Eigen::Vector3d found_centre() const;
  Eigen::Vector3d vector_of(const std::vector<double>& values, std::size_t node) const;
  Eigen::Vector3d velocity_of(const hamiltonian::State& state, std::size_t node) const;
  void append_springs(const hamiltonian::State& state, std::vector<double>& row) const;
  void append_parts(const hamiltonian::State& state, std::vector<double>& row) const;
  void append_nodes(const hamiltonian::State& state, std::vector<double>& row) const;
  void append_motion(const hamiltonian::Sample& sample, std::vector<double>& row);

  const hamiltonian::LatticeSystem& system_;
  ChannelChoice choice_;
  std::vector<std::size_t> nodes_, springs_;
  double load_factor_;
  bool statics_;
  Eigen::Vector3d centre_ = Eigen::Vector3d::Zero();
  std::optional<BeamBending> beam_;
  std::vector<double> angles_;  // angles of the last sample, one per node [rad]; empty: no sample
                                // yet
};

}  // namespace femflex::tools

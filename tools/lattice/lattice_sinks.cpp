// Defines the channels once at the start (positions, velocities, energies, stresses, hinge angles),
// then writes one row per sample in the same order.
#include "lattice/lattice_sinks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/channel.h"
#include "femflex/errors.h"

namespace femflex::tools {

using namespace hamiltonian;

LatticeSink::LatticeSink(const LatticeSystem& system,
                         std::vector<std::size_t> nodes,
                         LatticeChannels more,
                         ResultRows& rows)
    : system_(system), nodes_(std::move(nodes)), more_(std::move(more)), rows_(rows) {
  const Lattice& lattice = system.lattice();
  constexpr std::array kAxes = {"x", "y", "z"};
  std::vector<mbd_solver::Channel> channels;
  for (const std::size_t node : nodes_) {
    for (const auto& [what, unit] : {std::pair{"position", "m"}, {"velocity", "m/s"}}) {
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(lattice.dimension); ++axis)
        channels.push_back(
            {channel_text(std::to_string(lattice.nodes[node].id), what, kAxes[axis]), unit});
    }
  }
  for (const char* name : {"kinetic", "potential", "total", "work"})
    channels.push_back({channel_text("energy", name), "J"});
  has_stress_ = std::any_of(
      lattice.springs.begin(), lattice.springs.end(), [](const Spring& s) { return s.area > 0.0; });
  if (has_stress_) {
    channels.push_back({channel_text("stress", "extreme"), "Pa"});
    channels.push_back({channel_text("stress", "spring"), ""});
  }
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h)
    channels.push_back({channel_text(fmt::format("hinge{}", h + 1), "angle"), "rad"});
  for (std::size_t h = 0; h < lattice.hinges.size(); ++h) {
    if (!(lattice.hinges[h].section_modulus > 0.0)) continue;
    with_bending_.push_back(h);
    channels.push_back({channel_text(fmt::format("hinge{}", h + 1), "bending_stress"), "Pa"});
  }
  const std::vector<mbd_solver::Channel> chosen = more_.channels();
  channels.insert(channels.end(), chosen.begin(), chosen.end());
  std::set<std::string> names;
  for (const mbd_solver::Channel& channel : channels)
    if (!names.insert(channel.name).second)
      throw UsageError("usage",
                       fmt::format("two channels would be called '{}'", channel.name),
                       {},
                       "name each node and each spring once, and each --group differently");
  rows.begin(channels);
}

void LatticeSink::sample(const Sample& s) {
  row_.clear();
  const auto dim = static_cast<std::size_t>(system_.lattice().dimension);
  for (const std::size_t node : nodes_) {
    for (std::size_t axis = 0; axis < dim; ++axis)
      row_.push_back(s.state.q[node * dim + axis]);
    for (std::size_t axis = 0; axis < dim; ++axis)
      row_.push_back(s.state.p[node * dim + axis] / system_.momentum_masses()[node]);
  }
  row_.insert(row_.end(), {s.energy.kinetic, s.energy.potential, s.energy.total(), s.work});
  if (has_stress_) {
    const ExtremeStress extreme = system_.extreme_stress(s.state);
    if (std::abs(extreme.stress) > std::abs(worst_.stress)) worst_ = extreme;
    row_.push_back(extreme.stress);
    row_.push_back(extreme.spring + 1);
  }
  row_.insert(row_.end(), s.state.memory.angles.begin(), s.state.memory.angles.end());
  if (!with_bending_.empty()) {
    const std::vector<double> moments = system_.read_hinges(s.state);
    for (const std::size_t h : with_bending_)
      row_.push_back(moments[h] / system_.lattice().hinges[h].section_modulus);
  }
  more_.append(s, row_);
  rows_.append(s.state.time, row_);
}

StateSink::StateSink(const PolynomialSystem& system, ResultRows& rows)
    : system_(system), rows_(rows) {
  std::vector<mbd_solver::Channel> channels;
  for (std::int32_t s = 0; s < system.polynomial().states; ++s)
    channels.push_back({to_text({"state", std::to_string(s), "", ""}), ""});
  channels.push_back({channel_text("energy", "total"), "J"});
  rows.begin(channels);
}

void StateSink::sample(const Sample& s) {
  std::vector<double> row = system_.states(s.state);
  row.push_back(s.energy.total());
  rows_.append(s.state.time, row);
}

}  // namespace femflex::tools
